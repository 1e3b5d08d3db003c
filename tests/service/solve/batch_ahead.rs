//! Batches of clients that send all of their body before they read: what is read ahead, where it waits, and its limits.

use std::convert::Infallible;

use futures_util::{StreamExt as _, stream};
use http_body_util::BodyExt as _;
use superflip::operations::solve::batch::WINDOW;
use superflip::service::spool::{BLOCK_BYTES, Queue, Spool};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpSocket, TcpStream};
use tower::ServiceExt as _;

use super::batch::numbers;
use crate::common::prelude::*;

/// A body of easy lines that counts those that were taken from it.
pub(crate) fn counted(most: usize) -> (Arc<AtomicUsize>, Body) {
    let taken = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&taken);
    let lines = stream::iter(0..most).map(move |number| {
        count.fetch_add(1, Ordering::SeqCst);
        Ok::<_, Infallible>(Bytes::from(format!("{{\"id\":{number},\"scramble\":\"R U\"}}\n")))
    });
    (taken, Body::from_stream(lines))
}

/// The lines of a whole response.
async fn collected(answers: Body) -> Vec<Value> {
    let text = answers.collect().await.unwrap().to_bytes();
    String::from_utf8(text.to_vec()).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[track_caller]
fn assert_answers(lines: &[Value]) {
    assert_eq!(numbers(lines), (1..=lines.len() as u64).collect::<Vec<_>>());
    assert!(lines.iter().enumerate().all(|(number, line)| line["id"] == number && line["solution"] == "U' R'"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_whole_body_is_read_before_an_answer_is_taken() {
    const LINES: usize = 20_000;
    let state = ready_state(config());
    let (taken, body) = counted(LINES);
    let response = app(state.clone()).oneshot(batch_request("/solve/batch", body)).await.unwrap();
    eventually("all of the body is read", || taken.load(Ordering::SeqCst) == LINES).await;
    // Most of the 600 kB waits in the file: the window and the buffers hold less than half.
    eventually("lines are spooled", || state.spool.used() >= 4).await;
    let lines = collected(response.into_body()).await;
    assert_eq!(lines.len(), LINES);
    assert_answers(&lines);
    assert_eq!(state.spool.used(), 0);
}

/// A connection of a client that sends more than sockets hold before it reads. Its receive buffer is small.
async fn connect(server: &Server) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(16 << 10).unwrap();
    let mut stream = socket.connect(server.address).await.unwrap();
    let head = wire::last(&wire::post_chunked("/solve/batch", "application/x-ndjson"));
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// Sends lines of 4 KiB with these numbers.
async fn send_lines(stream: &mut TcpStream, numbers: std::ops::Range<usize>) {
    let text: String =
        numbers.map(|id| format!("{{\"id\":{id},\"scramble\":\"R U\"{:4064}}}\n", "")).collect::<Vec<_>>().concat();
    let chunk = format!("{:x}\r\n{text}\r\n", text.len());
    tokio::time::timeout(Duration::from_secs(30), stream.write_all(chunk.as_bytes())).await.expect("it reads").unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_may_send_all_of_its_body_before_it_reads() {
    let (server, state) = Server::ready(|config| config.server.write_timeout_ms = 700).await;
    let mut client = connect(&server).await;
    // In all longer than the write timeout, in which it accepts nothing but sends.
    for part in 0..12 {
        send_lines(&mut client, part * 250..(part + 1) * 250).await;
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    client.write_all(b"0\r\n\r\n").await.unwrap();
    let text = wire::rest(client).await;
    let lines: Vec<Value> =
        text.lines().filter(|line| line.starts_with('{')).map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(text.ends_with("\r\n0\r\n\r\n"), "the response is whole");
    assert_eq!(lines.len(), 3000);
    assert_answers(&lines);
    assert_eq!(state.spool.used(), 0);
    server.stopped().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_left_of_a_client_that_disconnects() {
    let (server, state) = Server::ready(|_| ()).await;
    let mut client = connect(&server).await;
    send_lines(&mut client, 0..3000).await;
    eventually("lines are spooled", || state.spool.used() > 8).await;
    drop(client);
    eventually("the spool is empty", || state.spool.used() == 0).await;
    eventually("the batch ends", || state.lanes.background().in_flight() == 0).await;
    server.stopped().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn beyond_the_spool_a_batch_is_cut_and_says_so() {
    const LINES: usize = 30_000;
    let state = ready_state(config_with(|config| {
        // One batch may use two blocks of the four.
        config.server.batch_spool_bytes = 4 * BLOCK_BYTES as u64;
        // Half of it is the time without an answer taken.
        config.server.write_timeout_ms = 200;
    }));
    let (taken, body) = counted(LINES);
    let response = app(state.clone()).oneshot(batch_request("/solve/batch", body)).await.unwrap();
    // The client sends all of its body, or it would never read.
    eventually("all of the body is read", || taken.load(Ordering::SeqCst) == LINES).await;
    let mut lines = collected(response.into_body()).await;
    let last = lines.pop().unwrap();
    assert_eq!((last.get("line"), &last["problem"]["code"]), (None, &json!("body_too_large")));
    let detail = last["problem"]["detail"].text();
    for part in ["no answer was taken for 100 ms", "Read answers while you send", "`server.batch_spool_bytes`"] {
        assert!(detail.contains(part), "{detail}");
    }
    // Everything before the cut is answered.
    assert!(lines.len() > WINDOW + 2 * BLOCK_BYTES / 32 && lines.len() < LINES, "{}", lines.len());
    assert_answers(&lines);
    assert_eq!(state.spool.used(), 0);
}

/// A client that reads gets backpressure and no error, however long its body is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_reads_needs_no_spool() {
    for bytes in [0, 2 * BLOCK_BYTES as u64] {
        let state = ready_state(config_with(|config| config.server.batch_spool_bytes = bytes));
        let (_, body) = counted(20_000);
        let response = app(state).oneshot(batch_request("/solve/batch", body)).await.unwrap();
        let lines = collected(response.into_body()).await;
        assert_eq!(lines.len(), 20_000);
        assert_answers(&lines);
    }
}

fn block(number: u8) -> Bytes {
    vec![number; BLOCK_BYTES].into()
}

/// Pushes this block, if there is room.
async fn push(queue: &mut Queue, number: u8) -> bool {
    tokio::time::timeout(Duration::from_millis(100), queue.push(block(number))).await.is_ok_and(|pushed| {
        pushed.unwrap();
        true
    })
}

#[tokio::test]
async fn a_batch_may_hold_as_many_blocks_as_are_free() {
    let folder = tempfile::tempdir().unwrap();
    let spool = Spool::new(8 * BLOCK_BYTES as u64, vec![folder.path().into()]);
    let [mut first, mut second, mut third] = [0; 3].map(|_| Queue::new(spool.clone()));
    for (queue, most) in [(&mut first, 4), (&mut second, 2), (&mut third, 1)] {
        for number in 0..most {
            queue.push(block(number)).await.unwrap();
        }
        assert!(!push(queue, 9).await, "no room after {most}");
    }
    assert_eq!(spool.used(), 7);
    // What one frees, others may use; each gets its own bytes back, in order.
    assert_eq!(first.pop().await.unwrap().unwrap(), block(0));
    assert!(!push(&mut first, 9).await);
    assert!(push(&mut third, 1).await);
    for (mut queue, numbers) in [(first, 1..4), (second, 0..2), (third, 0..2)] {
        for number in numbers {
            assert_eq!(queue.pop().await.unwrap().unwrap(), block(number));
        }
        assert!(queue.is_empty() && queue.pop().await.is_none());
    }
    assert_eq!(spool.used(), 0);
}

/// The files in a folder that this process has open, also those without a name.
#[cfg(target_os = "linux")]
fn open_files(folder: &Path) -> usize {
    let open = fs::read_dir("/proc/self/fd").unwrap();
    let targets = open.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    targets.filter(|target| target.starts_with(folder)).count()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_file_has_no_name_and_is_closed_after_the_last_block() {
    let (missing, folder) = (PathBuf::from("/no/such/folder"), tempfile::tempdir().unwrap());
    let path = folder.path().canonicalize().unwrap();
    let spool = Spool::new(8 * BLOCK_BYTES as u64, vec![missing.clone(), path.clone()]);
    for _ in 0..2 {
        let (mut read, mut dropped) = (Queue::new(spool.clone()), Queue::new(spool.clone()));
        assert_eq!(open_files(&path), 0);
        read.push(block(1)).await.unwrap();
        dropped.push(block(2)).await.unwrap();
        assert_eq!((open_files(&path), fs::read_dir(&path).unwrap().count()), (1, 0));
        read.pop().await.unwrap().unwrap();
        assert_eq!(open_files(&path), 1);
        drop(dropped);
        assert_eq!(open_files(&path), 0);
    }
    let error = Queue::new(Spool::new(8 * BLOCK_BYTES as u64, vec![missing])).push(block(1)).await.unwrap_err();
    assert!(error.to_string().contains("/no/such/folder"), "{error}");
}
