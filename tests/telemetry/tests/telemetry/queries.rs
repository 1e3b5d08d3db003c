//! The dashboard, the alert rules and the scrape configuration match the metrics of a live service.

use promql_parser::label::{MatchOp, Matcher};
use promql_parser::parser::{AggregateExpr, Expr, VectorSelector, parse};
use promql_parser::util::{ExprVisitor, walk_expr};

use crate::common::prelude::*;
use crate::common::watched::{FAMILIES, Family};

const DASHBOARD: &str = include_str!("../../../../deploy/grafana/superflip.json");
const ALERTS: &str = include_str!("../../../../deploy/prometheus/alerts.yaml");
const SCRAPE: &str = include_str!("../../../../deploy/prometheus/scrape.yaml");

/// Labels that Prometheus adds, and the metric that it makes itself.
const OF_PROMETHEUS: [&str; 2] = ["job", "instance"];
const UP: &str = "up";

fn dashboard() -> Value {
    serde_json::from_str(DASHBOARD).unwrap()
}

fn panels() -> Vec<Value> {
    dashboard()["panels"].list().clone()
}

/// The members of each alert rule, and of its annotations. Reads the part of YAML that the file uses.
fn alerts() -> Vec<BTreeMap<&'static str, String>> {
    let mut rules: Vec<BTreeMap<_, String>> = Vec::new();
    let lines = ALERTS.lines().skip_while(|line| *line != "    rules:").skip(1);
    for line in lines.filter(|line| !line.is_empty() && *line != "        annotations:") {
        let member = line.trim_start_matches(' ').split_once(": ");
        if let Some(name) = line.strip_prefix("      - alert: ") {
            rules.push(BTreeMap::from([("alert", name.to_owned())]));
        } else if let Some((key, value)) = member.filter(|(key, _)| key.bytes().all(|byte| byte.is_ascii_lowercase())) {
            let text = value.strip_prefix('"').map_or(value, |text| text.strip_suffix('"').unwrap());
            assert!(rules.last_mut().unwrap().insert(key, text.to_owned()).is_none(), "{line}");
        } else {
            let expression = rules.last_mut().unwrap().get_mut("expr").unwrap();
            *expression = expression.trim_start_matches('|').to_owned() + line;
        }
    }
    rules
}

/// Every query with its place; variables of Grafana are replaced by values.
fn queries() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for panel in panels() {
        for target in panel["targets"].as_array().into_iter().flatten() {
            let text = target["expr"].text().replace("$__rate_interval", "5m");
            let text = text.replace("$job", ".*").replace("$instance", ".*");
            assert!(!text.contains('$'), "{text}");
            all.push((format!("panel {}", panel["title"]), text));
        }
    }
    all.extend(alerts().iter().map(|rule| (format!("alert {}", rule["alert"]), rule["expr"].clone())));
    all
}

/// Selectors and grouping labels of one query.
#[derive(Default)]
struct QueryParts {
    selectors: Vec<VectorSelector>,
    grouped_by: BTreeSet<String>,
}

impl ExprVisitor for QueryParts {
    type Error = std::convert::Infallible;

    fn pre_visit(&mut self, expression: &Expr) -> Result<bool, Self::Error> {
        match expression {
            Expr::VectorSelector(selector) => self.selectors.push(selector.clone()),
            Expr::MatrixSelector(selector) => self.selectors.push(selector.vs.clone()),
            Expr::Aggregate(AggregateExpr { modifier: Some(modifier), .. }) => {
                self.grouped_by.extend(modifier.labels().labels.iter().cloned());
            }
            _ => {}
        }
        Ok(true)
    }
}

fn parts_of(query: &str) -> QueryParts {
    let expression = parse(query).unwrap_or_else(|error| panic!("{error}: {query}"));
    let mut parts = QueryParts::default();
    let Ok(_) = walk_expr(&mut parts, &expression);
    assert!(!parts.selectors.is_empty(), "{query}");
    parts
}

/// The metric of a series.
fn family(series: &str) -> Option<(&'static String, &'static Family)> {
    FAMILIES.iter().find(|(_, family)| family.series.contains(series))
}

/// Checks that the service has the label and the values of a matcher.
fn is_met(matcher: &Matcher, family: &Family) -> Result<(), String> {
    if OF_PROMETHEUS.contains(&matcher.name.as_str()) || matcher.name == "le" {
        return Ok(());
    }
    let values = family.labels.get(&matcher.name).ok_or_else(|| format!("no label {}", matcher.name))?;
    let is_pattern = matches!(matcher.op, MatchOp::Re(_) | MatchOp::NotRe(_));
    let wanted: Vec<&str> = if is_pattern { matcher.value.split('|').collect() } else { vec![&matcher.value] };
    for wanted in wanted {
        // The patterns use alternatives, dots and a `.*` at the end only.
        let prefix = wanted.trim_end_matches(".*").trim_end_matches('.');
        let has = values.iter().any(|value| if is_pattern { value.starts_with(prefix) } else { value == wanted });
        if !has {
            return Err(format!("no {} {wanted}, only {values:?}", matcher.name));
        }
    }
    Ok(())
}

