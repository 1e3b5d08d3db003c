//! Damage to tables in use: how it is found, what is refused after that, and what the next start rebuilds.

use futures_util::FutureExt as _;
use superflip::service::tables::integrity::{Damage, Schedule};
use tokio::time::timeout;

use crate::common::prelude::*;

fn open(folder: &Path) -> Arc<Tables> {
    Arc::new(Tables::open_or_build(folder, Profile::Small, &Control::new()).unwrap())
}

const OPTIMAL: fn() -> SetKey = || SetKey::proofs(Metric::Htm, Size::S);

fn open_optimal(folder: &Path) -> TableSet {
    TableSet::open(OPTIMAL(), folder, &Control::new()).unwrap()
}

/// A service on a copy of the small tables.
struct Service {
    folder: TempDir,
    state: AppState,
}

impl Service {
    fn start() -> Self {
        Self::start_after(|_| ())
    }

    /// Starts after the copy was changed.
    fn start_after(change: impl FnOnce(&Path)) -> Self {
        let folder = copied();
        change(folder.path());
        let state =
            state(config_with(|config| config.optimal.table = Some(Size::S)), Readiness::ready(open(folder.path())));
        Self { folder, state }
    }

    fn router(&self) -> Router {
        app(self.state.clone())
    }

    fn file(&self, name: &str) -> PathBuf {
        file_of(self.folder.path(), name)
    }

    /// Changes one bit of a file in place, as a failing disk would.
    fn flip(&self, name: &str, at: u64) {
        flip(&self.file(name), at, 1);
    }

    /// Waits for the damage that the scheduled checks find.
    async fn first_damage(&self) -> Damage {
        let schedule = Schedule { every: Some(Duration::from_millis(20)), panicked: self.state.lanes.panicked() };
        let lane = self.state.lanes.background();
        let damage = schedule.first_damage(&self.state.shelf, lane);
        timeout(Duration::from_mins(1), damage).await.expect("damage is found")
    }

    /// Checks that a new start has every table with its right entries, and answers.
    async fn assert_next_start_is_sound(&self) {
        let restarted = state(config(), Readiness::ready(open(self.folder.path())));
        for (table, (name, found)) in small_tables().list().iter().zip(survey(self.folder.path(), Profile::Small)) {
            assert_eq!(found.map(|found| found.checksum), Ok(table.checksum), "{name}");
        }
        let answer = get(app(restarted), &format!("/solve/{SEXY}")).await.ok();
        assert!(stickers::is_solved(&stickers::apply(SEXY, answer["solution"].text())), "{answer}");
    }
}

#[tokio::test]
async fn after_damage_nothing_is_answered_from_tables() {
    let service = Service::start();
    service.flip("near", 9000);
    let verdict = post(service.router(), "/tables/near/verify", "").await.ok();
    assert_eq!(verdict["sound"], false, "{verdict}");
    for uri in [format!("/solve/{SEXY}"), "/coords?scramble=R".into(), "/tables".into(), "/tables/near/rows/0".into()] {
        get(service.router(), &uri).await.problem_with(503, "tables_not_ready", &["the table near damaged"]);
    }
    get(service.router(), "/readyz").await.problem(503, "shutting_down");
    get(service.router(), "/livez").await.ok();
    // The program waits for this and exits.
    assert_eq!(service.state.integrity.damaged().await.table, "near");
    service.assert_next_start_is_sound().await;
}

/// A client that closes its connection drops the future of its request. The job has then ended with its verdict.
#[tokio::test]
async fn damage_is_recorded_though_the_client_has_gone() {
    let service = Service::start();
    service.flip("near", 9000);
    let mut request = Box::pin(post(service.router(), "/tables/near/verify", ""));
    assert!(request.as_mut().now_or_never().is_none());
    let lane = service.state.lanes.background();
    while lane.in_flight() + lane.queued() > 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    drop(request);
    assert_eq!(service.state.integrity.damage().map(|damage| damage.table).as_deref(), Some("near"));
}

#[tokio::test]
async fn scheduled_checks_go_on_if_only_a_file_is_missing() {
    let service = Service::start();
    fs::remove_file(service.file("near")).unwrap();
    let schedule = Schedule { every: Some(Duration::from_millis(1)), panicked: service.state.lanes.panicked() };
    let state = &service.state;
    let damage = schedule.first_damage(&state.shelf, state.lanes.background());
    assert_eq!(timeout(Duration::from_millis(250), damage).await.ok(), None);
    // The next start builds it.
    service.assert_next_start_is_sound().await;
}

