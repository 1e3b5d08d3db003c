//! Damage to the tables of a metric in use.

use superflip::service::tables::integrity::Schedule;
use superflip_cube::TurnSet;
use superflip_cube::metric::Metric;
use superflip_solver::tables::MetricTables;
use tokio::time::timeout;

use crate::common::prelude::*;

fn open(folder: &Path) -> Arc<Tables> {
    Arc::new(Tables::open_or_build(folder, Profile::Small, &Control::new()).unwrap())
}

#[tokio::test]
async fn scheduled_checks_cover_the_tables_of_metrics() {
    let there = MetricTables::open_or_build(&tables_folder(), Metric::Axht, Profile::Small, &Control::new()).unwrap();
    let folder = copied();
    for table in there.list() {
        fs::copy(&table.path, folder.path().join(table.path.file_name().unwrap())).unwrap();
    }
    let config = config_with(|config| {
        (config.tables.dir, config.tables.profile) = (Some(folder.path().to_owned()), Profile::Small);
    });
    let state = state(config, Readiness::ready(open(folder.path())));
    let _ = state.metrics.ask_for(Metric::Axht, TurnSet::ALL);
    eventually("they are loaded", || state.metrics.loaded(Metric::Axht, TurnSet::ALL).is_some()).await;
    let name = there.list()[0].name;
    flip(&file_of(folder.path(), name), 20_000, 1);
    let schedule = Schedule { every: Some(Duration::from_millis(20)), panicked: state.lanes.panicked() };
    let damage = schedule.first_damage(&state.readiness, None, &state.metrics, state.lanes.background());
    assert_eq!(timeout(Duration::from_mins(1), damage).await.expect("damage is found").table, name);
}
