//! The priorities of the threads of a running service.
#![cfg(target_os = "linux")]

use crate::common::prelude::*;

/// Niceness and scheduling policy of a thread: fields 19 and 41 of its `stat` file.
fn scheduling(stat: &str) -> (i64, i64) {
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    (fields[19 - 3].parse().unwrap(), fields[41 - 3].parse().unwrap())
}

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
    assert!(["long job", "background job"].map(all).into_iter().flatten().all(|&(_, policy)| policy == SCHED_IDLE));
}