#[tokio::test]
async fn only_the_first_damage_is_recorded() {
    let state = small_state(config());
    let damage = |table: &str| Damage { table: table.into(), problem: "a bit".into() };
    assert_eq!(state.integrity.damage(), None);
    state.report_damage(damage("near"));
    state.report_damage(damage("twist_move"));
    assert_eq!(state.integrity.damage(), Some(damage("near")));
    assert_eq!(state.integrity.damaged().await, damage("near"));
}

#[tokio::test]
async fn scheduled_checks_find_damage() {
    for (name, at) in [("phase_one_residues", 20_000_000), ("twist_move", 5000), ("flip_move", 100)] {
        let service = Service::start();
        service.flip(name, at);
        assert_eq!(service.first_damage().await.table, name);
    }
}

#[tokio::test]
async fn scheduled_checks_cover_the_table_for_optimal_answers() {
    let service = Service::start_after(|folder| {
        let table = &open_optimal(&tables_folder()).list()[0];
        fs::copy(&table.path, file_of(folder, "optimal_s")).unwrap();
    });
    let readiness = service.state.shelf.readiness(OPTIMAL()).unwrap();
    readiness.set(TableState::Ready(open_optimal(service.folder.path())));
    service.flip("optimal_s", 20_000_000);
    assert_eq!(service.first_damage().await.table, "optimal_s");
    // The next start rebuilds it.
    let rebuilt = &open_optimal(service.folder.path()).list()[0];
    assert_eq!(rebuilt.checksum, open_optimal(&tables_folder()).list()[0].checksum);
}

/// Wrong entries under a right checksum, as a faulty build leaves them. The next start cannot tell, so the files are removed.
#[tokio::test]
async fn wrongly_built_tables_are_rebuilt_at_the_next_start() {
    let service = Service::start_after(|folder| {
        let path = file_of(folder, "phase_two_corners");
        fs::write(&path, rewritten(&path, |_, entries| entries.reverse())).unwrap();
    });
    let verdict = post(service.router(), "/tables/phase_two_corners/verify", "").await.ok();
    assert!(verdict["problem"].text().contains("differ from the rebuilt ones"), "{verdict}");
    assert!(["twist_move", "phase_two_corners", "near"].iter().all(|name| !service.file(name).exists()));
    service.assert_next_start_is_sound().await;
}

#[tokio::test]
async fn running_searches_end_without_an_answer() {
    let state = small_state(config());
    let uri = format!("/solve/{SUPERFLIP}?target_length=0&time_limit_ms=30000");
    let stream = format!("/solve/stream?facelets={SUPERFLIP}&time_limit_ms=30000");
    let line = format!("{{\"facelets\": \"{SUPERFLIP}\", \"target_length\": 0, \"time_limit_ms\": 30000}}\n");
    let ask = |request: Request<Body>| tokio::spawn(send(app(state.clone()), request));
    let plain = ask(request(&Method::GET, &uri, &[]));
    let stream = ask(request(&Method::GET, &stream, &[]));
    let batch = ask(batch_request("/solve/batch", line));
    let solver = &state.lanes;
    eventually("all run", || solver.long().in_flight() == 2 && solver.background().in_flight() == 1).await;
    // Their responses begin a moment after their searches.
    tokio::time::sleep(Duration::from_millis(200)).await;
    let start = Instant::now();
    state.report_damage(Damage { table: "near".into(), problem: "a bit".into() });
    plain.await.unwrap().problem(503, "shutting_down");
    for (answer, is_stream) in [(stream.await.unwrap(), true), (batch.await.unwrap(), false)] {
        assert_eq!(answer.status, StatusCode::OK);
        let last = if is_stream {
            answer.text().trim_end().rsplit_once("event: problem\ndata: ").unwrap().1.to_owned()
        } else {
            answer.text().to_owned()
        };
        let last: Value = serde_json::from_str(&last).unwrap();
        let code = if is_stream { &last["code"] } else { &last["problem"]["code"] };
        assert_eq!(code, "shutting_down", "{last}");
    }
    eventually("all stopped", || solver.long().in_flight() + solver.background().in_flight() == 0).await;
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}
