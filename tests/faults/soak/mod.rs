//! Mixed traffic against the program: clients that disconnect, slow clients, invalid requests, proofs, batches, streams. Every
//! answer is replayed on the model of stickers, and the resources of the process must not grow.
//!
//! Lasts twelve seconds, or `SOAK_SECONDS`.
#![cfg(target_os = "linux")]

use callers::{Caller, Fault};
use kinds::{KINDS, Met};
use rand::RngExt as _;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom as _;
use tokio::sync::RwLock;

use crate::common::prelude::*;

mod callers;
mod kinds;

/// Concurrent clients; they pause between requests and leave cores idle.
const CALLERS: u64 = 8;
/// Number of measurements of the process, the first one after a warm-up.
const LOOKS: u32 = 9;

/// Number of outcomes by kind of request.
type Counts = BTreeMap<(&'static str, Met), u64>;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mixed_traffic_has_correct_answers_and_leaks_nothing() {
    let seconds = std::env::var("SOAK_SECONDS").map_or(12, |text| text.parse().expect("SOAK_SECONDS is a number"));
    let mut command = serve();
    command.arg("--optimal-table=s");
    let start = || {
        let program = Program::start(command);
        program.until_ready("\"optimal\":\"s\",\"status\":\"ready\"");
        program
    };
    let mut process = tokio::task::spawn_blocking(start).await.expect("no panic");
    let (address, fresh) = (process.address(), process.usage());
    let start = Instant::now();
    let part = Duration::from_secs(seconds) / (LOOKS + 1);

    let counts = Arc::new(Mutex::new(Counts::new()));
    // Held for reading during each request; held for writing while the process is measured at rest.
    let traffic = Arc::new(RwLock::new(()));
    let callers: Vec<_> = (0..CALLERS)
        .map(|seed| {
            tokio::spawn(call(address, seed, start + part * (LOOKS + 1), Arc::clone(&traffic), Arc::clone(&counts)))
        })
        .collect();
    let mut looks = Vec::new();
    for look in 1..=LOOKS {
        tokio::time::sleep_until((start + part * (look + 1)).into()).await;
        let _at_rest = traffic.write().await;
        looks.push(quiet(&process, fresh).await);
        let Usage { resident_kib, descriptors, threads } = looks[looks.len() - 1];
        let seconds = start.elapsed().as_secs_f64();
        println!("{seconds:5.0} s: {resident_kib} KiB, {descriptors} descriptors, {threads} threads");
    }
    let mut faults = Vec::new();
    for caller in callers {
        faults.extend(caller.await.expect("no panic"));
    }
    print(&counts.lock().expect("no panic"));
    assert!(process.is_running());
    // Threads that are idle for ten seconds end, except for solver threads: two lanes have one for each core.
    let solving = 2 * std::thread::available_parallelism().expect("cores").get() + 1;
    let gone = Instant::now();
    while process.usage().threads > fresh.threads + solving {
        assert!(gone.elapsed() < Duration::from_secs(30), "{:?} after {fresh:?}", process.usage());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    process.signal("TERM");
    let status = process.ended();
    let errors: Vec<_> = process.log().into_iter().filter(|line| line["level"] == "ERROR").collect();
    assert!(status.success() && errors.is_empty(), "{status}: {errors:#?}");
    assert!(faults.is_empty(), "{} faults, such as {:#?}", faults.len(), &faults[..faults.len().min(5)]);
    // For a while, pages of tables and of the heaps of threads are still touched for the first time, and caches fill: within 80 seconds this
    // was 5 % after the first third, and less and less in each look.
    let resident = || looks.iter().skip(looks.len() / 3).map(|look| look.resident_kib);
    let (least, most) = (resident().min().unwrap_or(0), resident().max().unwrap_or(0));
    assert!(most - least <= least / 10, "resident memory from {least} to {most} KiB");
}

/// Sends one request after another, and returns the faults.
async fn call(
    address: SocketAddr,
    seed: u64,
    end: Instant,
    traffic: Arc<RwLock<()>>,
    counts: Arc<Mutex<Counts>>,
) -> Vec<String> {
    let mut caller = Caller { address, rng: rng(seed), last: String::new() };
    let mut faults = Vec::new();
    while Instant::now() < end {
        let (kind, _, name) = *KINDS.choose_weighted(&mut caller.rng, |(_, share, _)| *share).expect("some");
        let asking = traffic.read().await;
        let met = tokio::time::timeout(Duration::from_mins(1), caller.ask(kind)).await;
        drop(asking);
        match met.unwrap_or_else(|_| Err(Fault("no answer within a minute".into()))) {
            Ok(met) => *counts.lock().expect("no panic").entry((name, met)).or_default() += 1,
            Err(Fault(fault)) => {
                let fault = format!("{name}: {fault}, asked {}", caller.last);
                println!("{fault}");
                faults.push(fault);
            }
        }
        tokio::time::sleep(pause(&mut caller.rng)).await;
    }
    faults
}

fn pause(rng: &mut StdRng) -> Duration {
    Duration::from_millis(rng.random_range(5..60))
}

/// Measures the process at rest, once it has no more descriptors than before the first request.
async fn quiet(process: &Program, fresh: Usage) -> Usage {
    let start = Instant::now();
    loop {
        let usage = process.usage();
        if usage.descriptors <= fresh.descriptors {
            return usage;
        }
        assert!(start.elapsed() < Duration::from_mins(1), "{usage:?} after {fresh:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn print(counts: &Counts) {
    println!("| request | right | refused as it should be | 503 | left |\n| --- | ---: | ---: | ---: | ---: |");
    let mut total = [0; 4];
    for kind in KINDS.iter().map(|(_, _, name)| *name).collect::<BTreeSet<_>>() {
        let row =
            [Met::Right, Met::Refused, Met::Busy, Met::Left].map(|met| counts.get(&(kind, met)).copied().unwrap_or(0));
        println!("| {kind} | {} | {} | {} | {} |", row[0], row[1], row[2], row[3]);
        row.iter().zip(&mut total).for_each(|(count, sum)| *sum += count);
    }
    println!("| all | {} | {} | {} | {} |", total[0], total[1], total[2], total[3]);
}
