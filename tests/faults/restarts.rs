//! Restarts the program on the same port while clients keep sending requests.
//!
//! A request is accepted when the program has read it. The kernel shows the client which case it is: a connection that is closed with
//! unread bytes, or that was never accepted, is reset; a connection that is closed after everything was read ends normally. The first
//! request on a connection, sent whole, has one of two correct outcomes:
//!
//! - a whole answer: it was accepted;
//! - no connection, or a reset before the first byte of an answer: it was not accepted, and may be sent again.
//!
//! Over HTTP/2, GOAWAY says the same for each stream. A later request on an HTTP/1.1 connection may find it closed, since an idle
//! connection may be closed while a request is on its way (RFC 9112, 9.5); then the log must not contain that request.
//!
//! Makes five restarts, or `RESTARTS`.
#![cfg(target_os = "linux")]

use std::io::ErrorKind;
use std::sync::atomic::AtomicU64;

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

use crate::common::prelude::*;
use crate::common::stickers::{apply, solves};
use crate::common::wire::{Reply, reply, whole};

/// Solved in no more than 21 moves within a millisecond; the search for fewer than 16 goes on.
const SCRAMBLE: &str = "D2 B' L U2 F R' D B2 U' R2 F' L2 D' F2 R U B L' U F2 D R2 B' U2";

/// `server.drain_timeout_ms`, a second for last words, and one for the process to end.
const BOUND: Duration = Duration::from_secs(12);

/// Outcomes of the requests.
#[derive(Default)]
struct Tally {
    answered: AtomicU64,
    /// Answers of 503 while the program stops or starts.
    refused: AtomicU64,
    /// Failed connections, and connections reset before an answer began.
    not_taken: AtomicU64,
    /// Kept connections that were closed.
    ended: AtomicU64,
    is_over: AtomicBool,
}

fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_accepted_request_is_lost_however_often_it_is_restarted() {
    let restarts = std::env::var("RESTARTS").map_or(5, |text| text.parse().expect("RESTARTS is a number"));
    let mut process = start("127.0.0.1:0").await;
    let (address, tally) = (process.address(), Arc::new(Tally::default()));
    let callers: Vec<_> = (0..8)
        .map(|number| {
            let tally = Arc::clone(&tally);
            tokio::spawn(async move {
                match number {
                    0..4 => each_on_its_own(address, number, &tally).await,
                    4..7 => one_after_another(address, number, &tally).await,
                    _ => side_by_side(address, &tally).await,
                }
            })
        })
        .collect();
    let (mut slowest, mut times, mut known) = (Duration::ZERO, Duration::ZERO, HashSet::new());
    for number in 0..restarts {
        // At varying points of the traffic.
        tokio::time::sleep(Duration::from_millis(100 + number * 37 % 100)).await;
        let told = Instant::now();
        process.signal("TERM");
        let end = move || {
            let status = process.ended();
            (status, process.log())
        };
        let (status, log) = tokio::task::spawn_blocking(end).await.expect("no panic");
        let took = told.elapsed();
        assert!(status.success(), "{status}");
        assert!(took < BOUND, "{took:?}");
        (slowest, times) = (slowest.max(took), times + took);
        known.extend(requests_of(&log));
        process = start(&address.to_string()).await;
    }
    tally.is_over.store(true, Ordering::Relaxed);
    let mut lost = Vec::new();
    for caller in callers {
        lost.extend(caller.await.expect("no panic"));
    }
    let last = tokio::task::spawn_blocking(|| process.stopped()).await.expect("no panic");
    known.extend(requests_of(&last));
    // A request without an answer must not be in the log.
    lost.retain(|fault| fault.id.as_ref().is_none_or(|id| known.contains(id)));
    let [answered, refused, not_taken, ended] = [&tally.answered, &tally.refused, &tally.not_taken, &tally.ended]
        .map(|counter| counter.load(Ordering::Relaxed));
    println!(
        "{restarts} restarts: {answered} answered, {refused} refused with 503, {not_taken} not taken, {ended} on connections that had \
         ended, {} lost; slowest stop {slowest:?}, mean {:?}",
        lost.len(),
        times / restarts as u32
    );
    assert!(lost.is_empty(), "{:#?}", &lost[..lost.len().min(5)]);
    assert!(answered > restarts * 10, "there was load");
    assert!(known.len() as u64 >= answered, "every answered request is in the log");
}

/// Ids of the requests in a log.
fn requests_of(log: &[Value]) -> impl Iterator<Item = String> {
    let requests = log.iter().filter(|line| line["message"] == "request");
    requests.filter_map(|line| line["request_id"].as_str().map(str::to_owned))
}

async fn start(listen: &str) -> Program {
    let mut command = serve();
    command.args(["--listen", listen]);
    tokio::task::spawn_blocking(|| Program::ready(command)).await.expect("no panic")
}

/// A request without a correct outcome; if it has an id, only when the log contains it.
#[derive(Debug)]
struct Lost {
    #[allow(dead_code)] // printed
    how: String,
    id: Option<String>,
}

impl Lost {
    fn surely(how: impl std::fmt::Debug) -> Self {
        Self { how: format!("{how:?}"), id: None }
    }
}

/// Mostly short searches, and some that are in flight when the signal arrives.
fn request(number: u64, round: u64, is_last: bool) -> (String, String) {
    let id = format!("caller-{number}-{round}");
    let (target, time) = if round.is_multiple_of(5) { (0, 150) } else { (21, 1000) };
    let body = json!({"scramble": SCRAMBLE, "target_length": target, "time_limit_ms": time}).to_string();
    let close = if is_last { "connection: close\r\n" } else { "" };
    let head = format!(
        "POST /solve HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nx-request-id: {id}\r\n{close}"
    );
    (id, format!("{head}content-length: {}\r\n\r\n{body}", body.len()))
}

