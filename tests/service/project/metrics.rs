//! The metrics are as declared and documented, and count what happens.

use superflip::service::telemetry::metrics::{ALL, Metric};

use crate::common::prelude::*;
use crate::common::watched::FAMILIES;

const DOCUMENT: &str = include_str!("../../../docs/operations.md");

/// The rows of the table of metrics, as `docs/operations.md` should have them.
fn table() -> String {
    let rows = ALL.iter().map(|Metric { name, kind, labels, help }| {
        let kind = format!("{kind:?}").to_lowercase();
        let labels = labels.iter().map(|(label, values)| match values {
            [] => format!("`{label}`"),
            _ => format!("`{label}` ({})", values.join(", ")),
        });
        let labels: Vec<_> = labels.collect();
        format!("| `{name}` | {kind} | {} | {help} |\n", labels.join(", "))
    });
    rows.collect()
}

#[test]
fn the_documentation_has_the_table_of_all_metrics() {
    let table = table();
    assert!(
        DOCUMENT.contains(&format!("| --- | --- | --- | --- |\n{table}\n")),
        "docs/operations.md should have:\n{table}"
    );
}

#[test]
fn the_service_exposes_the_declared_metrics_and_no_others() {
    assert_eq!(
        FAMILIES.keys().map(String::as_str).collect::<BTreeSet<_>>(),
        ALL.iter().map(|metric| metric.name).collect()
    );
    for Metric { name, kind, labels, help } in ALL {
        let family = &FAMILIES[*name];
        assert_eq!((&family.kind, family.help.as_str()), (&format!("{kind:?}").to_lowercase(), *help), "{name}");
        let declared: BTreeSet<_> = labels.iter().map(|(label, _)| (*label).to_owned()).collect();
        assert_eq!(family.labels.keys().cloned().collect::<BTreeSet<_>>(), declared, "{name}");
        for (label, values) in labels.iter().filter(|(_, values)| !values.is_empty()) {
            assert_eq!(
                family.labels[*label],
                values.iter().map(|value| (*value).to_owned()).collect(),
                "{name} {label}"
            );
        }
    }
}

#[test]
fn names_end_with_their_unit_and_the_help_begins_with_it() {
    for (name, family) in FAMILIES.iter() {
        assert!(!family.help.is_empty(), "{name} has no HELP");
        assert!(!family.series.is_empty(), "{name} has no series");
        let base = name.trim_end_matches("_total");
        for unit in ["seconds", "bytes"] {
            let in_help = family.help.to_lowercase().starts_with(unit);
            assert_eq!(base.ends_with(unit), in_help, "{name}: {}", family.help);
        }
        assert_eq!(name.ends_with("_total"), family.kind == "counter", "{name}");
        assert!(name.starts_with("superflip_") || name.starts_with("process_"), "{name}");
    }
}

#[test]
fn what_happened_is_counted_under_its_labels() {
    let has = |name: &str, label: &str, wanted: &str| {
        assert!(FAMILIES[name].labels[label].contains(wanted), "{name} {label} {wanted}: {:?}", FAMILIES[name].labels);
    };
    has("superflip_rejected_total", "lane", "quick");
    has("superflip_rejected_total", "reason", "overloaded");
    has("superflip_problems_total", "code", "impossible_cube");
    has("superflip_searches_total", "outcome", "proven_optimal");
    has("superflip_tables_info", "profile", "small");
    has("superflip_connections_closed_total", "reason", "client");
    has("superflip_requests_total", "route", "/solve/batch");
}
