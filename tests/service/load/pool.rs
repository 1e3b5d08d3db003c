//! Lanes: queues, deadlines, cancellation and panics.

use std::pin::pin;
use std::sync::mpsc;

use superflip::service::lanes::SearchNotice;
use superflip::service::pool::{Lane, Priority as LanePriority, has_answer};

use crate::common::prelude::*;

/// A deadline for jobs that run until they are stopped.
fn within(time: Duration) -> Deadline {
    Deadline::StartBy(Instant::now() + time)
}

fn soon() -> Deadline {
    within(Duration::from_secs(30))
}

/// Starts a job on a task of its own.
fn start<T: Send + 'static>(
    pool: &Arc<Lane>,
    deadline: Deadline,
    job: impl FnOnce(&Control) -> T + Send + 'static,
) -> JoinHandle<Result<T, Refused>> {
    let pool = Arc::clone(pool);
    tokio::spawn(async move { pool.run(deadline, job).await })
}

/// Holds the only thread of a lane until the task is aborted.
async fn held(pool: &Arc<Lane>) -> JoinHandle<Result<(), Refused>> {
    let job = start(pool, soon(), until_stopped);
    eventually("the thread is held", || pool.in_flight() == 1).await;
    job
}

/// A job that does not see its stop flag, as on a thread that gets no core. It ends when the first value is dropped.
fn stuck() -> (mpsc::Sender<()>, impl FnOnce(&Control) + Send + 'static) {
    let (end, ended) = mpsc::channel::<()>();
    (end, move |_: &Control| _ = ended.recv())
}

/// Fills a lane of one thread and 20 places, and returns what it tells one more.
async fn wait_for_a_place(pool: &Arc<Lane>) -> Duration {
    let held: Vec<_> = (0..21).map(|_| start(pool, soon(), until_stopped)).collect();
    eventually("the queue is full", || pool.queued() == 20).await;
    let Err(Refused::Overloaded(wait)) = pool.run(soon(), |_| ()).await else { panic!("it is full") };
    held.iter().for_each(JoinHandle::abort);
    eventually("all ended", || pool.in_flight() == 0).await;
    wait
}

#[tokio::test]
async fn a_job_returns_its_value() {
    assert_eq!(lane(1, 0).run(soon(), |_| 7).await, Ok(7));
}

#[tokio::test]
async fn a_full_queue_refuses_at_once() {
    let pool = Arc::new(lane(1, 1));
    let jobs = [(); 2].map(|()| start(&pool, soon(), until_stopped));
    eventually("one runs, one waits", || (pool.in_flight(), pool.queued()) == (1, 1)).await;
    let refused = pool.run(soon(), |_| ()).await.unwrap_err();
    assert!(matches!(refused, Refused::Overloaded(retry_after) if retry_after >= Duration::from_secs(1)));
    pool.close();
    for job in jobs {
        // The running job ended by its flag, the waiting one never ran.
        assert!(matches!(job.await.unwrap(), Ok(()) | Err(Refused::ShuttingDown)));
    }
    assert!(matches!(pool.run(soon(), |_| ()).await, Err(Refused::ShuttingDown)));
}

#[tokio::test]
async fn a_deadline_that_passes_in_the_queue_is_refused() {
    let pool = Arc::new(lane(1, 4));
    let first = held(&pool).await;
    let late = pool.run(within(Duration::from_millis(20)), |_| ()).await;
    assert!(matches!(late, Err(Refused::DeadlinePassed(_))));
    assert_eq!(pool.queued(), 0);
    first.abort();
    // The documents promise a wait of at least a second.
    let problem = Problem::from(Refused::DeadlinePassed(Duration::from_millis(300)));
    assert_eq!(problem.document().retry_after_s, Some(1));
}

