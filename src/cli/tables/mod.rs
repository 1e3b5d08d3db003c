//! `superflip tables build|verify|list|prune`.

pub(crate) mod files;

use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;

use crate::api::types::{TableBody, VerdictBody};
use crate::cli::args::{Configuration, Tables, TablesAll, TablesCommand, TablesVerify, flags};
use crate::cli::{Failure, configure, interruptible, log_for_people, print, print_json};
use crate::service::config::Config;
use crate::service::nearest;
use crate::service::tables::progress::ProgressReporter;
use crate::service::tables::{loader, memory};
use superflip_cube::metric::Metric;
use superflip_solver::tables::{self, CheckEffort, Conclusion, TableInfo};
use superflip_solver::{Control, Profile, SetKey};

/// Runs a subcommand.
///
/// # Errors
/// Returns an error if a table cannot be built or read, or is damaged.
pub fn run(args: &Tables) -> Result<(), Failure> {
    match &args.command {
        TablesCommand::Build(args) => build(args),
        TablesCommand::Verify(args) => verify(args),
        TablesCommand::List(args) => files::list(args),
        TablesCommand::Prune(args) => files::prune(args),
    }
}

/// A built table, as JSON.
#[derive(Serialize)]
struct Built {
    #[serde(flatten)]
    table: TableBody,
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
        let verdict = VerdictBody::new(name, verdict, start.elapsed());
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
