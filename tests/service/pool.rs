//! Worker pools: queues, deadlines, jobs on several threads, cancellation and panics.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use axum::{Router, routing};
use serde_json::Value;
use superflip::api::problem::Problem;
use superflip::cube::{Cube, Move};
use superflip::http::{AppState, app};
use superflip::search::{Options, Stop};
use superflip::service::pool::{Deadline, Pool, Refused, SearchClass};
use superflip::service::solver::SearchNotice;

use crate::common::service::{SUPERFLIP, Server, config, eventually, get, ready_state, tables, until_stopped};
use crate::common::{stickers, wire};

/// A deadline for jobs that run until they are stopped.
fn within(time: Duration) -> Deadline {
    Deadline::StartBy(Instant::now() + time)
}

fn soon() -> Deadline {
    within(Duration::from_secs(30))
}

#[tokio::test]
async fn a_job_returns_its_value() {
    let finished = Pool::new("short", 1, 0).run(soon(), |_| 7).await.unwrap();
    assert_eq!(finished.value, 7);
}

#[tokio::test]
async fn a_full_queue_refuses_at_once() {
    let pool = Arc::new(Pool::new("short", 1, 1));
    let jobs: Vec<_> = (0..2)
        .map(|_| {
            let pool = Arc::clone(&pool);
            tokio::spawn(async move { pool.run(soon(), until_stopped).await.map(|_| ()) })
        })
        .collect();
    eventually("one runs, one waits", || (pool.in_flight(), pool.queued()) == (1, 1)).await;
    let refused = pool.run(soon(), |_| ()).await.unwrap_err();
    assert!(matches!(refused, Refused::Overloaded { retry_after } if retry_after >= Duration::from_secs(1)));
    pool.stop();
    for job in jobs {
        // The running job ended by its flag, the waiting one never ran.
        assert!(matches!(job.await.unwrap(), Ok(()) | Err(Refused::ShuttingDown)));
    }
    assert!(matches!(pool.run(soon(), |_| ()).await, Err(Refused::ShuttingDown)));
}

#[tokio::test]
async fn a_deadline_that_passes_in_the_queue_is_refused() {
    let pool = Arc::new(Pool::new("short", 1, 4));
    let first = tokio::spawn({
        let pool = Arc::clone(&pool);
        async move { pool.run(soon(), until_stopped).await.map(|_| ()) }
    });
    eventually("the first runs", || pool.in_flight() == 1).await;
    let late = pool.run(within(Duration::from_millis(20)), |_| ()).await;
    assert!(matches!(late, Err(Refused::DeadlinePassed { waited_ms: 15.., .. })));
    assert_eq!(pool.queued(), 0);
    pool.stop();
    first.await.unwrap().unwrap();
}

#[tokio::test]
async fn dropping_the_future_stops_the_job_and_frees_its_threads() {
    let pool = Arc::new(Pool::new("short", 1, 1));
    let running = tokio::spawn({
        let pool = Arc::clone(&pool);
        async move { pool.run(soon(), until_stopped).await.map(|_| ()) }
    });
    eventually("it runs", || pool.in_flight() == 1).await;
    let has_run = Arc::new(AtomicBool::new(false));
    let waiting = tokio::spawn({
        let (pool, has_run) = (Arc::clone(&pool), Arc::clone(&has_run));
        async move { pool.run(soon(), move |_| has_run.store(true, Ordering::Relaxed)).await.map(|_| ()) }
    });
    eventually("the other waits", || pool.queued() == 1).await;
    waiting.abort();
    eventually("its place in the queue is free", || pool.queued() == 0).await;
    running.abort();
    eventually("its thread is free", || pool.in_flight() == 0).await;
    assert!(!has_run.load(Ordering::Relaxed));
}

