//! Turns that a search may use, and the number of its solutions.

use clap::Args;
use clap::builder::{StringValueParser, TypedValueParser as _};

use super::{Range, in_range};
use crate::api::problem::{Code, Problem};
use crate::api::request::options::ProofOptions;
use crate::api::types::TurnList;
use crate::api::types::fields::{Fields as _, fields};
use superflip_cube::metric::Metric;
use superflip_cube::{Face, Moves, TurnSet};
use superflip_solver::Goal;
use superflip_solver::search::MAX_SOLUTIONS;
use superflip_solver::tables::metric::StepSet;

fields! {
    /// Solutions to find.
    #[derive(Args)]
    pub struct SearchOptions {
        /// Letters of the faces that may turn, such as `URFDL` (default: all). Five faces reach every cube; a cube that fewer faces do not
        /// reach is refused. The first request with these faces may have to wait for their tables. Without `target_length`, the search
        /// uses its whole time limit.
        #[arg(long, value_name = "FACES")]
        pub faces: Option<String>,
        /// Moves that may be used, as a text or a list, such as `U U2 U' D D2 D' R2 L2 F2 B2` (default: all). The inverse of each move must be
        /// listed too. The moves must generate all cubes, the subgroup of phase 2 along an axis, or the group of half turns. Cannot be
        /// combined with `faces`.
        #[schema(value_type = Option<String>)]
        #[arg(long, value_name = "MOVES", value_parser = StringValueParser::new().map(TurnList::Text), conflicts_with = "faces")]
        pub moves: Option<TurnList>,
        /// Number of distinct solutions to find, best first (default: 1). If above 1, the response lists them in `solutions`, and the
        /// search continues until each of them satisfies `target_length`.
        #[schema(minimum = 1, maximum = 100)]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_SOLUTIONS as i64),
            help = "Number of distinct solutions to find, shortest first, one on a line [default: 1; with --all-solutions 100]")]
        pub solutions: Option<u32>,
    }
}

impl SearchOptions {
    pub(super) const RANGES: [(&str, Range); 1] = [("solutions", (1, Some(MAX_SOLUTIONS as u64)))];

    /// Returns the name of the field that restricts the turns.
    pub(super) fn field_of_turns(&self) -> &'static str {
        if self.faces.is_some() { "faces" } else { "moves" }
    }

    /// Reads the allowed turns.
    pub(super) fn turns(&self, metric: Metric) -> Result<TurnSet, Problem> {
        let out_of_range = |field, detail: String| Problem::new(Code::OptionOutOfRange, detail).in_field(field);
        match (&self.faces, &self.moves) {
            (None, None) => Ok(TurnSet::ALL),
            (Some(_), Some(_)) => {
                Err(out_of_range("moves", "`moves` cannot be combined with `faces`. Remove one of them.".to_owned()))
            }
            (Some(faces), None) => turns_of_faces(faces),
            (None, Some(list)) => {
                let moves = list.text().parse::<Moves>().map_err(|error| {
                    let error = error.to_string();
                    let error = error.trim_end_matches('.');
                    out_of_range("moves", format!("`moves` cannot be read: {error}. Expected moves such as `U U2 U'`."))
                })?;
                let turns: TurnSet = moves.iter().copied().collect();
                if let Some(lonely) = turns.without_inverse() {
                    let detail = format!(
                        "`moves` has {}, but not its inverse {}. Add it.",
                        lonely.name(),
                        lonely.inverse().name()
                    );
                    return Err(Problem::new(Code::UnsupportedMoves, detail).in_field("moves"));
                }
                if StepSet::supports(metric, turns) {
                    return Ok(turns);
                }
                let detail = "`moves` generate neither all cubes, nor the subgroup of phase 2 along an axis, nor the group of half turns; or they \
                              cannot be searched in two phases in this metric. Add moves, or use `faces`, which may be any.";
                Err(Problem::new(Code::UnsupportedMoves, detail).in_field("moves"))
            }
        }
    }

    /// Sets the number of solutions.
    pub(super) fn set(&self, goal: &mut Goal) -> Result<(), Problem> {
        goal.solutions = match self.solutions {
            Some(count) => in_range("solutions", count, 1..=MAX_SOLUTIONS as u64, "")?,
            None if goal.all_shortest => MAX_SOLUTIONS,
            None => 1,
        };
        Ok(())
    }

    /// Takes absent options of a line from the query. Faces and moves are two ways to say the same. A proof of one solution lists no others.
    pub(crate) fn or_of_query(self, query: &Self, proofs: &ProofOptions) -> Self {
        let own = self.clone();
        let options = self.or(query);
        let has_turns = own.faces.is_some() || own.moves.is_some();
        let (faces, moves) = if has_turns { (own.faces, own.moves) } else { (options.faces, options.moves) };
        let lists = !proofs.is_optimal() || proofs.lists_all();
        Self { faces, moves, solutions: if lists { options.solutions } else { own.solutions } }
    }
}

/// Reads `faces`: the letters of the faces that may turn.
///
/// # Errors
/// Returns an error if there is no letter, or another symbol.
pub(crate) fn turns_of_faces(faces: &str) -> Result<TurnSet, Problem> {
    let letters = faces.chars().filter(|letter| !letter.is_whitespace());
    let read: Option<Vec<Face>> = letters.map(Face::from_letter).collect();
    read.filter(|faces| !faces.is_empty()).map(TurnSet::of_faces).ok_or_else(|| {
        let wrong = faces.chars().find(|letter| !letter.is_whitespace() && Face::from_letter(*letter).is_none());
        let found = wrong.map_or_else(|| "is empty".to_owned(), |letter| format!("has the symbol `{letter}`"));
        let detail =
            format!("`faces` {found}; expected one or more of the letters U, R, F, D, L and B, such as `URFDL`.");
        Problem::new(Code::OptionOutOfRange, detail).in_field("faces")
    })
}
