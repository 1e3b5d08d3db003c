//! Compares the HTTP round trip on loopback with the search alone, on the same cubes, to at most 21 moves.
//!
//! `cargo bench --bench http` runs the service in this process, with a client on one connection; both share the cores.
//! The cost of HTTP is the difference, per cube, between the round trip and the search time in the answer.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::time::Instant;

use rand::{SeedableRng, rngs::StdRng};
use superflip::http::AppState;
use superflip::http::connection::serve;
use superflip::operations::app;
use superflip::service::config::load;
use superflip::service::tables::readiness::Readiness;
use superflip_cube::random_cube;
use superflip_solver::{Control, Profile, Tables};
use tokio::net::TcpListener;

const CUBES: usize = 1000;

fn main() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tables");
    let tables = Tables::open_or_build(&folder, Profile::Standard, &Control::new()).expect("tables");
    let config = load::load(None, [], &[]).expect("defaults");
    let state = AppState::new(config, Readiness::ready(tables));
    let runtime = tokio::runtime::Runtime::new().expect("runtime");
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("port");
    let address = listener.local_addr().expect("address");
    runtime.spawn(serve(listener, app(state.clone()), state, std::future::pending()));

    let mut client = BufReader::new(TcpStream::connect(address).expect("a connection"));
    client.get_ref().set_nodelay(true).expect("TCP_NODELAY");
    let mut rng = StdRng::seed_from_u64(1);
    let cubes: Vec<String> = (0..CUBES).map(|_| random_cube(&mut rng).to_string()).collect();
    let mut ask = |facelets: &String| {
        let body = format!(r#"{{"facelets": "{facelets}", "target_length": 21}}"#);
        let started = Instant::now();
        let text = post(&mut client, &body);
        let round_trip = started.elapsed().as_secs_f64() * 1e3;
        let answer: serde_json::Value = serde_json::from_slice(&text).expect("JSON");
        let search = answer["elapsed_us"].as_f64().expect("a number") / 1e3;
        (round_trip, search, round_trip - search)
    };
    // Warm-up: connection, caches and page tables as in a running service.
    for facelets in &cubes[..100] {
        ask(facelets);
    }
    let times: Vec<(f64, f64, f64)> = cubes.iter().map(&mut ask).collect();
    println!("              mean ms   p50 ms   p99 ms");
    row("round trip", times.iter().map(|t| t.0).collect());
    row("search", times.iter().map(|t| t.1).collect());
    row("difference", times.iter().map(|t| t.2).collect());
}

/// Sends one request on a kept connection, and returns the body of the response.
fn post(client: &mut BufReader<TcpStream>, body: &str) -> Vec<u8> {
    let head = format!("content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    let request = format!("POST /solve HTTP/1.1\r\nhost: localhost\r\n{head}");
    client.get_mut().write_all(request.as_bytes()).expect("a request");
    let mut length = 0;
    loop {
        let mut line = String::new();
        client.read_line(&mut line).expect("a head");
        let Some((name, value)) = line.split_once(':') else {
            if line.trim().is_empty() {
                break;
            }
            continue;
        };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().expect("a length");
        }
    }
    let mut text = vec![0; length];
    client.read_exact(&mut text).expect("a body");
    text
}

fn row(name: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    #[allow(clippy::cast_precision_loss)] // a thousand cubes
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    println!("{name:12} {mean:8.4} {:8.4} {:8.4}", times[times.len() / 2], times[times.len() * 99 / 100]);
}