#[tokio::test]
async fn dropping_the_future_stops_the_job_and_frees_its_threads() {
    let pool = Arc::new(lane(1, 1));
    let running = held(&pool).await;
    let has_run = Arc::new(AtomicBool::new(false));
    let runs = Arc::clone(&has_run);
    let waiting = start(&pool, soon(), move |_| runs.store(true, Ordering::Relaxed));
    eventually("the other waits", || pool.queued() == 1).await;
    waiting.abort();
    eventually("its place in the queue is free", || pool.queued() == 0).await;
    running.abort();
    eventually("its thread is free", || pool.in_flight() == 0).await;
    assert!(!has_run.load(Ordering::Relaxed));
}

#[tokio::test]
async fn the_queue_is_first_come_first_served() {
    let pool = Arc::new(lane(1, 8));
    let gate = held(&pool).await;
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let mut jobs = Vec::new();
    for number in 0..5 {
        let (order, before) = (Arc::clone(&order), pool.queued());
        jobs.push(start(&pool, soon(), move |_| order.lock().unwrap().push(number)));
        eventually("it waits", || pool.queued() == before + 1).await;
    }
    gate.abort();
    for job in jobs {
        assert_eq!(job.await.unwrap(), Ok(()));
    }
    assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3, 4]);
}

#[tokio::test]
async fn a_panic_ends_its_own_job_and_nothing_else() {
    let pool = lane(1, 0);
    let refused = pool.run(soon(), |_| -> () { panic!("on purpose") }).await.unwrap_err();
    assert_eq!(refused, Refused::Panicked("on purpose".into()));
    assert_eq!(pool.run(soon(), |_| 1).await.unwrap(), 1);
    assert_eq!((pool.in_flight(), pool.queued()), (0, 0));
}

/// Niceness and scheduling policy of the calling thread: fields 19 and 41 of its line in `/proc`.
#[cfg(target_os = "linux")]
fn scheduling() -> (i64, i64) {
    let line = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
    let fields: Vec<&str> = line.rsplit_once(") ").unwrap().1.split(' ').collect();
    (fields[19 - 3].parse().unwrap(), fields[41 - 3].parse().unwrap())
}

#[cfg(target_os = "linux")]
const SCHED_IDLE: i64 = 5;

#[cfg(target_os = "linux")]
#[tokio::test]
async fn threads_inherit_the_priority_of_their_lane() {
    let solver = &ready_state(config()).lanes;
    let both = |_: &Control| [scheduling(), std::thread::spawn(scheduling).join().unwrap()];
    for lane in [solver.quick(), solver.spaces()] {
        assert_eq!(lane.run(soon(), both).await.unwrap(), [scheduling(); 2]);
    }
    for lane in [solver.long(), solver.background()] {
        assert_eq!(lane.run(soon(), both).await.unwrap().map(|(_, policy)| policy), [SCHED_IDLE; 2]);
    }
}

/// A thread that had an answer never gets its priority back, so each job has another one.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_long_job_has_the_normal_priority_until_it_has_an_answer() {
    let mut config = config();
    config.search.long_threads = 1;
    let lanes = &ready_state(config).lanes;
    for _ in 0..3 {
        let job = |_: &Control| {
            let before = scheduling();
            has_answer();
            (before, scheduling().1)
        };
        assert_eq!(lanes.long().run_for_answer(soon(), job).await.unwrap(), (scheduling(), SCHED_IDLE));
        assert_eq!(lanes.quick().run_for_answer(soon(), job).await.unwrap(), (scheduling(), scheduling().1));
    }
    // A panic takes no thread from the lane.
    let panics = |_: &Control| -> () {
        has_answer();
        panic!("on purpose");
    };
    assert!(matches!(lanes.long().run_for_answer(soon(), panics).await, Err(Refused::Panicked(_))));
    assert_eq!(lanes.long().run_for_answer(soon(), |_| scheduling()).await.unwrap(), scheduling());
}

