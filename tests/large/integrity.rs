//! Damage to the tables of a metric in use.

use superflip::service::tables::integrity::Schedule;
use tokio::time::timeout;

use crate::common::prelude::*;

fn open(folder: &Path) -> Arc<Tables> {
    Arc::new(Tables::open_or_build(folder, Profile::Small, &Control::new()).unwrap())
}

#[tokio::test]
async fn scheduled_checks_cover_the_tables_of_metrics() {
    let there =
        TableSet::open(SetKey::phases(Metric::Axht, TurnSet::ALL, Profile::Small), &tables_folder(), &Control::new())
            .unwrap();
    let folder = copied();
    for table in there.list() {
        fs::copy(&table.path, folder.path().join(table.path.file_name().unwrap())).unwrap();
    }
    let config = config_with(|config| {
        (config.tables.dir, config.tables.profile) = (Some(folder.path().to_owned()), Profile::Small);
    });
    let state = state(config, Readiness::ready(open(folder.path())));
    let _ = state.shelf.ask(there.key());
    eventually("they are loaded", || state.shelf.get(there.key()).is_some()).await;
    let name = there.list()[0].name;
    flip(&file_of(folder.path(), name), 20_000, 1);
    let schedule = Schedule { every: Some(Duration::from_millis(20)), panicked: state.lanes.panicked() };
    let damage = schedule.first_damage(&state.shelf, state.lanes.background());
    assert_eq!(timeout(Duration::from_mins(1), damage).await.expect("damage is found").table, name);
}
