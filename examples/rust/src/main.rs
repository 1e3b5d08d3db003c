//! Solves a cube: `cargo run -- "R U F" [http://127.0.0.1:8080]`.

use serde_json::{Value, json};

fn main() -> Result<(), ureq::Error> {
    let mut arguments = std::env::args().skip(1);
    let cube = arguments.next().unwrap_or_default();
    let service = arguments.next().unwrap_or_else(|| "http://127.0.0.1:8080".to_owned());

    // Problem documents are read too, so their status is not an error here.
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
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
