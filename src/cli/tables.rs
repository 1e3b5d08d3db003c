//! `superflip tables build|verify|list`.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use super::args::{Configuration, Tables, TablesAll, TablesCommand, TablesVerify};
use super::{Failure, configure, log_for_people, print, print_json};
use crate::service::loader;
use crate::service::progress::Progress;
use crate::tables::{self, Profile, TableInfo};

/// Runs one of the three.
///
/// # Errors
/// Tables that cannot be built, read, or are wrong.
pub fn run(args: &Tables) -> Result<(), Failure> {
    match &args.command {
        TablesCommand::Build(args) => build(args),
        TablesCommand::Verify(args) => verify(args),
        TablesCommand::List(args) => list(args),
    }
}

/// One table, for scripts.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    #[serde(flatten)]
    sound: Option<Sound>,
}

#[derive(Serialize)]
struct Sound {
    purpose: &'static str,
    path: PathBuf,
    bytes: u64,
    entries: u64,
    bits: u32,
    checksum: String,
    build_seconds: f64,
    entry_histogram: Vec<u64>,
    depth_histogram: Vec<u64>,
}

impl From<TableInfo> for Sound {
    fn from(info: TableInfo) -> Self {
        Self {
            purpose: info.purpose,
            path: info.path,
            bytes: info.bytes,
            entries: info.entries,
            bits: info.bits,
            checksum: format!("{:016x}", info.checksum),
            build_seconds: info.build_time.as_secs_f64(),
            entry_histogram: info.entry_histogram,
            depth_histogram: info.depth_histogram,
        }
    }
}

fn place(configuration: &Configuration) -> Result<(PathBuf, Profile), Failure> {
    let config = configure(configuration, Vec::new())?;
    log_for_people(&config);
    Ok((loader::folder(&config.tables).map_err(Failure::runtime)?, config.tables.profile))
}

fn build(args: &TablesAll) -> Result<(), Failure> {
    let (folder, profile) = place(&args.configuration)?;
    let progress = Progress::new(None);
    let built = loader::load(&folder, profile, &progress, &AtomicBool::new(false)).map_err(Failure::runtime)?;
    drop(progress);
    show(built.list().into_iter().map(|info| (info.name, Ok(info))).collect(), args.json)
}

fn list(args: &TablesAll) -> Result<(), Failure> {
    let (folder, profile) = place(&args.configuration)?;
    show(tables::survey(&folder, profile), args.json)
}

fn show(found: Vec<(&'static str, Result<TableInfo, String>)>, json: bool) -> Result<(), Failure> {
    if json {
        let rows = found.into_iter().map(|(name, found)| match found {
            Ok(info) => Row { name, problem: None, sound: Some(info.into()) },
            Err(problem) => Row { name, problem: Some(problem), sound: None },
        });
        return print_json(&rows.collect::<Vec<_>>());
    }
    let lines = found.iter().map(|(name, found)| match found {
        Ok(info) => {
            let (bytes, entries, bits) = (info.bytes, info.entries, info.bits);
            let seconds = info.build_time.as_secs_f64();
            format!("{name:24} {bytes:>12} bytes  {entries:>11} x {bits:>2} bits  {seconds:>6.2} s  {}\n", info.purpose)
        }
        Err(problem) => format!("{name:24} {problem}\n"),
    });
    print(&lines.collect::<String>())
}

/// What `verify` found out about one table.
#[derive(Serialize)]
struct Verdict {
    name: String,
    sound: bool,
    report: Vec<String>,
}

fn verify(args: &TablesVerify) -> Result<(), Failure> {
    let (folder, profile) = place(&args.configuration)?;
    let names = if args.names.is_empty() {
        tables::survey(&folder, profile).into_iter().map(|(name, _)| name.to_owned()).collect()
    } else {
        args.names.clone()
    };
    let mut verdicts = Vec::new();
    for name in names {
        let (sound, report) = match tables::verify(&folder, profile, &name) {
            Ok(report) => (true, report),
            Err(problem) => (false, vec![problem]),
        };
        if !args.json {
            let word = if sound { "sound" } else { "WRONG" };
            print(&format!("{name}: {word}\n"))?;
            for line in &report {
                print(&format!("  {line}\n"))?;
            }
        }
        verdicts.push(Verdict { name, sound, report });
    }
    if args.json {
        print_json(&verdicts)?;
    }
    if verdicts.iter().all(|verdict| verdict.sound) { Ok(()) } else { Err(Failure::Said(1)) }
}
