//! The solver as WebAssembly, for browsers and node without a service.
//!
//! `clients/typescript/src/wasm.ts` wraps these functions. Each answers JSON or a text, and throws the JSON of a problem with `code`, `detail` and
//! `violations`. The first call that needs tables computes those of the profile `tiny`.

use std::cell::OnceCell;
use std::time::Duration;

use serde_json::{Value, json};
use superflip_cube::{Cube, Form, FormError, Holding};
use superflip_picture::parameters::{Parameters, Reading};
use superflip_picture::svg;
use superflip_solver::search::scramble::{ScrambleRequest, generate};
use superflip_solver::{Control, Goal, Profile, SolveError, Solver};
use wasm_bindgen::prelude::wasm_bindgen;
use web_time::Instant;

thread_local! {
    /// The solver. A module has one thread.
    static SOLVER: OnceCell<Solver> = const { OnceCell::new() };
}

/// Returns the JSON of a problem.
fn problem(code: &str, detail: &dyn std::fmt::Display) -> String {
    json!({"code": code, "detail": detail.to_string(), "violations": []}).to_string()
}

/// Runs `work` with the solver.
fn with_solver<T>(work: impl FnOnce(&Solver) -> Result<T, String>) -> Result<T, String> {
    SOLVER.with(|solver| {
        if solver.get().is_none() {
            let opened =
                Solver::builder().profile(Profile::Tiny).open().map_err(|error| problem("internal", &error))?;
            // Nothing else sets it in between.
            let _ = solver.set(opened);
        }
        work(solver.get().ok_or_else(|| problem("internal", &"there is no solver"))?)
    })
}

fn read(cube: &str) -> Result<Cube, String> {
    cube.parse().map_err(|error: FormError| {
        let code = match &error {
            FormError::Ambiguous(_) => "ambiguous_cube",
            FormError::Impossible { violations, .. } => {
                let list = |violation: &superflip_cube::forms::Violation| {
                    let (code, message) = (violation.code, &violation.message);
                    json!({"code": code, "message": message, "stickers": violation.stickers, "kociemba": violation.kociemba})
                };
                let violations: Vec<Value> = violations.iter().map(list).collect();
                return json!({"code": "impossible_cube", "detail": error.to_string(), "violations": violations}).to_string();
            }
            FormError::UnknownStickers { .. } => "unknown_stickers",
            // Not readable in any form.
            _ => "unreadable_cube",
        };
        problem(code, &error)
    })
}

/// Solves a cube in any text form. The search ends at the first solution of at most `target_length` moves, when a shortest one is proven, or
/// after `time_limit_ms` with the best one. Answers JSON with `solution`, `moves`, `length` and `lower_bound`.
///
/// # Errors
/// Throws a problem if the text is not a possible cube, or if no solution of at most `max_length` moves is found in time.
#[wasm_bindgen]
pub fn solve(cube: &str, target_length: u8, max_length: u8, time_limit_ms: u32) -> Result<String, String> {
    let cube = read(cube)?;
    with_solver(|solver| {
        let goal = Goal::within(target_length).max_length(max_length);
        let until = Instant::now() + Duration::from_millis(time_limit_ms.into());
        let solution = solver.search(&cube, &goal).until(until).finish().map_err(|error| match error {
            SolveError::NoneWithin { .. } => problem("no_solution_within_limits", &error),
            error => problem("internal", &error),
        })?;
        let moves: Vec<String> = solution.moves.iter().map(ToString::to_string).collect();
        let answer = json!({
            "solution": solution.moves.to_string(), "moves": moves, "length": moves.len(), "lower_bound": solution.lower_bound,
            "proven_optimal": solution.is_optimal(),
        });
        Ok(answer.to_string())
    })
}

/// Returns a random-state scramble: each cube has the same probability.
///
/// # Errors
/// Throws a problem if the system gives no random numbers.
#[wasm_bindgen]
pub fn scramble() -> Result<String, String> {
    with_solver(|solver| {
        let made = generate(solver.tables(), &ScrambleRequest::default(), &Control::new());
        let made = made.map_err(|error| problem("internal", &error))?;
        made.scrambles
            .into_iter()
            .next()
            .map(|scramble| scramble.text)
            .ok_or_else(|| problem("internal", &"no scramble"))
    })
}

/// Writes a cube in another form, such as `facelets`, `reid` or `b32`.
///
/// # Errors
/// Throws a problem if the text is not a possible cube, or the form is unknown or cannot be written.
#[wasm_bindgen]
pub fn convert(cube: &str, form: &str) -> Result<String, String> {
    let cube = read(cube)?;
    let form = Form::ALL.into_iter().find(|known| known.name() == form && known.is_writable()).ok_or_else(|| {
        let names: Vec<&str> = Form::ALL.iter().filter(|form| form.is_writable()).map(|form| form.name()).collect();
        problem("option_out_of_range", &format!("unknown form `{form}`; expected one of {}", names.join(", ")))
    })?;
    form.write(&cube, Holding::HOME).ok_or_else(|| problem("internal", &"the form has no text"))
}

/// Draws a cube in any text form as SVG. `view` is empty, `plan` or `trans`.
///
/// # Errors
/// Throws a problem if the text is not a possible cube, or the view is unknown.
#[wasm_bindgen]
pub fn draw(cube: &str, view: &str) -> Result<String, String> {
    let facelets = read(cube)?.to_string().to_lowercase();
    let parameters = Parameters { fd: Some(&facelets), view: Some(view), ..Parameters::default() };
    let picture = parameters.read(Reading::Strict).map_err(|error| problem("option_out_of_range", &error))?;
    Ok(svg::write(&picture.scene()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(result: Result<String, String>) -> String {
        let problem: Value = serde_json::from_str(&result.unwrap_err()).unwrap();
        problem["code"].as_str().unwrap().to_owned()
    }

    #[test]
    fn cubes_are_solved_and_faults_are_named() {
        let answer: Value = serde_json::from_str(&solve("R U F", 21, 30, 10_000).unwrap()).unwrap();
        assert_eq!((&answer["solution"], &answer["length"]), (&json!("F' U' R'"), &json!(3)));
        assert_eq!(code(solve("R U Q", 21, 30, 1000)), "unreadable_cube");
        let twisted = "UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
        assert_eq!(code(solve(twisted, 21, 30, 1000)), "impossible_cube");
        assert_eq!(code(solve("R L U D F B R U L", 0, 3, 10_000)), "no_solution_within_limits");
    }

    #[test]
    fn scrambles_are_cubes_and_cubes_are_written_and_drawn() {
        let scrambled: Cube = scramble().unwrap().parse().unwrap();
        assert!(!scrambled.is_solved());
        assert_eq!(convert("R U F", "b32").unwrap(), "GETVSBAH=ZFCXBAGLYTKE=A");
        assert_eq!(code(convert("R U F", "b33")), "option_out_of_range");
        assert!(draw("R U F", "").unwrap().starts_with("<svg"));
        assert_eq!(code(draw("R U F", "side")), "option_out_of_range");
    }
}
