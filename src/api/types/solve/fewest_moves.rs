//! Request and response of `/check-solution`: written solutions of fewest moves.

use crate::contract::ToSchema;
use serde::{Deserialize, Serialize};

use crate::api::types::strict::word;
use crate::api::types::{ChannelOrder, Colors, CubeValue, Cubies, Knowledge, SolveRequest};
use superflip_cube::Form;
use superflip_cube::notation::fewest_moves::{BrokenRule, Rule, SolutionCheck};

request! {
    schema
    /// A cube in exactly one of its forms, and a written solution.
    #[derive(ToSchema)]
    SolutionCheckRequest: cube {
        /// Solution as it is written, at most 1000 characters. Symbols that the regulations do not define are broken rules in a response
        /// with status 200, not errors.
        #[schema(example = "U R U' R'", max_length = 1000)]
        pub solution: String,
    }
}

/// Result of the check of a written solution.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SolutionCheck)]
pub struct SolutionCheckBody {
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
    pub broken_rules: Vec<BrokenRuleBody>,
    /// Cube after the moves, as 54 letters URFDLB; null if the moves cannot be read.
    pub facelets: Option<String>,
    /// Number of moves that the beginnings of the solution and of the inverse scramble share; null if the cube is not given as moves, or if
    /// the solution cannot be read. From 4 on, a solution may be disqualified (guideline E2e++).
    pub inverse_scramble_moves: Option<usize>,
}

impl SolutionCheckBody {
    /// Creates the response.
    pub fn new(check: &SolutionCheck, inverse_scramble_moves: Option<usize>) -> Self {
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
#[schema(as = BrokenRule)]
pub struct BrokenRuleBody {
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

impl From<BrokenRule> for BrokenRuleBody {
    fn from(BrokenRule { rule, symbols, character, message }: BrokenRule) -> Self {
        Self { rule, regulation: rule.regulation(), symbols, character, message }
    }
}
