//! Tests of what superflip tells other programs: the contract, spans to a collector, and metrics to the queries of the dashboard and the
//! alerts.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::service as common;

mod otlp;
mod queries;

/// The committed contract matches the code.
mod contract {
    use superflip::http::contract::{JSON, REGENERATE, YAML};
    use superflip::operations::generate_contract;

    #[test]
    fn the_committed_file_matches_the_code() {
        let (yaml, json) = generate_contract().unwrap();
        let lines = YAML.lines().zip(yaml.lines()).enumerate();
        for (number, (committed, generated)) in lines {
            let number = number + 1;
            assert_eq!(committed, generated, "openapi.yaml differs in line {number}; update it with: {REGENERATE}");
        }
        assert!(YAML == yaml, "openapi.yaml differs in its length; update it with: {REGENERATE}");
        assert!(*JSON == json, "the JSON that the service derives from openapi.yaml differs from that of serde");
    }

    #[test]
    #[ignore = "writes openapi.yaml"]
    fn write() {
        let (yaml, _) = generate_contract().unwrap();
        std::fs::write(superflip_dev::root().join("openapi.yaml"), yaml).unwrap();
    }
}