enum Judged {
    Answered,
    Refused,
    NotTaken,
}

/// Judges a whole answer.
fn judge(status: u16, body: &str, tally: &Tally) -> Result<Judged, Lost> {
    let answer: Value = serde_json::from_str(body).map_err(|error| Lost::surely((error, body)))?;
    match (status, answer["solution"].as_str()) {
        (200, Some(solution)) if solves(&apply(SOLVED, SCRAMBLE), solution) => {
            count(&tally.answered);
            Ok(Judged::Answered)
        }
        (503, None) if answer["code"].is_string() => {
            count(&tally.refused);
            Ok(Judged::Refused)
        }
        _ => Err(Lost::surely(answer)),
    }
}

/// Opens a connection, or pauses when nothing listens.
async fn connect(address: SocketAddr, tally: &Tally) -> Option<TcpStream> {
    let connected = TcpStream::connect(address).await;
    if connected.is_err() {
        count(&tally.not_taken);
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    connected.ok()
}

fn is_reset(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::ConnectionReset | ErrorKind::BrokenPipe | ErrorKind::ConnectionAborted)
}

/// Sends a request on a connection, and reads the reply.
async fn ask(stream: &mut TcpStream, text: &str, read: &mut Vec<u8>) -> std::io::Result<Reply> {
    stream.write_all(text.as_bytes()).await?;
    reply(stream, read).await
}

async fn each_on_its_own(address: SocketAddr, number: u64, tally: &Tally) -> Vec<Lost> {
    let (mut lost, mut asked) = (Vec::new(), 0);
    while !tally.is_over.load(Ordering::Relaxed) {
        let Some(mut stream) = connect(address, tally).await else { continue };
        asked += 1;
        let (mut read, (_, text)) = (Vec::new(), request(number, asked, true));
        let judged = match ask(&mut stream, &text, &mut read).await {
            Ok(answer) => judge(answer.status, &answer.body, tally),
            Err(error) if read.is_empty() && is_reset(error.kind()) => {
                count(&tally.not_taken);
                Ok(Judged::NotTaken)
            }
            Err(error) => Err(Lost::surely((error, String::from_utf8_lossy(&read)))),
        };
        rest_if_refused(&judged).await;
        lost.extend(judged.err());
    }
    lost
}

/// Pauses after a refusal.
async fn rest_if_refused(judged: &Result<Judged, Lost>) {
    if matches!(judged, Ok(Judged::Refused)) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn one_after_another(address: SocketAddr, number: u64, tally: &Tally) -> Vec<Lost> {
    let (mut lost, mut asked) = (Vec::new(), 0);
    while !tally.is_over.load(Ordering::Relaxed) {
        let Some(mut stream) = connect(address, tally).await else { continue };
        let (mut read, mut is_first) = (Vec::new(), true);
        while !tally.is_over.load(Ordering::Relaxed) {
            asked += 1;
            let (id, text) = request(number, asked, false);
            match ask(&mut stream, &text, &mut read).await {
                Ok(answer) => {
                    let judged = judge(answer.status, &answer.body, tally);
                    rest_if_refused(&judged).await;
                    lost.extend(judged.err());
                    is_first = false;
                    if answer.head.contains("connection: close") {
                        break;
                    }
                    continue;
                }
                Err(error) if read.is_empty() && is_reset(error.kind()) => count(&tally.not_taken),
                Err(error) if read.is_empty() && !is_first && error.kind() == ErrorKind::UnexpectedEof => {
                    count(&tally.ended);
                    lost.push(Lost {
                        how: format!("{id} found its connection ended, and is in the log"),
                        id: Some(id),
                    });
                }
                Err(error) => lost.push(Lost::surely((error, String::from_utf8_lossy(&read)))),
            }
            break;
        }
    }
    lost
}

/// Four streams at a time over HTTP/2.
async fn side_by_side(address: SocketAddr, tally: &Tally) -> Vec<Lost> {
    let mut lost = Vec::new();
    while !tally.is_over.load(Ordering::Relaxed) {
        let Some(stream) = connect(address, tally).await else { continue };
        let Ok((sender, connection)) = h2::client::handshake(stream).await else { continue };
        let connection = tokio::spawn(connection);
        while !tally.is_over.load(Ordering::Relaxed) {
            let mut asked = Vec::new();
            for _ in 0..4 {
                let Ok(mut sender) = sender.clone().ready().await else { break };
                let head = Request::post("http://localhost/solve").header("content-type", "application/json").body(());
                let Ok((answer, mut body)) = sender.send_request(head.expect("a request"), false) else { break };
                let text = json!({"scramble": SCRAMBLE, "target_length": 21}).to_string();
                // A request without its body is not whole.
                if body.send_data(Bytes::from(text), true).is_ok() {
                    asked.push(answer);
                }
            }
            if asked.is_empty() {
                break;
            }
            for answer in asked {
                match whole(answer).await {
                    Ok(answer) => {
                        let judged = judge(answer.status, &answer.body, tally);
                        rest_if_refused(&judged).await;
                        lost.extend(judged.err());
                    }
                    // Refused, beyond the last stream of GOAWAY, or reset.
                    Err(error) if is_not_taken(&error) => count(&tally.not_taken),
                    Err(error) => lost.push(Lost::surely(error)),
                }
            }
        }
        connection.abort();
    }
    lost
}

fn is_not_taken(error: &h2::Error) -> bool {
    let is_refused = error.reason() == Some(h2::Reason::REFUSED_STREAM);
    is_refused
        || (error.is_go_away() && error.is_remote())
        || error.get_io().is_some_and(|error| is_reset(error.kind()))
}
