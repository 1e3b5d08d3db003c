//! `superflip tables build|verify|list|prune`: builds and checks tables, and lists and removes the files in their folder.

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use crate::api::types::{TableSummary, TableVerdict};
use crate::cli::args::{Configuration, Tables, TablesAll, TablesCommand, TablesPrune, TablesVerify, flags};
use crate::cli::output::{document, table};
use crate::cli::{Failure, configure, interruptible, log_for_people, print, print_json};
use crate::service::config::Config;
use crate::service::nearest;
use crate::service::tables::progress::ProgressReporter;
use crate::service::tables::{loader, memory};
use superflip_cube::metric::Metric;
use superflip_solver::tables::inventory::{
    FileState, FoundFile, KeepReason, PruneError, inventory, prune as prune_folder,
};
use superflip_solver::tables::{self, CheckEffort, Conclusion, TableInfo, specs};
use superflip_solver::{Control, Profile, SetKey};

/// Runs a subcommand.
///
/// # Errors
/// Returns an error if a table cannot be built or read, or is damaged.
pub fn run(args: &Tables) -> Result<(), Failure> {
    match &args.command {
        TablesCommand::Build(args) => build(args),
        TablesCommand::Verify(args) => verify(args),
        TablesCommand::List(args) => list(args),
        TablesCommand::Prune(args) => prune(args),
    }
}

/// A built table, as JSON.
#[derive(Serialize)]
struct Built {
    #[serde(flatten)]
    table: TableSummary,
    path: PathBuf,
}

fn build(args: &TablesAll) -> Result<(), Failure> {
    let wanted = Wanted::of_all(args)?;
    // They are built one after another, and the memory of each is freed before the next.
    for &key in &wanted.keys {
        let limit = memory::limit(Path::new("/"));
        memory::check(&wanted.config, &wanted.folder, vec![key], limit).map_err(Failure::runtime)?;
    }
    let has_space = tables::check_space(&wanted.folder, wanted.specs());
    has_space.map_err(|error| Failure::runtime(loader::LoadError::from(error)))?;
    let (json, control) = (args.json, Control::new());
    let on_signal = control.clone();
    interruptible(move || on_signal.cancel(), move || build_all(&wanted, json, &control))
}

/// Builds the missing tables until `control` is cancelled. No partial table is left behind.
fn build_all(wanted: &Wanted, json: bool, control: &Control) -> Result<(), Failure> {
    let control = ProgressReporter::new(None).attached_to(control);
    let mut list = Vec::new();
    for &key in &wanted.keys {
        list.extend(loader::open(&wanted.folder, key, &control).map_err(Failure::runtime)?.list());
    }
    // Ends the progress lines.
    drop(control);
    show(&list, json)
}

fn show(list: &[TableInfo], json: bool) -> Result<(), Failure> {
    if json {
        let rows = list.iter().map(|info| Built { table: info.into(), path: info.path.clone() });
        return print_json(&rows.collect::<Vec<_>>());
    }
    let lines = list.iter().map(|info| {
        let TableInfo { name, purpose, bytes, entries, bits, .. } = info;
        let seconds = info.build_time.as_secs_f64();
        format!("{name:24} {bytes:>12} bytes  {entries:>11} x {bits:>2} bits  {seconds:>6.2} s  {purpose}\n")
    });
    print(&lines.collect::<String>())
}

fn verify(args: &TablesVerify) -> Result<(), Failure> {
    let wanted = Wanted::of_all(&args.all)?;
    let names = if args.names.is_empty() {
        wanted.specs().map(|spec| spec.name.to_owned()).collect()
    } else {
        args.names.clone()
    };
    let known = || tables::specs::every().map(|spec| spec.name);
    if let Some(name) = names.iter().find(|name| tables::specs::named(name).is_none()) {
        let suggestion = nearest(name, known()).map_or(String::new(), |name| format!("; did you mean `{name}`?"));
        return Err(Failure::Input(format!(
            "no table is called `{name}`{suggestion} (`superflip tables list` shows the names)"
        )));
    }
    let (json, control) = (args.all.json, Control::new());
    let on_signal = control.clone();
    interruptible(
        move || on_signal.cancel(),
        move || verify_each(&wanted.folder, wanted.config.tables.profile, &names, json, &control),
    )
}

