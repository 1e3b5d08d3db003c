//! `superflip tables list` and `prune`: the files in a folder of tables.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Serialize;

use super::wanted::{Wanted, optimal_table};
use crate::api::types::TableBody;
use crate::cli::args::{TablesAll, TablesPrune};
use crate::cli::{Failure, print, print_json};
use crate::tables::inventory::{FileState, FoundFile, KeepReason, inventory, prune as prune_folder};
use crate::tables::optimal::Size;
use crate::tables::specs;

/// A file or a missing table, as JSON.
#[derive(Serialize)]
struct Row {
    #[serde(flatten)]
    about: About,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recipe: Option<String>,
    state: &'static str,
    in_use: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// The properties of a table.
#[derive(Serialize)]
#[serde(untagged)]
enum About {
    /// A sound table of this version.
    Sound(Box<TableBody>),
    Other {
        name: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        bytes: Option<u64>,
    },
}

impl Row {
    fn of(mut found: FoundFile) -> Self {
        let about = match found.check() {
            Some(info) => About::Sound(Box::new((&info).into())),
            None => About::Other { name: found.table, bytes: Some(found.bytes) },
        };
        let problem = match &found.state {
            FileState::Unusable(reason) => Some(reason.clone()),
            _ => None,
        };
        Self {
            about,
            file: Some(found.file),
            path: Some(found.path),
            recipe: found.recipe.map(|recipe| format!("{recipe:016x}")),
            state: found.state.name(),
            in_use: found.in_use,
            problem,
        }
    }

    fn missing(name: &str) -> Self {
        let about = About::Other { name: name.to_owned(), bytes: None };
        let problem = Some("missing".to_owned());
        Self { about, file: None, path: None, recipe: None, state: "missing", in_use: None, problem }
    }

    /// Returns the row as a line of text.
    fn line(&self) -> String {
        let (name, bytes, purpose) = match &self.about {
            About::Sound(table) => (table.name, Some(table.bytes), table.purpose),
            About::Other { name, bytes } => (name.as_str(), *bytes, ""),
        };
        let mut line = format!("{:53} ", self.file.as_deref().unwrap_or(name));
        // Writing to a string does not fail.
        let _ = match bytes {
            Some(bytes) => write!(line, "{bytes:>11} bytes  "),
            None => write!(line, "{:19}", ""),
        };
        let _ = write!(line, "{:13}  ", self.state);
        line += if self.in_use == Some(true) { "in use  " } else { "        " };
        line += purpose;
        line += self.problem.as_deref().filter(|_| self.state != "missing").unwrap_or_default();
        line.trim_end().to_owned() + "\n"
    }
}

/// Lists every file in the folder and the missing tables of the configuration, in catalogue order, unknown files last.
pub(crate) fn list(args: &TablesAll) -> Result<(), Failure> {
    let Wanted { folder, profile, optimal, .. } =
        Wanted::new(&args.configuration, optimal_table(args.optimal_table.as_ref()))?;
    let found = inventory(&folder);
    let mut found = found.map_err(|error| {
        let folder = folder.display();
        Failure::Runtime(format!("cannot read the folder {folder}: {error}. Choose another one with --tables-dir."))
    })?;
    let mut rows = Vec::new();
    for spec in specs::ALL.iter().chain(&specs::OPTIMAL) {
        let (own, others) = found.into_iter().partition::<Vec<_>, _>(|found| found.table == spec.name);
        found = others;
        let is_wanted = spec.profile.is_none_or(|only| only == profile)
            && (specs::ALL.iter().any(|listed| listed.id == spec.id)
                || optimal.map(Size::spec).is_some_and(|own| own.id == spec.id));
        let is_there = own.iter().any(|found| matches!(found.state, FileState::Current | FileState::OldName));
        let own: Vec<_> = own.into_iter().map(Row::of).collect();
        // Do not report a table as missing when an unusable file of that name is already listed.
        if is_wanted && !is_there && !own.iter().any(|row| row.state == "unusable") {
            rows.push(Row::missing(spec.name));
        }
        rows.extend(own);
    }
    rows.extend(found.into_iter().map(Row::of));
    if args.json { print_json(&rows) } else { print(&rows.iter().map(Row::line).collect::<String>()) }
}

/// The result of `prune`, as JSON.
#[derive(Serialize)]
struct Report {
    folder: PathBuf,
    dry_run: bool,
    /// Total size of the files that were removed, or would be.
    bytes_freed: u64,
    removed: Vec<ReportedFile>,
    kept: Vec<ReportedFile>,
}

/// A file that this version does not need.
#[derive(Serialize)]
struct ReportedFile {
    file: String,
    bytes: u64,
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

impl ReportedFile {
    fn new(found: FoundFile, reason: Option<String>) -> Self {
        Self { file: found.file, bytes: found.bytes, state: found.state.name(), reason }
    }
}

/// Removes the files that this version does not need.
pub(crate) fn prune(args: &TablesPrune) -> Result<(), Failure> {
    let Wanted { folder, .. } = Wanted::new(&args.configuration, Vec::new())?;
    if !folder.is_dir() {
        let folder = folder.display();
        return Err(Failure::Input(format!(
            "the folder {folder} does not exist; choose the folder of the tables with --tables-dir"
        )));
    }
    let pruned = prune_folder(&folder, args.dry_run).map_err(Failure::runtime)?;
    let has_failed = pruned.kept.iter().any(|(_, why)| !matches!(why, KeepReason::InUse));
    let report = Report {
        folder,
        dry_run: args.dry_run,
        bytes_freed: pruned.removed.iter().map(|found| found.bytes).sum(),
        removed: pruned.removed.into_iter().map(|found| ReportedFile::new(found, None)).collect(),
        kept: pruned.kept.into_iter().map(|(found, why)| ReportedFile::new(found, Some(why.to_string()))).collect(),
    };
    if args.json {
        print_json(&report)?;
    } else {
        print(&text(&report))?;
    }
    if has_failed { Err(Failure::Reported(1)) } else { Ok(()) }
}

/// Returns the result as text.
fn text(report: &Report) -> String {
    let (removed, freed) = if report.dry_run { ("would remove", "would be freed") } else { ("removed", "freed") };
    let mut text = String::new();
    for ReportedFile { file, bytes, state, .. } in &report.removed {
        let _ = writeln!(text, "{removed} {file}: {bytes} bytes, {state}");
    }
    for ReportedFile { file, bytes, state, reason } in &report.kept {
        let reason = reason.as_deref().unwrap_or_default();
        let _ = writeln!(text, "kept {file}: {bytes} bytes, {state}, {reason}");
    }
    let (folder, bytes) = (report.folder.display(), report.bytes_freed);
    let (gone, kept) = (report.removed.len(), report.kept.len());
    let _ =
        writeln!(text, "{folder}: {removed} {gone} unneeded files, kept {kept} (reasons above); {bytes} bytes {freed}");
    text
}