/// Jobs beyond the limit begin with the low priority. A job that has an answer makes room.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn few_jobs_without_an_answer_have_the_normal_priority() {
    let lane = Arc::new(Lane::new("long", LanePriority::IdleOnceAnswered { at_once: 1 }, 3, 0, Arc::default()));
    let policy = |_: &Control| scheduling().1;
    let (go, answered) = mpsc::channel::<()>();
    let (tell, begun) = tokio::sync::oneshot::channel::<()>();
    let first = {
        let lane = Arc::clone(&lane);
        let job = move |control: &Control| {
            tell.send(()).unwrap();
            answered.recv().unwrap();
            has_answer();
            until_stopped(control);
        };
        tokio::spawn(async move { lane.run_for_answer(soon(), job).await })
    };
    begun.await.unwrap();
    assert_eq!(lane.run_for_answer(soon(), policy).await, Ok(SCHED_IDLE));
    go.send(()).unwrap();
    let mut found = SCHED_IDLE;
    while found == SCHED_IDLE {
        found = lane.run_for_answer(soon(), policy).await.unwrap();
    }
    assert_eq!(found, scheduling().1);
    first.abort();
}

/// The first block of Roux at the left, in the order U R F D L B.
const FIRST_BLOCK: &str = "????U????????R???????FF?F??D??DD?D?????LLLLLL????BB??B";

/// The search for a block begins in the long lane. Its first solution is a shortest one.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_search_has_the_normal_priority_until_it_has_a_solution() {
    let state = ready_state(config());
    let (told, notices) = mpsc::channel();
    let notify = move |notice: SearchNotice<'_>| {
        let _ = told.send((matches!(notice, SearchNotice::Begun { .. }), scheduling()));
    };
    let request = serde_json::from_value(json!({"scramble": "R U F2 L", "target": FIRST_BLOCK})).unwrap();
    let task = state.task(request).await.unwrap();
    let solver = Solver::new(state.tables().unwrap());
    state.search(solver, &task, notify).await.unwrap();
    let notices: Vec<(bool, (i64, i64))> = notices.into_iter().collect();
    assert_eq!(notices.first(), Some(&(true, scheduling())));
    assert!(notices.last().is_some_and(|(_, (_, policy))| *policy == SCHED_IDLE), "{notices:?}");
}

#[tokio::test]
async fn admitted_work_waits_in_a_full_queue() {
    let pool = Arc::new(lane(1, 0));
    let first = held(&pool).await;
    assert!(matches!(pool.run(soon(), |_| ()).await, Err(Refused::Overloaded(_))));
    let further = start(&pool, Deadline::Admitted, |_| 5);
    eventually("it waits", || pool.queued() == 1).await;
    first.abort();
    assert_eq!(further.await.unwrap(), Ok(5));
}

#[tokio::test]
async fn a_caller_waits_no_longer_than_its_deadline() {
    let pool = lane(1, 0);
    let (start, time) = (Instant::now(), Duration::from_millis(50));
    let (end, stuck) = stuck();
    assert!(matches!(pool.run(Deadline::EndBy(start + time), stuck).await, Err(Refused::NoCore(_))));
    assert!(start.elapsed() >= time && pool.in_flight() == 1, "{:?}", start.elapsed());
    drop(end);
    eventually("the thread is free", || pool.in_flight() == 0).await;
}

