//! Helper of `tests/load/run`: the engine without a service, a service without an engine, and clients that disconnect.
//!
//! - `cubes COUNT SEED` writes random cubes as facelets, one per line.
//! - `engine FILE TARGET SECONDS THREADS` solves them repeatedly, one after another on each thread as the service does. It writes
//!   `measuring` after the warm-up, then cubes per second and microseconds of CPU time per cube.
//! - `ceiling ADDRESS` serves `POST /solve` with plain axum: it reads the body without parsing it, and answers with a constant text of
//!   the length of a solution.
//! - `cancel ADDRESS COUNT` starts that many long searches, one after another, and disconnects. It writes the median of the milliseconds
//!   until the service counts no search in flight.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::header;
use axum::{Router, routing};
use rand::{SeedableRng, rngs::StdRng};
use superflip_cube::{Cube, random_cube};
use superflip_solver::{Goal, Profile, Solver};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["cubes", count, seed] => cubes(number(count), number(seed) as u64),
        ["engine", file, target, seconds, threads] => {
            engine(
                Path::new(file),
                u8::try_from(number(target)).expect("a length"),
                Duration::from_secs(number(seconds) as u64),
                number(threads),
            );
        }
        ["ceiling", address] => ceiling(address),
        ["cancel", address, count] => cancel(address, number(count)),
        // `cargo bench` runs every bench.
        _ => {
            println!("tests/load/run uses this: cubes, engine, ceiling, cancel");
        }
    }
}

fn number(text: &str) -> usize {
    text.parse().unwrap_or_else(|_| panic!("{text} is not a number"))
}

fn cubes(count: usize, seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    (0..count).for_each(|_| println!("{}", random_cube(&mut rng)));
}

fn engine(file: &Path, target_length: u8, time: Duration, threads: usize) {
    let text = std::fs::read_to_string(file).expect("a file of cubes");
    let cubes: Vec<Cube> = text.lines().map(|line| Cube::from_facelets(line).expect("a cube")).collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
    let solver = Solver::builder().folder(folder).profile(Profile::Standard).open().expect("tables");
    let run = |time: Duration| {
        let (next, start) = (AtomicUsize::new(0), Instant::now());
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while start.elapsed() < time {
                        let cube = &cubes[next.fetch_add(1, Ordering::Relaxed) % cubes.len()];
                        // With a deadline, as in the service.
                        let search = solver.search(cube, &Goal::default().target_length(target_length));
                        let search = search.until(Instant::now() + Duration::from_secs(1));
                        let outcome = search.finish().expect("a solution");
                        assert!(cube.after(&outcome.moves).is_solved());
                    }
                });
            }
        });
        (next.load(Ordering::Relaxed), start.elapsed())
    };
    // Warm-up: caches and page tables as in a running service.
    run(time / 4);
    println!("measuring");
    let before = cpu_us();
    let (solved, elapsed) = run(time);
    #[allow(clippy::cast_precision_loss)] // some million cubes at most
    let (per_second, each) = (solved as f64 / elapsed.as_secs_f64(), (cpu_us() - before) as f64 / solved as f64);
    println!("{per_second:.0} {each:.1}");
}

/// CPU time of this process.
#[cfg(target_os = "linux")]
fn cpu_us() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("procfs");
    let fields: Vec<&str> = stat.rsplit(") ").next().expect("fields").split_whitespace().collect();
    // The 14th and 15th field of the line, in hundredths of a second.
    (fields[11].parse::<u64>().expect("user") + fields[12].parse::<u64>().expect("system")) * 10_000
}

#[cfg(not(target_os = "linux"))]
fn cpu_us() -> u64 {
    0
}

/// The reply to a request, read until the end of the connection.
fn ask(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a service");
    write!(stream, "GET {request} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        .expect("a service that reads");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("a reply");
    reply
}

fn cancel(address: &str, count: usize) {
    let is_searching = || ask(address, "/metrics").contains("superflip_searches_in_flight{lane=\"long\"} 1\n");
    let cube = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB";
    let mut times: Vec<Duration> = (0..count)
        .map(|_| {
            let mut stream = TcpStream::connect(address).expect("a service");
            let path = format!("/solve?facelets={cube}&target_length=0&time_limit_ms=30000");
            write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n").expect("a service that reads");
            while !is_searching() {
                std::thread::sleep(Duration::from_millis(5));
            }
            drop(stream);
            let start = Instant::now();
            while is_searching() {
                assert!(start.elapsed() < Duration::from_secs(20), "the search goes on");
            }
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!("{:.2}", times[count / 2].as_secs_f64() * 1e3);
}

fn ceiling(address: &str) {
    let answer = serde_json::json!({"solution": "R U R' U' ".repeat(5), "length": 20, "moves": vec!["R"; 20], "nodes": 1000,
        "phases": {"method": "two_phase", "axis": "UD", "inverse": false, "lengths": [10, 10, 0]}, "lower_bound": 10,
        "facelets": "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB", "elapsed_us": 100, "queue_us": 1});
    let answer = Bytes::from(answer.to_string());
    let runtime = tokio::runtime::Runtime::new().expect("runtime");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(address).await.expect("a free port");
        let answer = move |_: Bytes| async move { ([(header::CONTENT_TYPE, "application/json")], answer) };
        axum::serve(listener, Router::new().route("/solve", routing::post(answer))).await.expect("a server");
    });
}
