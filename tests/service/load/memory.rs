//! Limits on memory: where they are read from, and what is refused.

use superflip::service::config::WhenShort;
use superflip::service::tables::memory::{
    Held, MemoryLimit, check, check_beside, check_now, configured, for_searches, for_spaces, limit, needed,
};
use superflip_cube::metric::Metric;

use crate::common::prelude::*;

/// A root folder with these files.
fn root_with(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

#[track_caller]
fn assert_limit(files: &[(&str, &str)], expected: Option<(u64, &str)>) {
    let found = limit(root_with(files).path()).map(|limit| (limit.bytes, limit.set_by));
    assert_eq!(found, expected.map(|(bytes, set_by)| (bytes, set_by.to_owned())));
}

#[test]
fn the_lowest_limit_of_control_groups_and_the_machine_counts() {
    assert_limit(&[], None);
    let machine = ("proc/meminfo", "MemTotal:       2048 kB\nMemFree: 3 kB\n");
    assert_limit(&[machine], Some((2 << 20, "the memory of this machine")));
    // A container sees its own group as the root.
    let own = [("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/memory.max", "1048576\n"), machine];
    assert_limit(&own, Some((1 << 20, "/sys/fs/cgroup/memory.max")));
    // A service has its own group, and those above it limit it too.
    let nested = [
        ("proc/self/cgroup", "0::/system.slice/superflip.service\n"),
        ("sys/fs/cgroup/system.slice/superflip.service/memory.max", "max\n"),
        ("sys/fs/cgroup/system.slice/memory.max", "1000000\n"),
        machine,
    ];
    assert_limit(&nested, Some((1_000_000, "/sys/fs/cgroup/system.slice/memory.max")));
    // Paths from outside a container, and above it.
    for path in ["0::/kubepods/pod1/c2\n", "9:name=systemd:/\n0::/../..\n"] {
        let inside = [("proc/self/cgroup", path), ("sys/fs/cgroup/memory.max", "7\n")];
        assert_limit(&inside, Some((7, "/sys/fs/cgroup/memory.max")));
    }
    // Version 1: a hierarchy for each controller. Without a limit, the file has a number that no machine reaches.
    let first = [
        ("proc/self/cgroup", "11:cpu,cpuacct:/docker/c1\n4:memory:/docker/c1\n0::/\n"),
        ("sys/fs/cgroup/memory/docker/c1/memory.limit_in_bytes", "9223372036854771712\n"),
        ("sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "1000000\n"),
        machine,
    ];
    assert_limit(&first, Some((1_000_000, "/sys/fs/cgroup/memory/docker/memory.limit_in_bytes")));
    let inside = [first[0], ("sys/fs/cgroup/memory/memory.limit_in_bytes", "5000\n")];
    assert_limit(&inside, Some((5000, "/sys/fs/cgroup/memory/memory.limit_in_bytes")));
    assert_limit(&first[..2], None);
    assert_limit(&[("proc/self/cgroup", "nonsense\n::\n0::/\n"), ("sys/fs/cgroup/memory.max", "much\n")], None);
}

fn wanting(profile: Profile, optimal: Option<Size>, when_short: WhenShort) -> Config {
    config_with(|config| {
        (config.tables.profile, config.optimal.table) = (profile, optimal);
        config.tables.when_memory_is_short = when_short;
    })
}

fn with_megabytes(config: &Config, folder: &Path, megabytes: u64) -> Result<(), String> {
    let limit = MemoryLimit { bytes: megabytes * 1_000_000, set_by: "a test".into() };
    check(config, folder, configured(config), Some(limit)).map_err(|error| error.to_string())
}

#[test]
fn tables_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refuse = |profile, optimal, megabytes| {
        with_megabytes(&wanting(profile, optimal, WhenShort::Refuse), folder.path(), megabytes)
    };
    // What the README promises for a small container.
    refuse(Profile::Small, None, 256).unwrap();
    refuse(Profile::Standard, Some(Size::S), 4000).unwrap();
    let why = refuse(Profile::Standard, Some(Size::L), 2000).unwrap_err();
    for words in
        ["profile standard, optimal table l in htm", "need", "may use 2000 MB (a test)", "Raise that limit", "`go_on`"]
    {
        assert!(why.contains(words), "{words}: {why}");
    }
    let why = refuse(Profile::Small, None, 100).unwrap_err();
    assert!(why.contains("profile small. This process may use"), "{why}");
    with_megabytes(&wanting(Profile::Standard, None, WhenShort::GoOn), folder.path(), 1).unwrap();
    let config = wanting(Profile::Standard, Some(Size::Xl), WhenShort::Refuse);
    check(&config, folder.path(), configured(&config), None).unwrap();
}

#[test]
fn tables_on_demand_use_half_of_what_the_others_leave() {
    let mut config = wanting(Profile::Small, None, WhenShort::Refuse);
    // Some 100 MB for the profile and for work, and 130 MB for each metric.
    let fits = |config: &Config, metrics: &[Metric]| {
        let limit = MemoryLimit { bytes: 700_000_000, set_by: "a test".into() };
        let key = |metric: &Metric| SetKey::phases(*metric, TurnSet::ALL, Profile::Small);
        let keys: Vec<SetKey> = metrics.iter().map(key).collect();
        check_beside(config, &keys, keys[keys.len() - 1], Some(limit))
    };
    let metrics = [Metric::Qtm, Metric::Stm, Metric::Axht];
    assert_eq!(fits(&config, &metrics[..2]), Ok(()));
    let why = fits(&config, &metrics).unwrap_err();
    assert!(why.contains("half of what the other tables leave") && why.contains("search.metrics"), "{why}");
    config.search.metrics = metrics.to_vec();
    assert_eq!(fits(&config, &metrics), Ok(()));
    config.search.metrics.clear();
    config.tables.when_memory_is_short = WhenShort::GoOn;
    assert_eq!(fits(&config, &metrics), Ok(()));
}

#[test]
fn the_memory_for_spaces_and_for_searches_follows_from_the_limit() {
    // Of 256 MB, the container that README recommends, 49.3 MB of tables and 50.3 MB for work leave 156 MB: half of it for spaces, and a
    // quarter for searches. The last quarter is for tables that requests ask for.
    type Share = fn(&Config, Option<&MemoryLimit>) -> u64;
    for (share, of_256) in [(for_spaces as Share, 78), (for_searches, 39)] {
        let mut config = wanting(Profile::Small, None, WhenShort::Refuse);
        let limited = |config: &Config, megabytes: u64| {
            let limit = MemoryLimit { bytes: megabytes * 1_000_000, set_by: "a test".into() };
            share(config, Some(&limit)) / 1_000_000
        };
        assert_eq!([256, 50, 100, 10_000].map(|megabytes| limited(&config, megabytes)), [of_256, 16, 16, 268]);
        assert_eq!(share(&config, None), 256 << 20);
        (config.coords.cache_bytes, config.search.memory_bytes) = (300_000_000, 300_000_000);
        assert_eq!(limited(&config, 256), 300);
    }
}

#[test]
fn tables_of_goals_fit_beside_what_the_process_holds() {
    let mut config = wanting(Profile::Tiny, None, WhenShort::Refuse);
    let fits = |config: &Config, bytes: u64| {
        let limit = MemoryLimit { bytes: 64 << 20, set_by: "a test".into() };
        let held = Held { resident: 20 << 20, unused_by_searches: 10 << 20, unused_by_spaces: 1 << 20 };
        check_now(config, bytes, held, Some(limit))
    };
    // 8 MiB are for requests.
    assert_eq!(fits(&config, 25 << 20), Ok(()));
    let why = fits(&config, (25 << 20) + 1).unwrap_err();
    assert_eq!(why, "need 27 MB of memory, and 26 MB are left; the operator can raise the limit");
    let held = Held { resident: 0, unused_by_searches: 0, unused_by_spaces: 0 };
    assert_eq!(check_now(&config, 1 << 40, held, None), Ok(()));
    config.tables.when_memory_is_short = WhenShort::GoOn;
    assert_eq!(fits(&config, 1 << 40), Ok(()));
}

#[test]
fn tables_that_exist_need_no_memory_for_a_build() {
    let there = small_tables();
    let folder = tempfile::tempdir().unwrap();
    let small = [SetKey::of_profile(Profile::Small)];
    let exist = needed(&tables_folder(), &small);
    assert!(exist < needed(folder.path(), &small));
    assert!(exist > there.list().iter().map(|table| table.bytes).sum());
}

#[test]
fn the_tables_of_metrics_count_beside_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let with = |metrics: Vec<Metric>| {
        config_with(|config| {
            (config.tables.profile, config.search.metrics) = (Profile::Standard, metrics);
        })
    };
    let all = vec![Metric::Qtm, Metric::Stm, Metric::Axht, Metric::Axqt];
    let sizes: Vec<u64> =
        (0..=all.len()).map(|count| needed(folder.path(), &configured(&with(all[..count].to_vec())))).collect();
    assert!(sizes.is_sorted(), "{sizes:?}");
    let none = with_megabytes(&with(Vec::new()), folder.path(), 1000);
    none.unwrap();
    let why = with_megabytes(&with(all.clone()), folder.path(), 1000).unwrap_err();
    assert!(why.contains("profile standard, metric qtm, metric stm, metric axht, metric axqt. This process"), "{why}");
    assert!(why.contains("fewer metrics in search.metrics"), "{why}");
    // A metric that is named twice is loaded once.
    let twice = [Metric::Qtm, Metric::Qtm];
    assert_eq!(needed(folder.path(), &configured(&with(twice.to_vec()))), sizes[1]);
    // They leave less for spaces.
    let limit = MemoryLimit { bytes: 2_000_000_000, set_by: "a test".into() };
    let for_spaces = |config: &Config| for_spaces(config, Some(&limit));
    assert!(for_spaces(&with(all)) < for_spaces(&with(Vec::new())));
}
