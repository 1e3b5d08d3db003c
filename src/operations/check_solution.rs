//! `/check-solution` and `superflip check-solution`: checks a written solution of fewest moves.

use axum::extract::State;
use clap::Args;
use serde::Serialize;

use crate::api::problem::{Code, Problem};
use crate::api::request::cube::ReadCube;
use crate::api::types::CubeRequest;
use crate::api::types::fields::fields;
use crate::cli::args::{examples, format_of_name, forms_help};
use crate::cli::input::{solution_of, text_of};
use crate::cli::{Failure, print, print_json, refuse};
use crate::contract::{self, ToSchema};
use crate::http::extract::{JsonBody, NoQuery};
use crate::http::json::Json;
use crate::http::{AppState, operation};
use superflip_cube::Form;
use superflip_cube::forms::plural;
use superflip_cube::notation::fewest_moves::{self, Rule, moves_of_inverse};

fields! {
    /// A cube in exactly one of its forms, and a written solution.
    pub struct Request as SolutionCheckRequest {
        ..cube: CubeRequest,
        /// Solution as it is written, at most 1000 characters. Symbols that the regulations do not define are broken rules in a response
        /// with status 200, not errors.
        #[schema(example = "U R U' R'", max_length = 1000)]
        pub solution: String,
    }
}

/// Result of the check of a written solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SolutionCheck {
    /// Whether the solution counts: it solves the cube and breaks no rule.
    pub valid: bool,
    /// Whether the moves solve the cube, in any holding. Moves whose notation breaks a rule are judged too, if their notation is one that
    /// scrambles accept. Null if they cannot be read.
    pub solves: Option<bool>,
    /// Length in the outer block turn metric, which does not count rotations; null if the notation breaks a rule.
    pub length: Option<usize>,
    /// Length in the execution turn metric, which counts rotations; null if the notation breaks a rule.
    pub executed: Option<usize>,
    /// Rules that the solution breaks, in the order of the text; rules that concern the whole solution are last.
    pub broken_rules: Vec<BrokenRule>,
    /// Cube after the moves, as 54 letters URFDLB; null if the moves cannot be read.
    pub facelets: Option<String>,
    /// Number of moves that the beginnings of the solution and of the inverse scramble share; null if the cube is not given as moves, or if
    /// the solution cannot be read. From 4 on, a solution may be disqualified (guideline E2e++).
    pub inverse_scramble_moves: Option<usize>,
}

impl SolutionCheck {
    /// Creates the response.
    pub(crate) fn new(check: &fewest_moves::SolutionCheck, inverse_scramble_moves: Option<usize>) -> Self {
        Self {
            valid: check.is_valid(),
            solves: check.solves(),
            length: check.length,
            executed: check.executed,
            broken_rules: check.broken.iter().cloned().map(Into::into).collect(),
            facelets: check.end.map(|end| end.to_string()),
            inverse_scramble_moves,
        }
    }
}

/// Rule that a solution breaks.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct BrokenRule {
    /// Rule, as a stable word.
    #[schema(value_type = crate::api::types::described::SolutionRule)]
    pub rule: Rule,
    /// Number of the WCA regulation.
    #[schema(example = "E2c4")]
    pub regulation: &'static str,
    /// Symbols that break the rule; empty if it concerns the whole solution.
    #[schema(example = "R2'")]
    pub symbols: String,
    /// Number of the first of these symbols in the solution, in characters from 1; null if the rule concerns the whole solution.
    pub character: Option<usize>,
    /// Explanation, and what to write instead.
    pub message: String,
}

impl From<fewest_moves::BrokenRule> for BrokenRule {
    fn from(fewest_moves::BrokenRule { rule, symbols, character, message }: fewest_moves::BrokenRule) -> Self {
        Self { rule, regulation: rule.regulation(), symbols, character, message }
    }
}

/// Maximum number of characters of a solution. 80 moves, the most that are allowed, have at most 399 with a space between them.
const MAX_CHARACTERS: usize = 1000;

/// Checks the length of a solution, before anything is read.
///
/// # Errors
/// Returns an error for a text that is too long.
fn check_size(solution: &str) -> Result<(), Problem> {
    let characters = solution.chars().count();
    if characters <= MAX_CHARACTERS {
        return Ok(());
    }
    let detail = format!("`solution` has {characters} characters; it must have at most {MAX_CHARACTERS}.");
    Err(Problem::new(Code::OptionOutOfRange, detail).in_field("solution"))
}

/// Reads the cube and checks the solution.
///
/// # Errors
/// Returns the errors of [`CubeRequest::read`]. Faults of the solution are part of the answer.
fn check(request: CubeRequest, solution: &str) -> Result<SolutionCheck, Problem> {
    let ReadCube { cube, moves, .. } = request.read()?;
    let shared = moves.and_then(|moves| moves_of_inverse(&moves.setup, solution));
    Ok(SolutionCheck::new(&fewest_moves::SolutionCheck::new(&cube, solution), shared))
}