/// Runs a job on this thread, once a thread of the lane is idle.
async fn at_caller<T>(pool: &Lane, job: impl FnOnce(&Control) -> Option<T>) -> Option<Result<T, Refused>> {
    eventually("a thread is idle", || pool.has_idle_thread()).await;
    pool.run_at_caller(job).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_of_a_caller_takes_the_place_of_a_thread() {
    let pool = Arc::new(lane(1, 1));
    let inner = Arc::clone(&pool);
    let counts = move |_: &Control| {
        let next = start(&inner, soon(), |_| 5);
        let start = Instant::now();
        while inner.queued() == 0 && start.elapsed() < Duration::from_secs(10) {
            std::thread::yield_now();
        }
        // The thread of the lane has time to take the job.
        std::thread::sleep(Duration::from_millis(20));
        Some((inner.in_flight(), inner.queued(), next))
    };
    let (running, waiting, next) = at_caller(&pool, counts).await.unwrap().unwrap();
    assert_eq!((running, waiting), (1, 1));
    assert_eq!(next.await.unwrap(), Ok(5));
    eventually("both have ended", || (pool.in_flight(), pool.queued()) == (0, 0)).await;
}

/// A lane of two threads, so that one of them is idle.
#[tokio::test]
async fn a_job_of_a_caller_that_leaves_before_it_begins_gives_its_place_back() {
    let pool = lane(2, 0);
    let idle = at_caller(&pool, |_| Some(())).await;
    assert_eq!(idle, Some(Ok(())));
    {
        let mut job = pin!(pool.run_at_caller(|_| -> Option<()> { panic!("it does not begin") }));
        tokio::select! {
            biased;
            _ = &mut job => panic!("it waits for the other tasks"),
            () = std::future::ready(()) => {}
        }
        assert_eq!(pool.in_flight(), 1);
        assert_eq!(pool.run_at_caller(|_| Some(())).await, None);
    }
    assert_eq!(pool.in_flight(), 0);
    assert_eq!(pool.run_at_caller(|_| Some(())).await, Some(Ok(())));
}

#[tokio::test]
async fn a_busy_or_closed_lane_runs_no_job_at_its_caller() {
    let pool = Arc::new(lane(1, 0));
    let job = held(&pool).await;
    assert_eq!(pool.run_at_caller(|_| Some(())).await, None);
    job.abort();
    assert_eq!(at_caller(&pool, |_| Some(())).await, Some(Ok(())));
    assert_eq!(pool.run_at_caller(|_| None::<()>).await, None);
    pool.close();
    assert_eq!(pool.run_at_caller(|_| Some(())).await, None);
}

#[tokio::test]
async fn closing_a_lane_stops_a_job_of_a_caller() {
    let pool = Arc::new(lane(1, 0));
    let inner = Arc::clone(&pool);
    let stopped = at_caller(&pool, |control: &Control| {
        inner.close();
        Some(control.is_cancelled())
    });
    assert_eq!(stopped.await, Some(Ok(true)));
}

#[tokio::test]
async fn a_panic_of_a_job_at_its_caller_ends_it_and_nothing_else() {
    let panicked = Arc::<tokio::sync::Notify>::default();
    let pool = Lane::new("quick", LanePriority::Normal, 1, 0, Arc::clone(&panicked));
    let refused = at_caller(&pool, |_| -> Option<()> { panic!("on purpose") }).await;
    assert_eq!(refused, Some(Err(Refused::Panicked("on purpose".into()))));
    tokio::time::timeout(Duration::from_secs(10), panicked.notified()).await.expect("the panic is told");
    assert_eq!((pool.in_flight(), pool.queued()), (0, 0));
    assert_eq!(pool.run_at_caller(|_| Some(3)).await, Some(Ok(3)));
    assert_eq!(pool.run(soon(), |_| 4).await, Ok(4));
}

/// Solves a cube, and returns the names of the threads on which its search began. The first job takes longer than a search may at its request, if
/// `is_slow`.
async fn threads_of_search(state: &AppState, cube: &str, is_slow: bool) -> Vec<String> {
    let (told, notices) = mpsc::channel();
    let mut is_first = is_slow;
    let notify = move |notice: SearchNotice<'_>| {
        if matches!(notice, SearchNotice::Begun { .. }) {
            let _ = told.send(std::thread::current().name().unwrap_or_default().to_owned());
            if std::mem::take(&mut is_first) {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    };
    let request = json!({"facelets": cube, "target_length": 22, "time_limit_ms": 30_000});
    let task = state.task(serde_json::from_value(request).unwrap()).await.unwrap();
    let solved = state.search(Solver::new(state.tables().unwrap()), &task, notify).await.unwrap();
    assert!(stickers::is_solved(&stickers::apply(cube, &solved.outcome.to_string())) && solved.outcome.len() <= 22);
    notices.into_iter().collect()
}

#[tokio::test]
async fn a_search_begins_at_its_request_and_goes_on_in_the_lane() {
    let state = ready_state(config());
    let own = std::thread::current().name().unwrap_or_default().to_owned();
    let near = stickers::apply(SOLVED, "R U F2 L'");
    eventually("a thread is idle", || state.lanes.quick().has_idle_thread()).await;
    assert_eq!(threads_of_search(&state, &near, false).await, [own.as_str()]);
    // On a busy machine, a long job may follow.
    assert_eq!(threads_of_search(&state, SUPERFLIP, true).await[..2], [own.as_str(), "quick job"]);
    assert_eq!(state.lanes.quick().in_flight(), 0);
    let threads = state.config.search.threads();
    let busy = hold(&state, |state| state.lanes.quick(), threads, threads).await;
    let waits = tokio::spawn({
        let state = state.clone();
        async move { threads_of_search(&state, &near, false).await }
    });
    eventually("the search waits", || state.lanes.quick().queued() == 1).await;
    drop(busy);
    assert_eq!(waits.await.unwrap(), ["quick job"]);
}

#[tokio::test]
async fn retry_after_follows_the_rate_at_which_jobs_end() {
    let pool = Arc::new(lane(1, 20));
    // No job has ended yet.
    let before = wait_for_a_place(&pool).await;
    for _ in 0..200 {
        pool.run(soon(), |_| ()).await.unwrap();
    }
    let after = wait_for_a_place(&pool).await;
    // 21 places, at 200 endings in less than ten seconds.
    assert!(after <= Duration::from_secs(2) && after <= before, "{before:?} {after:?}");
}

#[tokio::test]
async fn the_time_before_a_lane_had_work_does_not_count_in_its_rate() {
    let pool = Arc::new(lane(1, 20));
    tokio::time::sleep(Duration::from_millis(250)).await;
    let start = Instant::now();
    let wait = wait_for_a_place(&pool).await;
    // 21 places, at one ending in this time at most. With the time before, it would be 5 s more.
    let most = (21.0 * start.elapsed().as_secs_f64()).ceil().max(1.0);
    assert!(wait <= Duration::from_secs_f64(most), "{wait:?} > {most}");
}

#[tokio::test]
async fn a_search_without_a_core_is_answered_at_shutdown() {
    let pool = Arc::new(lane(1, 0));
    let (end, stuck) = stuck();
    let search = start(&pool, Deadline::EndBy(Instant::now() + Duration::from_mins(1)), stuck);
    eventually("it runs", || pool.in_flight() == 1).await;
    pool.close();
    assert_eq!(search.await.unwrap(), Err(Refused::ShuttingDown));
    assert_eq!(pool.in_flight(), 1);
    drop(end);
}

#[tokio::test]
async fn a_result_that_panics_when_dropped_costs_no_worker() {
    struct Trap;
    impl Drop for Trap {
        fn drop(&mut self) {
            assert!(std::thread::panicking(), "on purpose");
        }
    }
    let pool = Arc::new(lane(1, 1));
    let unwanted = start(&pool, soon(), |control| {
        until_stopped(control);
        Trap
    });
    eventually("it runs", || pool.in_flight() == 1).await;
    unwanted.abort();
    assert_eq!(pool.run(soon(), |_| 3).await.unwrap(), 3);
}

#[tokio::test]
async fn a_panic_in_a_search_ends_its_request_and_no_other() {
    let state = ready_state(config());
    let own = state.clone();
    let panics = move || {
        let state = own.clone();
        async move {
            let (solver, cube) = (Solver::new(tables()), Cube::SOLVED.after(&[Move::R, Move::U]));
            let notify = |_: SearchNotice<'_>| panic!("on purpose");
            let time = Duration::from_secs(10);
            let solved = state.lanes.solve_watched(solver, cube, Goal::default(), time, notify).await;
            solved.map(|_| StatusCode::OK).map_err(Problem::from)
        }
    };
    let server = Server::start_with(state.clone(), Router::new().route("/panics", routing::get(panics))).await;
    let panics = async || metric(app(state.clone()), "superflip_panics_total{lane=\"quick\"}").await;
    let before = panics().await;
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
        assert!(stickers::is_solved(&stickers::apply(SUPERFLIP, answer["solution"].text())));
    }
    // Other tests of this process may panic at the same time.
    assert!(panics().await - before > 2.5);
    assert_eq!(state.lanes.quick().in_flight(), 0);
    get(app(state), "/solve?scramble=R").await.ok();
    server.stopped().await;
}