#[test]
fn every_query_uses_series_of_a_live_server() {
    let queries = queries();
    assert!(queries.len() > 50, "{}", queries.len());
    for (place, query) in &queries {
        let parts = parts_of(query);
        let mut labels = BTreeSet::from(OF_PROMETHEUS.map(str::to_owned));
        for selector in &parts.selectors {
            let name = selector.name.as_deref().unwrap_or_else(|| panic!("{place}: a selector without a metric"));
            if name == UP {
                continue;
            }
            let (_, family) = family(name).unwrap_or_else(|| panic!("{place}: the service has no series {name}"));
            assert!(family.kind != "histogram" || name != query, "{place}");
            labels.extend(family.labels.keys().cloned());
            if name.ends_with("_bucket") {
                labels.insert("le".into());
                assert!(parts.grouped_by.contains("le"), "{place}: buckets without le: {query}");
            }
            for matcher in &selector.matchers.matchers {
                is_met(matcher, family).unwrap_or_else(|why| panic!("{place}: {name}: {why}"));
            }
        }
        for label in &parts.grouped_by {
            assert!(labels.contains(label), "{place}: grouped by {label}, which nothing there has: {query}");
        }
    }
}

#[test]
fn counters_are_queried_by_rate_and_gauges_are_not() {
    for (place, query) in queries() {
        for selector in parts_of(&query).selectors {
            let name = selector.name.unwrap_or_default();
            let Some((_, family)) = family(&name) else { continue };
            let start = query.find(&name).unwrap();
            let is_rated = query[..start].ends_with("rate(") || query[..start].ends_with("increase(");
            assert_eq!(is_rated, family.kind != "gauge", "{place}: {name} is a {}: {query}", family.kind);
        }
    }
}

#[test]
fn every_metric_is_on_the_dashboard() {
    let shown: String = queries().into_iter().map(|(_, query)| query + "\n").collect();
    for name in FAMILIES.keys().filter(|name| *name != "process_virtual_memory_bytes") {
        assert!(shown.contains(name.as_str()), "{name} is shown nowhere");
    }
}

#[test]
fn panels_have_titles_and_units_and_do_not_overlap() {
    let dashboard = dashboard();
    assert!((36..=41).contains(&dashboard["schemaVersion"].number()));
    let variables = dashboard["templating"]["list"].list();
    assert!(variables.iter().any(|variable| variable["type"] == "datasource" && variable["name"] == "datasource"));
    let mut ids = BTreeSet::new();
    let mut taken = BTreeSet::new();
    for panel in panels() {
        assert!(ids.insert(panel["id"].number()), "{panel}");
        assert!(!panel["title"].text().is_empty());
        let at = |name: &str| panel["gridPos"][name].number();
        assert!(at("w") > 0 && at("x") + at("w") <= 24, "{}", panel["title"]);
        for x in at("x")..at("x") + at("w") {
            for y in at("y")..at("y") + at("h") {
                assert!(taken.insert((x, y)), "{} lies on another panel", panel["title"]);
            }
        }
        if panel["type"] == "row" {
            continue;
        }
        assert!(["timeseries", "stat", "heatmap"].contains(&panel["type"].text()));
        assert_eq!(panel["datasource"]["uid"], "${datasource}");
        assert!(panel["description"].as_str().is_some_and(|text| text.ends_with('.')), "{}", panel["title"]);
        let has_unit =
            panel["fieldConfig"]["defaults"]["unit"].is_string() || panel["options"]["yAxis"]["unit"].is_string();
        assert!(has_unit, "{} has no unit", panel["title"]);
        let targets = panel["targets"].list();
        assert!(!targets.is_empty());
        assert!(targets.iter().all(|target| target["datasource"]["uid"] == "${datasource}"));
        // Times are in seconds and sizes in bytes, unless the panel shows a rate.
        let unit = panel["fieldConfig"]["defaults"]["unit"].as_str().unwrap_or_default();
        let asks = |part: &str| targets.iter().any(|target| target["expr"].text().contains(part));
        assert_eq!(unit == "bytes", asks("_bytes"), "{}", panel["title"]);
        assert!(unit != "s" || asks("_seconds"), "{}", panel["title"]);
    }
}

#[test]
fn every_alert_has_a_severity_a_summary_and_a_remedy() {
    let document = include_str!("../../../../docs/operations.md");
    let mut names = BTreeSet::new();
    for rule in alerts() {
        let name = &rule["alert"];
        assert!(names.insert(name.clone()) && name.starts_with("Superflip"), "{name}");
        let severity = rule["labels"].strip_prefix("{severity: ").and_then(|text| text.strip_suffix('}')).unwrap();
        assert!(["critical", "warning", "info"].contains(&severity), "{name}");
        assert!(rule["summary"].len() > 20 && rule["remedy"].len() > 20, "{name}");
        let runbook = &rule["runbook"];
        let anchor = runbook.strip_prefix("docs/operations.md#").unwrap();
        let has = document
            .lines()
            .filter_map(|line| line.strip_prefix("### "))
            .any(|title| title.to_lowercase().replace(' ', "-") == anchor);
        assert!(has, "{name}: no heading for {anchor}");
    }
    assert!(names.len() >= 8);
    assert!(SCRAPE.contains("\nscrape_configs:\n  - job_name: superflip\n"));
    assert!(SCRAPE.contains("\n    metrics_path: /metrics\n"));
}

#[test]
fn without_the_feature_there_is_no_open_telemetry() {
    let tree = |more: &[&str]| {
        let tree = ["tree", "--locked", "--edges", "normal", "--prefix", "none"];
        let output =
            Command::new(env!("CARGO")).args(tree).args(more).current_dir(superflip_dev::root()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let plain = tree(&[]);
    assert!(plain.contains("axum v") && !plain.contains("opentelemetry"), "{plain}");
    assert!(tree(&["--features", "otlp"]).contains("opentelemetry-otlp v"));
}
