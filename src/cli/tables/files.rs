//! `superflip tables list` and `prune`: the files in a folder of tables.

use std::path::PathBuf;

use serde::Serialize;

use super::Wanted;
use crate::api::types::TableBody;
use crate::cli::args::{TablesAll, TablesPrune};
use crate::cli::output::{document, table};
use crate::cli::{Failure, print, print_json};
use superflip_solver::tables::inventory::{
    FileState, FoundFile, KeepReason, PruneError, inventory, prune as prune_folder,
};
use superflip_solver::tables::specs;

/// A file or a missing table, as JSON.
#[derive(Default, Serialize)]
struct Row {
    /// Sound table of this version.
    #[serde(flatten)]
    table: Option<TableBody>,
    /// Name, unless `table` has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
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

impl Row {
    fn of(mut found: FoundFile) -> Self {
        let table = found.check().map(|info| TableBody::from(&info));
        let problem = match &found.state {
            FileState::Unusable(reason) => Some(reason.clone()),
            _ => None,
        };
        Self {
            name: table.is_none().then_some(found.table),
            bytes: table.is_none().then_some(found.bytes),
            table,
            file: Some(found.file),
            path: Some(found.path),
            recipe: found.recipe.map(|recipe| format!("{recipe:016x}")),
            state: found.state.name(),
            in_use: found.in_use,
            problem,
        }
    }

    fn missing(name: &str) -> Self {
        let (name, problem) = (Some(name.to_owned()), Some("missing".to_owned()));
        Self { name, problem, state: "missing", ..Self::default() }
    }

    /// Returns the cells of a line of text.
    fn cells(&self) -> Vec<String> {
        let bytes = self.table.as_ref().map(|table| table.bytes).or(self.bytes);
        let about = self.table.as_ref().map_or(self.problem.as_deref(), |table| Some(table.purpose));
        vec![
            self.file.as_ref().or(self.name.as_ref()).cloned().unwrap_or_default(),
            bytes.map_or(String::new(), |bytes| format!("{bytes:>11} bytes")),
            self.state.to_owned(),
            if self.in_use == Some(true) { "in use" } else { "" }.to_owned(),
            about.filter(|about| *about != self.state).unwrap_or_default().to_owned(),
        ]
    }
}

/// Lists every file in the folder and the missing tables of the configuration, in catalogue order, unknown files last.
pub(crate) fn list(args: &TablesAll) -> Result<(), Failure> {
    let wanted = Wanted::of_all(args)?;
    let found = inventory(&wanted.folder);
    let mut found = found.map_err(|error| {
        let folder = wanted.folder.display();
        Failure::Runtime(format!("cannot read the folder {folder}: {error}. Choose another one with --tables-dir."))
    })?;
    let mut rows = Vec::new();
    for spec in specs::every() {
        let (own, others) = found.into_iter().partition::<Vec<_>, _>(|found| found.table == spec.name);
        found = others;
        let is_wanted = wanted.specs().any(|own| own.name == spec.name);
        let is_there = own.iter().any(|found| matches!(found.state, FileState::Current));
        let own: Vec<_> = own.into_iter().map(Row::of).collect();
        // Do not report a table as missing when an unusable file of that name is already listed.
        if is_wanted && !is_there && !own.iter().any(|row| row.state == "unusable") {
            rows.push(Row::missing(spec.name));
        }
        rows.extend(own);
    }
    rows.extend(found.into_iter().map(Row::of));
    if args.json { print_json(&rows) } else { print(&table(&rows.iter().map(Row::cells).collect::<Vec<_>>())) }
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
    let Wanted { folder, .. } = Wanted::new(&args.configuration, None)?;
    if !folder.is_dir() {
        let folder = folder.display();
        return Err(Failure::Input(format!(
            "the folder {folder} does not exist; choose the folder of the tables with --tables-dir"
        )));
    }
    let pruned = prune_folder(&folder, args.dry_run).map_err(|error| {
        let remedy = match error {
            PruneError::Folder { .. } => "Check the folder (--tables-dir) and the permissions of this user",
            PruneError::Building { .. } => "Run the command again when that is done",
        };
        Failure::Runtime(format!("{error}. {remedy}."))
    })?;
    let has_failed = pruned.kept.iter().any(|(_, why)| !matches!(why, KeepReason::InUse));
    let report = Report {
        folder,
        dry_run: args.dry_run,
        bytes_freed: pruned.removed.iter().map(|found| found.bytes).sum(),
        removed: pruned.removed.into_iter().map(|found| ReportedFile::new(found, None)).collect(),
        kept: pruned.kept.into_iter().map(|(found, why)| ReportedFile::new(found, Some(why.to_string()))).collect(),
    };
    if args.json { print_json(&report) } else { print(&document(&report)?) }?;
    if has_failed { Err(Failure::Reported(1)) } else { Ok(()) }
}