#[tokio::test]
async fn the_queue_is_first_come_first_served() {
    let pool = Arc::new(Pool::new("short", 1, 8));
    let gate = tokio::spawn({
        let pool = Arc::clone(&pool);
        async move { pool.run(soon(), until_stopped).await.map(|_| ()) }
    });
    eventually("the gate is shut", || pool.in_flight() == 1).await;
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let mut jobs = Vec::new();
    for number in 0..5 {
        let (pool, order) = (Arc::clone(&pool), Arc::clone(&order));
        let before = pool.queued();
        let watched = Arc::clone(&pool);
        jobs.push(tokio::spawn(
            async move { pool.run(soon(), move |_| order.lock().unwrap().push(number)).await.is_ok() },
        ));
        eventually("it waits", || watched.queued() == before + 1).await;
    }
    gate.abort();
    for job in jobs {
        assert!(job.await.unwrap());
    }
    assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3, 4]);
}

#[tokio::test]
async fn a_panic_ends_its_own_job_and_nothing_else() {
    let pool = Pool::new("short", 1, 0);
    let refused = pool.run(soon(), |_| -> () { panic!("on purpose") }).await.unwrap_err();
    assert_eq!(refused, Refused::Panicked("on purpose".into()));
    assert_eq!(pool.run(soon(), |_| 1).await.unwrap().value, 1);
    assert_eq!((pool.in_flight(), pool.queued()), (0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_on_several_threads_take_as_many_and_all_complete() {
    const THREADS: usize = 3;
    let pool = Arc::new(Pool::new("short", THREADS, 1000));
    let (busy, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let jobs: Vec<_> = (0..90)
        .map(|number| {
            // A job gets no more threads than the pool has.
            let threads = [1, 2, 3, 2, 1, 7][number % 6];
            let (pool, busy, most) = (Arc::clone(&pool), Arc::clone(&busy), Arc::clone(&most));
            tokio::spawn(async move {
                let job = move |_: &Stop| {
                    let taken = threads.min(THREADS);
                    most.fetch_max(busy.fetch_add(taken, Ordering::SeqCst) + taken, Ordering::SeqCst);
                    std::thread::sleep(Duration::from_millis(1));
                    busy.fetch_sub(taken, Ordering::SeqCst);
                };
                pool.run_on(threads, soon(), SearchClass::TimeLimited, job).await.is_ok()
            })
        })
        .collect();
    for job in jobs {
        assert!(job.await.unwrap());
    }
    assert_eq!(most.load(Ordering::SeqCst), THREADS);
    assert_eq!((pool.in_flight(), pool.queued()), (0, 0));
}

#[tokio::test]
async fn a_cancelled_job_on_several_threads_leaves_them_to_others() {
    let pool = Arc::new(Pool::new("short", 2, 8));
    let first = tokio::spawn({
        let pool = Arc::clone(&pool);
        async move { pool.run(soon(), until_stopped).await.map(|_| ()) }
    });
    eventually("the first runs", || pool.in_flight() == 1).await;
    let both = tokio::spawn({
        let pool = Arc::clone(&pool);
        async move { pool.run_on(2, soon(), SearchClass::TimeLimited, |_| ()).await.map(|_| ()) }
    });
    // One thread is reserved for it, and it waits for the other. Later jobs wait behind it.
    eventually("the second is first in line", || (pool.in_flight(), pool.queued()) == (2, 1)).await;
    let behind = pool.run(within(Duration::from_millis(20)), |_| ()).await;
    assert!(matches!(behind, Err(Refused::DeadlinePassed { .. })));
    both.abort();
    eventually("the thread is free again", || pool.in_flight() == 1).await;
    assert_eq!(pool.run(soon(), |_| 5).await.unwrap().value, 5);
    first.abort();
    eventually("all are free", || pool.in_flight() == 0).await;
    pool.run_on(2, soon(), SearchClass::TimeLimited, |_| ()).await.unwrap();
}

#[tokio::test]
async fn a_job_on_several_threads_needs_as_many_places() {
    let pool = Arc::new(Pool::new("short", 2, 0));
    let first = tokio::spawn({
        let pool = Arc::clone(&pool);
        async move { pool.run(soon(), until_stopped).await.map(|_| ()) }
    });
    eventually("the first runs", || pool.in_flight() == 1).await;
    assert!(matches!(pool.run_on(2, soon(), SearchClass::TimeLimited, |_| ()).await, Err(Refused::Overloaded { .. })));
    pool.run(soon(), |_| ()).await.unwrap();
    first.abort();
}

/// A worker that starts another must not pass on its own niceness.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_thread_of_a_pool_has_the_same_niceness() {
    use rustix::process::getpriority_process;
    use superflip::service::pool::Priority;

    const THREADS: usize = 4;
    let ours = getpriority_process(None).unwrap();
    for (weight, more) in [(Priority::Normal, 2), (Priority::Background, 5)] {
        let pool = Arc::new(Pool::with_priority("short", weight, THREADS, THREADS));
        let all = tokio::spawn({
            let pool = Arc::clone(&pool);
            async move { pool.run_on(THREADS, soon(), SearchClass::TimeLimited, until_stopped).await.map(|_| ()) }
        });
        eventually("all threads are taken", || pool.in_flight() == THREADS).await;
        let each = Arc::new(std::sync::Barrier::new(THREADS));
        let jobs: Vec<_> = (0..THREADS)
            .map(|_| {
                let (pool, each) = (Arc::clone(&pool), Arc::clone(&each));
                let job = move |_: &Stop| {
                    each.wait();
                    getpriority_process(None).unwrap()
                };
                tokio::spawn(async move { pool.run(soon(), job).await.unwrap().value })
            })
            .collect();
        eventually("they wait", || pool.queued() == THREADS).await;
        all.abort();
        for job in jobs {
            assert_eq!(job.await.unwrap(), (ours + more).min(19), "{weight:?}");
        }
    }
}

#[tokio::test]
async fn a_result_that_panics_when_dropped_costs_no_worker() {
    struct Trap;
    impl Drop for Trap {
        fn drop(&mut self) {
            assert!(std::thread::panicking(), "on purpose");
        }
    }
    let pool = Arc::new(Pool::new("short", 1, 1));
    let unwanted = tokio::spawn({
        let pool = Arc::clone(&pool);
        let job = |stop: &Stop| {
            until_stopped(stop);
            Trap
        };
        async move { drop(pool.run(soon(), job).await.map(|finished| std::mem::forget(finished.value))) }
    });
    eventually("it runs", || pool.in_flight() == 1).await;
    unwanted.abort();
    assert_eq!(pool.run(soon(), |_| 3).await.unwrap().value, 3);
}

/// The number of panics in the pool for short searches.
async fn panic_count(state: &AppState) -> f64 {
    let answer = get(app(state.clone()), "/metrics").await;
    let value = answer.text().lines().find_map(|line| line.strip_prefix("superflip_panics_total{lane=\"short\"} "));
    value.expect("the counter").parse().unwrap()
}

#[tokio::test]
async fn a_panic_in_a_search_ends_its_request_and_no_other() {
    let state = ready_state(config());
    let own = state.clone();
    let panics = move || {
        let state = own.clone();
        async move {
            let (engine, cube) = (tables().into(), Cube::SOLVED.after(&[Move::R, Move::U]));
            let notify = |_: SearchNotice<'_>| panic!("on purpose");
            let time = Duration::from_secs(10);
            let solved = state.solver.solve_watched(engine, cube, Options::default(), time, notify).await;
            solved.map(|_| StatusCode::OK).map_err(Problem::from)
        }
    };
    let server = Server::start_with(state.clone(), Router::new().route("/panics", routing::get(panics))).await;
    let before = panic_count(&state).await;
    let ask = |path: String| {
        let address = server.address;
        tokio::task::spawn_blocking(move || {
            let reply = wire::blocking::fetch(address, &path);
            (reply.status, reply.body)
        })
    };
    let others: Vec<_> =
        (0..8).map(|_| ask(format!("/solve/{SUPERFLIP}?target_length=22&time_limit_ms=20000"))).collect();
    for _ in 0..3 {
        let (status, _) = ask("/panics".into()).await.unwrap();
        assert_eq!(status, 500);
    }
    for other in others {
        let (status, body) = other.await.unwrap();
        let answer: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(status, 200);
        assert!(stickers::is_solved(&stickers::turn(SUPERFLIP, answer["solution"].as_str().unwrap())));
    }
    // Other tests of this process may panic at the same time.
    assert!(panic_count(&state).await - before > 2.5);
    assert_eq!(state.solver.pool().in_flight(), 0);
    get(app(state), "/solve?scramble=R").await.ok();
    server.stopped().await;
}