/// Checks the tables one by one until `control` is cancelled.
fn verify_each(
    folder: &Path,
    profile: Profile,
    names: &[String],
    json: bool,
    control: &Control,
) -> Result<(), Failure> {
    let mut verdicts = Vec::new();
    for name in names {
        let start = Instant::now();
        let (progress, table) = (ProgressReporter::new(None), name.clone());
        let control = control.reporting(move |stage, done, total| progress.checking(&table, stage, done, total));
        let verdict = tables::verify(folder, profile, name, CheckEffort::Full, &control).map_err(|_| {
            Failure::Runtime(format!("stopped: {} of {} tables were checked", verdicts.len(), names.len()))
        })?;
        // Ends the progress lines.
        drop(control);
        let word = match verdict.conclusion {
            Conclusion::Sound => "sound",
            Conclusion::Missing => "MISSING",
            Conclusion::Unchecked(_) => "NOT CHECKED",
            Conclusion::Wrong => "WRONG",
        };
        let verdict = TableVerdict::new(name, verdict, start.elapsed());
        if !json {
            let lines = verdict.report.iter().map(|line| format!("  {line}\n"));
            print(&format!("{name}: {word}\n{}", lines.collect::<String>()))?;
        }
        verdicts.push(verdict);
    }
    if json {
        print_json(&verdicts)?;
    }
    if verdicts.iter().all(|verdict| verdict.sound) { Ok(()) } else { Err(Failure::Reported(1)) }
}

/// The wanted sets of tables and their folder.
pub(crate) struct Wanted {
    pub(crate) config: Config,
    pub(crate) folder: PathBuf,
    pub(crate) keys: Vec<SetKey>,
}

impl Wanted {
    /// Returns the sets of the profile and of the metrics, and the coset tables of HTM, and of QTM if that is among the metrics. The metrics
    /// of the flags, if any, replace the configured ones.
    pub(crate) fn of_all(args: &TablesAll) -> Result<Self, Failure> {
        let mut wanted = Self::new(&args.configuration, args.optimal_table.as_ref())?;
        if !args.metrics.is_empty() {
            let metrics = args.metrics.iter().copied().map(Metric::from);
            wanted.config.search.metrics = metrics.filter(|metric| *metric != Metric::Htm).collect();
        }
        let Config { search, optimal, .. } = &wanted.config;
        let in_qtm = optimal.table.filter(|_| search.metrics.contains(&Metric::Qtm));
        let in_qtm = in_qtm.map(|size| SetKey::proofs(Metric::Qtm, size));
        wanted.keys = memory::configured(&wanted.config).into_iter().chain(in_qtm).collect();
        Ok(wanted)
    }

    /// Iterates over the tables in files.
    pub(crate) fn specs(&self) -> impl Iterator<Item = &'static tables::Spec> {
        self.keys.iter().flat_map(|key| key.specs())
    }

    /// Loads the configuration and starts the log. `optimal_table` is the value of that flag.
    pub(crate) fn new(configuration: &Configuration, optimal_table: Option<&String>) -> Result<Self, Failure> {
        let flags = flags(&[("optimal.table", "--optimal-table", &optimal_table.cloned())]);
        let config = configure(configuration, flags)?;
        log_for_people(&config);
        let folder = loader::folder(&config).map_err(Failure::runtime)?;
        Ok(Self { config, folder, keys: Vec::new() })
    }
}

/// A file or a missing table, as JSON.
#[derive(Default, Serialize)]
struct Row {
    /// Sound table of this version.
    #[serde(flatten)]
    table: Option<TableSummary>,
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
        let table = found.check().map(|info| TableSummary::from(&info));
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
