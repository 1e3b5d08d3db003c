//! Faults within a service: tables found damaged while they are in use, a search that panics, and what is read of limits.

use std::fs;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use axum::{Router, routing};
use serde_json::Value;
use superflip::api::problem::Problem;
use superflip::cube::{Cube, Move};
use superflip::http::{AppState, app};
use superflip::search::Options;
use superflip::service::config::{Config, WhenShort};
use superflip::service::solver::News;
use superflip::service::tables::integrity::{Keeper, doubt};
use superflip::service::tables::loader::{LoadError, Loading};
use superflip::service::tables::memory::{Counts, Limit, limits, needed, plan};
use superflip::service::tables::readiness::{Damage, Readiness, State};
use superflip::tables::format::Header;
use superflip::tables::optimal::{OptimalTable, Size};
use superflip::tables::sink::checksum;
use superflip::tables::{Profile, Quiet, Trust, survey};
use tempfile::TempDir;
use tokio::task::JoinHandle;

use crate::common::service::{
    SEXY, SUPERFLIP, Server, config, eventually, get, post, ready_state, send, state, tables,
};
use crate::common::{file_of, stickers, tables_folder};

/// A service with the small tables in a folder of its own, kept as the binary keeps them.
struct Kept {
    folder: TempDir,
    state: AppState,
    keeping: JoinHandle<LoadError>,
}

impl Kept {
    async fn start(every: Option<Duration>, spoil: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for table in tables().list() {
            fs::copy(&table.path, folder.path().join(table.file_name())).unwrap();
        }
        spoil(folder.path());
        let mut config = config();
        config.optimal.table = Some(Size::S);
        let readiness = Readiness::starting();
        let state = state(config, readiness.clone());
        let mut loading = Loading::start(folder.path().to_owned(), Profile::Small, readiness.clone());
        loading.finished().await.unwrap();
        let optimal = Some((Size::S, state.optimal.clone().unwrap()));
        let (folder_of_it, panicked) = (folder.path().to_owned(), state.solver.panicked());
        let keeper = Keeper { folder: folder_of_it, profile: Profile::Small, readiness, optimal, every, panicked };
        let keeping = tokio::spawn(async move { keeper.keep(&loading).await });
        Self { folder, state, keeping }
    }

    fn router(&self) -> Router {
        app(self.state.clone())
    }

    fn file(&self, name: &str) -> std::path::PathBuf {
        file_of(self.folder.path(), name)
    }

    fn flip(&self, name: &str, at: u64) {
        let file = fs::OpenOptions::new().read(true).write(true).open(self.file(name)).unwrap();
        let mut byte = [0];
        file.read_exact_at(&mut byte, at).unwrap();
        file.write_all_at(&[byte[0] ^ 1], at).unwrap();
    }

    async fn is_mended(&self) {
        let start = Instant::now();
        while !matches!(self.state.readiness.get(), State::Ready(_)) {
            assert!(start.elapsed() < Duration::from_mins(2), "it is never ready again");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        get(self.router(), "/readyz").await.ok();
        for (table, (name, found)) in tables().list().iter().zip(survey(self.folder.path(), Profile::Small)) {
            assert_eq!(found.map(|found| found.checksum), Ok(table.checksum), "{name}");
        }
        assert_solves(self.router()).await;
    }
}

async fn assert_solves(router: Router) {
    let answer = get(router, &format!("/solve/{SEXY}")).await.ok();
    assert!(stickers::is_solved(&stickers::turn(SEXY, answer["solution"].as_str().unwrap())), "{answer}");
}

/// The value of a line of the metrics.
async fn metric(state: &AppState, line: &str) -> f64 {
    let answer = get(app(state.clone()), "/metrics").await;
    let value = answer.text().lines().find_map(|other| other.strip_prefix(line)?.strip_prefix(' '));
    value.unwrap_or_else(|| panic!("no {line}")).parse().unwrap()
}

#[tokio::test]
async fn a_table_found_damaged_is_out_of_use_until_it_is_mended() {
    let kept = Kept::start(None, |_| ()).await;
    let before = fs::read(kept.file("near")).unwrap();
    kept.flip("near", 9000);
    let verdict = post(kept.router(), "/tables/near/verify", "").await.ok();
    assert_eq!(verdict["sound"], false, "{verdict}");
    // Nothing has run since the answer: whoever was told is not answered with what was found wrong.
    for uri in ["/readyz".to_owned(), format!("/solve/{SEXY}"), "/coords?scramble=R".into(), "/tables".into()] {
        let problem = get(kept.router(), &uri).await.problem(503, "tables_not_ready");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains("the table near damaged") && detail.contains("/readyz"), "{detail}");
    }
    get(kept.router(), "/livez").await.ok();
    kept.is_mended().await;
    let mended = fs::read(kept.file("near")).unwrap();
    assert!(mended[4096..] == before[4096..]);
    assert!(metric(&kept.state, "superflip_table_mended_total").await >= 1.0);
    let verdict = post(kept.router(), "/tables/near/verify", "").await.ok();
    assert_eq!(verdict["sound"], true, "{verdict}");
}