/// Check a written solution
///
/// Checks a solution of the event 3x3x3 Fewest Moves by the WCA regulations of January 2024. The response says whether it solves the cube in
/// any holding, its length in the outer block turn metric, and the rules that it breaks. Only face moves, outer block moves and rotations
/// in the notation of regulation 12a are allowed. A solution that breaks a rule gets status 200, with `valid` false and the place of each
/// fault. A cube that cannot be read is an error.
#[contract::path(post, path = "/check-solution", tag = "solve", operation_id = "check_solution",
    request_body(content = Request, examples(
        ("valid" = (summary = "Three moves after a rotation", value = json!({"scramble": "R U F", "solution": "x U' B' R'"}))),
        ("notation" = (summary = "A half turn with an apostrophe", value = json!({"scramble": "R2 U F", "solution": "F' U' R2'"})))
    )),
    responses((status = 200, description = "The result of the check", body = SolutionCheck,
        example = json!({"valid": false, "solves": true, "length": null, "executed": null, "broken_rules": [
            {"rule": "half_turn_apostrophe", "regulation": "E2c4", "symbols": "R2'", "character": 7,
                "message": "`R2'`: a half turn has no apostrophe. Write `R2`."}],
            "facelets": "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB", "inverse_scramble_moves": 3})),
        Problems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    _: NoQuery,
    JsonBody(Request { cube, solution }): JsonBody<Request>,
) -> Result<Json<SolutionCheck>, Problem> {
    check_size(&solution)?;
    state.read(cube, move |cube| check(cube, &solution)).await.map(Json)
}

operation! {
    routes {
        "/check-solution": post post;
    }
    links {
        POST "/check-solution" "Check a written solution of fewest moves";
    }
    problems {
        /// Problems of `POST /check-solution`.
        Problems: BODY QUERY CUBE [OptionOutOfRange];
    }
}

/// Check a written solution of fewest moves
///
/// Applies the WCA regulations of January 2024: the solution must solve the cube in any holding, and contain only face moves (R, R', R2), outer
/// block moves (Rw or 2Rw) and rotations (x y z). Prints the length in the outer block turn metric, or each broken rule with the number of the
/// first wrong symbol, counted from 1. It needs no tables.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip check-solution \"R U F\" \"x U' B' R'\"
  superflip check-solution \"R2 U F\" \"F' U' R2'\"
  superflip check-solution - \"F' U' R'\" --json < scramble.txt
  superflip check-solution \"R U F\" - < solution.txt"),
    after_long_help = "Exit codes: 0 the solution is valid, 1 it is not, 2 the cube or a flag is invalid."
)]
pub struct Flags {
    /// Scramble, another form of the cube, or - for standard input
    // A maneuver never starts with a hyphen, so this only lets `-` through.
    #[arg(value_name = "CUBE", allow_hyphen_values = true)]
    pub cube: String,
    /// Solution as it is written, or - for standard input
    #[arg(value_name = "SOLUTION", allow_hyphen_values = true)]
    pub solution: String,
    /// Form of the cube, if its text has several meanings [default: it is recognised]
    #[arg(long, value_name = "FORM", value_parser = format_of_name, long_help = forms_help())]
    pub format: Option<Form>,
    /// Write JSON as POST /check-solution does, errors too
    #[arg(long)]
    pub json: bool,
}

/// Number of first moves of the inverse scramble from which on a solution may be disqualified (guideline E2e++).
const MANY_OF_INVERSE: usize = 4;

/// Checks one solution.
///
/// # Errors
/// Returns an error if the cube is invalid, and exit code 1 if the solution is.
pub(crate) fn run(args: &Flags) -> Result<(), Failure> {
    if args.cube == "-" && args.solution == "-" {
        let message =
            "CUBE and SOLUTION are both `-`, but standard input is read once; give one of them as an argument";
        return Err(Failure::Input(message.to_owned()));
    }
    let request = CubeRequest { format: args.format, ..CubeRequest::of_text(text_of(&args.cube)?) };
    let solution = solution_of(&args.solution)?;
    let body = check_size(&solution).and_then(|()| check(request, &solution));
    let body = body.map_err(|problem| refuse(args.json, &problem, 2))?;
    if args.json { print_json(&body) } else { print(&text(&body)) }?;
    if body.valid { Ok(()) } else { Err(Failure::Reported(1)) }
}

/// Formats the length, or a line for each broken rule, and a warning about the moves of the inverse scramble.
fn text(body: &SolutionCheck) -> String {
    let shared = body.inverse_scramble_moves.filter(|shared| *shared >= MANY_OF_INVERSE).map_or_else(String::new, |shared| {
        format!(
            "  E2e: the inverse scramble begins with the same {shared} moves; with {MANY_OF_INVERSE} or more, the solution may be \
             disqualified\n"
        )
    });
    if let (true, Some(length)) = (body.valid, body.length) {
        return format!("valid: {length} move{}\n{shared}", plural(length));
    }
    let line = |broken: &BrokenRule| {
        let place = broken.character.map_or_else(String::new, |character| format!(", character {character}"));
        format!("  {}{place}: {}\n", broken.regulation, broken.message)
    };
    let solves = match body.solves {
        Some(true) => "the moves solve the cube",
        Some(false) => "the moves do not solve the cube",
        None => "the moves cannot be read",
    };
    format!("not valid; {solves}\n{}{shared}", body.broken_rules.iter().map(line).collect::<String>())
}
