//! Solves a cube: `cargo run -- "R U F" [http://127.0.0.1:8080]`.

use std::time::Duration;

use serde_json::{Value, json};

fn main() -> Result<(), ureq::Error> {
    let mut arguments = std::env::args().skip(1);
    let cube = arguments.next().unwrap_or_default();
    let service = arguments.next().unwrap_or_else(|| "http://127.0.0.1:8080".to_owned());

    // Problem documents are read too, so their status is not an error here.
    let config = ureq::Agent::config_builder().http_status_as_error(false).timeout_global(Some(Duration::from_secs(30)));
    let agent: ureq::Agent = config.build().into();
    let mut response = agent.post(format!("{}/solve", service.trim_end_matches('/'))).send_json(json!({ "cube": cube }))?;
    let answer: Value = response.body_mut().read_json()?;
    match answer["solution"].as_str() {
        Some(solution) => println!("{solution}"),
        None => {
            eprintln!("{}: {}", answer["code"], answer["detail"]);
            std::process::exit(1);
        }
    }
    Ok(())
}