#[tokio::test]
async fn damage_is_found_by_the_clock_too() {
    let kept = Kept::start(Some(Duration::from_millis(20)), |_| ()).await;
    for (name, at) in [("phase_one_residues", 20_000_000), ("twist_move", 5000), ("flip_move", 100)] {
        let before = metric(&kept.state, "superflip_table_checks_total{outcome=\"wrong\"}").await;
        let State::Ready(tables) = kept.state.readiness.get() else { panic!("not ready") };
        kept.flip(name, at);
        eventually("it is found", || !kept.state.readiness.holds(&tables)).await;
        assert!(metric(&kept.state, "superflip_table_checks_total{outcome=\"wrong\"}").await > before);
        kept.is_mended().await;
    }
}

/// What is read from a damaged table may be out of all bounds.
#[tokio::test]
async fn damage_is_looked_for_after_a_panic() {
    let kept = Kept::start(None, |_| ()).await;
    let State::Ready(tables) = kept.state.readiness.get() else { panic!("not ready") };
    // Mapped as it is, and not copied to large pages.
    let file = fs::OpenOptions::new().write(true).open(kept.file("twist_move")).unwrap();
    file.write_all_at(&[0xff; 8192], 4096).unwrap();
    get(kept.router(), "/solve?scramble=R+U+F+L2+D+B").await.problem(500, "internal");
    eventually("it is found", || !kept.state.readiness.holds(&tables)).await;
    kept.is_mended().await;
}

/// Wrong entries under a right checksum, as a faulty build would leave them.
#[tokio::test]
async fn tables_that_were_built_wrong_are_all_built_anew() {
    let kept = Kept::start(None, |folder| {
        let path = file_of(folder, "phase_two_corners");
        let mut file = fs::read(&path).unwrap();
        let mut header = Header::decode(&file[..4096], file.len() as u64).unwrap();
        file[4096..].reverse();
        header.checksum = checksum(&file[4096..]);
        file[..4096].copy_from_slice(&header.encode());
        fs::write(&path, file).unwrap();
    })
    .await;
    let built = |name: &str| fs::metadata(kept.file(name)).unwrap().modified().unwrap();
    let before = ["twist_move", "phase_two_corners", "near"].map(built);
    let verdict = post(kept.router(), "/tables/phase_two_corners/verify", "").await.ok();
    assert!(verdict["problem"].as_str().unwrap().contains("rebuilt"), "{verdict}");
    kept.is_mended().await;
    let after = ["twist_move", "phase_two_corners", "near"].map(built);
    assert!(before.iter().zip(after).all(|(before, after)| *before < after));
}

#[tokio::test]
async fn a_damaged_table_for_proofs_ends_proofs_alone() {
    let kept = Kept::start(None, |folder| {
        let table = OptimalTable::open_or_build(&tables_folder(), Size::S, &Quiet, &AtomicBool::new(false)).unwrap();
        fs::copy(table.info().path, file_of(folder, "optimal_s")).unwrap();
    })
    .await;
    let readiness = kept.state.optimal.clone().unwrap();
    let table = OptimalTable::open_or_build(kept.folder.path(), Size::S, &Quiet, &AtomicBool::new(false)).unwrap();
    let table = Arc::new(table);
    readiness.set(State::Ready(Arc::clone(&table)));
    let router = kept.router();
    let proof =
        tokio::spawn(
            async move { get(router, &format!("/solve/{SUPERFLIP}?optimal=true&time_limit_ms=100000")).await },
        );
    eventually("it is searched", || kept.state.solver.long().in_flight() == 1).await;
    let damage = Damage { table: "optimal_s".into(), problem: "a bit".into(), trust: Trust::Files };
    kept.flip("optimal_s", 20_000_000);
    doubt(&readiness, &table, damage);
    drop(table);
    let problem = proof.await.unwrap().problem(503, "optimal_table_not_ready");
    assert!(problem["detail"].as_str().unwrap().contains("damaged while it ran"), "{problem}");
    let problem =
        get(kept.router(), &format!("/solve/{SUPERFLIP}?optimal=true")).await.problem(503, "optimal_table_not_ready");
    assert!(problem["detail"].as_str().unwrap().contains("optimal_s"), "{problem}");
    // The near search does not need it.
    let answer = get(kept.router(), &format!("/solve/{SEXY}?optimal=true")).await.ok();
    assert_eq!((&answer["length"], &answer["proven_optimal"]), (&4.into(), &true.into()), "{answer}");
    let ready = get(kept.router(), "/readyz").await.ok();
    assert_eq!(ready["optimal"]["status"], "rebuilding", "{ready}");
    assert_solves(kept.router()).await;
    eventually("it is mended", || matches!(readiness.get(), State::Ready(_))).await;
    let answer = get(kept.router(), &format!("/solve/{SEXY}?optimal=true")).await.ok();
    assert_eq!((&answer["length"], &answer["proven_optimal"]), (&4.into(), &true.into()), "{answer}");
    kept.is_mended().await;
}

