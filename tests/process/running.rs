//! A running process: counters of searches and connections, which count the whole process, and priorities of threads.

use crate::common::prelude::*;
use crate::common::watched::value;
use crate::common::wire::{blocking, get, post};

fn metric(program: &Program, series: &str) -> f64 {
    value(&blocking::fetch(program.address(), "/metrics").body, series)
}

/// Waits until the series has this value, and fails when it has more.
#[track_caller]
fn until(program: &Program, series: &str, count: f64) {
    let is_so = || {
        let value = metric(program, series);
        assert!(value < count + 0.5, "{series} is {value}");
        value > count - 0.5
    };
    wait(is_so, || format!("{series} is {count}"));
}

fn cancelled(stage: &str) -> String {
    format!("superflip_cancelled_total{{lane=\"long\",stage=\"{stage}\"}}")
}

#[test]
fn searches_whose_clients_disconnect_are_counted() {
    let program = Program::serve(&[], &[("SUPERFLIP_SEARCH__LONG_THREADS", "1")]);
    let body = json!({"facelets": SUPERFLIP, "target_length": 0, "time_limit_ms": 30_000}).to_string();
    let search = post("/solve", "application/json", &body);
    let running = blocking::send(program.address(), &search);
    until(&program, "superflip_searches_in_flight{lane=\"long\"}", 1.0);
    let waiting = blocking::send(program.address(), &search);
    until(&program, "superflip_queue_depth{lane=\"long\"}", 1.0);
    drop(waiting);
    until(&program, &cancelled("waiting"), 1.0);
    drop(running);
    until(&program, &cancelled("running"), 1.0);
    until(&program, &cancelled("waiting"), 1.0);
}

#[test]
fn the_build_of_a_coordinate_is_counted_without_its_wait() {
    let program = Program::serve(&[], &[("SUPERFLIP_SEARCH__LONG_THREADS", "1")]);
    let body = json!({"facelets": SUPERFLIP, "target_length": 0, "time_limit_ms": 30_000}).to_string();
    let search = blocking::send(program.address(), &post("/solve", "application/json", &body));
    until(&program, "superflip_searches_in_flight{lane=\"long\"}", 1.0);
    let start = Instant::now();
    let mut build = blocking::send(program.address(), &get("/coords/sym(slice,UD16)"));
    until(&program, "superflip_queue_depth{lane=\"long\"}", 1.0);
    let wait = Duration::from_millis(300);
    std::thread::sleep(wait);
    drop(search);
    let reply = blocking::reply(&mut build).expect("a whole reply");
    assert_eq!(reply.status, 200, "{reply:?}");
    let most = start.elapsed().saturating_sub(wait).as_secs_f64();
    assert!(metric(&program, "superflip_space_build_seconds_count") > 0.5);
    let seconds = metric(&program, "superflip_space_build_seconds_sum");
    assert!(seconds < most, "{seconds} of {most}");
}

#[test]
fn closed_connections_are_counted_by_reason() {
    let program = Program::serve(&[], &[("SUPERFLIP_SERVER__HEADER_TIMEOUT_MS", "200")]);
    let closed = |reason: &str| metric(&program, &format!("superflip_connections_closed_total{{reason=\"{reason}\"}}"));
    let clients = closed("client");
    let before = ["silent", "header_timeout", "idle", "error"].map(closed);
    for request in ["", "GET /livez HTTP/1.1\r\nhost", &get("/livez"), "nonsense\r\n\r\n"] {
        let mut stream = blocking::send(program.address(), request);
        std::io::Read::read_to_end(&mut stream, &mut Vec::new()).expect("the server closes the connection");
    }
    let more = || {
        let now = ["silent", "header_timeout", "idle", "error"].map(closed);
        [0, 1, 2, 3].map(|at| now[at] - before[at])
    };
    // hyper ends an idle connection by the same clock as a slow head, whichever looks first.
    let is_counted =
        |[silent, slow, idle, error]: [f64; 4]| silent > 0.5 && slow > 0.5 && slow + idle > 1.5 && error > 0.5;
    wait(|| is_counted(more()), || format!("each is counted: {:?}", more()));
    drop(blocking::send(program.address(), ""));
    wait(|| closed("client") > clients + 0.5, || "the client is counted".into());
    // The one that asks, once those that asked before are seen to have gone.
    let open = || metric(&program, "superflip_connections{place=\"ordinary\"}");
    wait(|| (open() - 1.0).abs() < 0.5, || format!("only the one that asks is open: {}", open()));
    assert!(metric(&program, "superflip_connections_accepted_total{place=\"ordinary\"}") > 5.5);
}

/// Niceness and scheduling policy of a thread: fields 19 and 41 of its `stat` file.
#[cfg(target_os = "linux")]
fn scheduling(stat: &str) -> (i64, i64) {
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    (fields[19 - 3].parse().unwrap(), fields[41 - 3].parse().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn async_threads_yield_to_quick_jobs_and_other_jobs_to_both() {
    const SCHED_IDLE: i64 = 5;
    let program = Program::serve(&[], &[]);
    let mut found: BTreeMap<String, Vec<(i64, i64)>> = BTreeMap::new();
    for thread in std::fs::read_dir(format!("/proc/{}/task", program.id())).unwrap() {
        let file = |name| std::fs::read_to_string(thread.as_ref().unwrap().path().join(name));
        // A thread may have ended meanwhile.
        if let (Ok(name), Ok(stat)) = (file("comm"), file("stat")) {
            found.entry(name.trim().into()).or_default().push(scheduling(&stat));
        }
    }
    let all = |name: &str| found.get(name).unwrap_or_else(|| panic!("no thread {name}: {:?}", found.keys()));
    let (usual, _) = scheduling(&std::fs::read_to_string("/proc/thread-self/stat").unwrap());
    let low = (usual + 4).min(19);
    assert!(all("quick job").iter().all(|&thread| thread == (usual, 0)), "{found:?}");
    assert!(all("tokio-rt-worker").iter().all(|&thread| thread == (low, 0)), "{found:?}");
    // Threads for long jobs have the normal priority until their job has an answer.
    assert!(["long job", "spaces job"].map(all).into_iter().flatten().all(|&thread| thread == (usual, 0)), "{found:?}");
    assert!(all("background job").iter().all(|&(_, policy)| policy == SCHED_IDLE), "{found:?}");
}