#[tokio::test]
async fn searches_with_tables_found_damaged_end_without_an_answer() {
    let state = ready_state(config());
    let uri = format!("/solve/{SUPERFLIP}?target_length=0&time_limit_ms=30000");
    let stream = format!("/solve/stream?facelets={SUPERFLIP}&time_limit_ms=30000");
    let line = format!("{{\"facelets\": \"{SUPERFLIP}\", \"target_length\": 0, \"time_limit_ms\": 30000}}\n");
    let batch = Request::post("/solve/batch").header(header::CONTENT_TYPE, "application/x-ndjson");
    let batch = batch.body(Body::from(line)).unwrap();
    let ask = |request: Request<Body>| tokio::spawn(send(app(state.clone()), request));
    let plain = ask(Request::get(uri).body(Body::empty()).unwrap());
    let stream = ask(Request::get(stream).body(Body::empty()).unwrap());
    let batch = ask(batch);
    let solver = &state.solver;
    eventually("all run", || solver.long().in_flight() == 2 && solver.batches().in_flight() == 1).await;
    // Their answers have begun a moment after their searches.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let start = Instant::now();
    doubt(&state.readiness, &tables(), Damage { table: "near".into(), problem: "a bit".into(), trust: Trust::Files });
    let problem = plain.await.unwrap().problem(503, "tables_not_ready");
    assert!(problem["detail"].as_str().unwrap().contains("ask again"), "{problem}");
    for (answer, is_stream) in [(stream.await.unwrap(), true), (batch.await.unwrap(), false)] {
        assert_eq!(answer.status, StatusCode::OK);
        let last = if is_stream {
            answer.text().trim_end().rsplit_once("event: problem\ndata: ").unwrap().1.to_owned()
        } else {
            answer.text().to_owned()
        };
        let last: Value = serde_json::from_str(&last).unwrap();
        let code = if is_stream { &last["code"] } else { &last["problem"]["code"] };
        assert_eq!(code, "tables_not_ready", "{last}");
    }
    eventually("all stopped", || solver.long().in_flight() + solver.batches().in_flight() == 0).await;
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[tokio::test]
async fn tables_that_cannot_be_mended_end_the_keeping() {
    let kept = Kept::start(None, |_| ()).await;
    kept.flip("near", 9000);
    let (path, aside) = (kept.folder.path().to_owned(), kept.folder.path().with_extension("aside"));
    fs::rename(&path, &aside).unwrap();
    fs::write(&path, "no folder").unwrap();
    let State::Ready(tables) = kept.state.readiness.get() else { panic!("not ready") };
    doubt(
        &kept.state.readiness,
        &tables,
        Damage { table: "near".into(), problem: "a bit".into(), trust: Trust::Files },
    );
    drop(tables);
    let error = kept.keeping.await.unwrap().to_string();
    assert!(error.contains("--tables-dir"), "{error}");
    get(app(kept.state), "/readyz").await.problem(503, "tables_failed");
    fs::remove_file(&path).unwrap();
    fs::rename(&aside, &path).unwrap();
}

#[tokio::test]
async fn a_panic_in_a_search_ends_its_request_and_no_other() {
    let state = ready_state(config());
    let own = state.clone();
    let panics = move || {
        let state = own.clone();
        async move {
            let (engine, cube) = (tables().into(), Cube::SOLVED.after(&[Move::R, Move::U]));
            let hear = |_: News<'_>| panic!("on purpose");
            let time = Duration::from_secs(10);
            let solved = state.solver.solve_watched(engine, cube, Options::default(), time, hear).await;
            solved.map(|_| StatusCode::OK).map_err(Problem::from)
        }
    };
    let server = Server::start_with(state.clone(), Router::new().route("/panics", routing::get(panics))).await;
    let line = "superflip_panics_total{lane=\"short\"}";
    let before = metric(&state, line).await;
    let ask = |path: String| {
        let address = server.address;
        tokio::task::spawn_blocking(move || {
            let answer =
                ureq::get(format!("http://{address}{path}")).config().http_status_as_error(false).build().call();
            let mut answer = answer.unwrap();
            (answer.status().as_u16(), answer.body_mut().read_to_string().unwrap())
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
    assert!((metric(&state, line).await - before - 3.0).abs() < 0.5);
    assert_eq!(state.solver.pool().in_flight(), 0);
    assert_solves(app(state)).await;
    server.stopped().await;
}

/// A root folder with these files.
fn imitated(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

/// Limits of memory that are read from these files, with where they are set.
fn read(files: &[(&str, &str)]) -> Vec<(u64, String)> {
    let limits = limits(imitated(files).path()).into_iter().filter(|limit| limit.counts == Counts::Memory);
    limits.map(|limit| (limit.bytes, limit.set_by)).collect()
}

#[test]
fn limits_are_read_from_control_groups_and_the_machine() {
    let set = |bytes: u64, by: &str| (bytes, by.to_owned());
    assert_eq!(read(&[]), []);
    assert_eq!(
        read(&[("proc/meminfo", "MemTotal:       2048 kB\nMemFree: 3 kB\n")]),
        [set(2 << 20, "the memory of this machine")]
    );
    // Version 2: a container sees its own group as the root, a service of the system itself and those above it.
    let own = [("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/memory.max", "268435456\n")];
    assert_eq!(read(&own), [set(256 << 20, "/sys/fs/cgroup/memory.max")]);
    let nested = [
        ("proc/self/cgroup", "0::/system.slice/superflip.service\n"),
        ("sys/fs/cgroup/system.slice/superflip.service/memory.max", "max\n"),
        ("sys/fs/cgroup/system.slice/memory.max", "1000000\n"),
    ];
    assert_eq!(read(&nested), [set(1_000_000, "/sys/fs/cgroup/system.slice/memory.max")]);
    // Version 1, beside a version 2 that does not count memory; no limit is a number that is no memory.
    let old = [
        ("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/docker/abc\n0::/\n"),
        ("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "9223372036854771712\n"),
        ("sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "500000\n"),
    ];
    assert_eq!(read(&old), [set(500_000, "/sys/fs/cgroup/memory/docker/memory.limit_in_bytes")]);
    // A path from outside a container, and one above it, lead to what the container sees.
    for path in ["4:memory:/kubepods/pod1/c2\n", "4:memory:/../..\n"] {
        let inside = [("proc/self/cgroup", path), ("sys/fs/cgroup/memory/memory.limit_in_bytes", "7\n")];
        assert_eq!(read(&inside), [set(7, "/sys/fs/cgroup/memory/memory.limit_in_bytes")]);
    }
    assert_eq!(read(&[("proc/self/cgroup", "nonsense\n0::\n::\n"), ("sys/fs/cgroup/memory.max", "much\n")]), []);
}

fn wanting(profile: Profile, optimal: Option<Size>, when_short: WhenShort) -> Config {
    let mut config = config();
    (config.tables.profile, config.optimal.table) = (profile, optimal);
    config.tables.when_memory_is_short = when_short;
    config
}

#[test]
fn what_does_not_fit_is_refused_or_replaced_by_what_does() {
    let folder = tempfile::tempdir().unwrap();
    let fits = |config: &Config, megabytes: u64| {
        let limit = Limit { bytes: megabytes * 1_000_000, counts: Counts::Memory, set_by: "a test".into() };
        plan(config, folder.path(), &[limit])
    };
    let (standard, small) = (Profile::Standard, Profile::Small);
    // What the README promises for a small container.
    assert!(fits(&wanting(small, None, WhenShort::Refuse), 256).is_ok());
    let full = wanting(standard, Some(Size::S), WhenShort::FallBack);
    for (megabytes, profile, optimal) in
        [(4000, standard, Some(Size::S)), (800, standard, None), (500, small, None), (256, small, None)]
    {
        let plan = fits(&full, megabytes).unwrap();
        assert_eq!((plan.profile, plan.optimal), (profile, optimal), "{megabytes}");
        assert_eq!(plan.shortage.is_none(), megabytes == 4000);
        assert!(plan.needed <= megabytes * 1_000_000);
    }
    let why = fits(&full, 100).unwrap_err().to_string();
    assert!(why.contains("may use 100 MB (a test)") && why.contains("Raise that limit, or set"), "{why}");
    let why = fits(&wanting(standard, Some(Size::L), WhenShort::Refuse), 2000).unwrap_err().to_string();
    assert!(why.contains("the table l") && why.contains("turn off optimal.table, which does"), "{why}");
    let why = fits(&wanting(standard, None, WhenShort::Refuse), 500).unwrap_err().to_string();
    assert!(why.contains("set tables.profile to `small`, which does"), "{why}");
    assert_eq!(fits(&wanting(standard, None, WhenShort::GoOn), 1).unwrap().profile, standard);
    // Tables that are there need not be built.
    let built = needed(folder.path(), small, None);
    let there = tables();
    assert!(needed(&tables_folder(), small, None) < built);
    let bytes: u64 = there.list().iter().map(|table| table.bytes).sum();
    assert!(needed(&tables_folder(), small, None) > bytes);
}
