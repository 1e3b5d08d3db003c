//! Why steps cannot be searched.

use superflip_solver::Cancelled;

/// Example of a chain.
const EXAMPLE: &str = "EO > DR > HTR > FIN";

/// Why a step or a chain cannot be searched.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StepError {
    /// No goal has this name.
    #[error("no goal is called `{name}`")]
    UnknownGoal {
        /// The unknown name.
        name: String,
    },
    /// The goal has no image of this name.
    #[error("the goal `{goal}` has no axis `{axis}`; its axes are {known}")]
    UnknownAxis {
        /// Name of the goal.
        goal: String,
        /// The unknown name.
        axis: String,
        /// The known names, separated by commas.
        known: String,
    },
    /// The distances of a composed coordinate are not known.
    #[error("the distances of `{label}` are not known, so it cannot be a goal")]
    NoDistances {
        /// The expression.
        label: String,
    },
    /// The cube has not reached what the step needs.
    #[error("the goal `{goal}` needs a cube with {needs}{}; reach that in a step before it", .axis.as_ref().map_or_else(String::new, |axis| format!(" on the axis `{axis}`")))]
    NotReady {
        /// Name of the goal.
        goal: String,
        /// What the cube must have reached.
        needs: &'static str,
        /// The selected axes, if any were selected.
        axis: Option<String>,
    },
    /// None of the allowed moves is a move of the step.
    #[error("none of the allowed moves can be used in the goal `{goal}`; use some of {known}")]
    NoMoves {
        /// Name of the goal.
        goal: String,
        /// The moves of the step on one axis.
        known: String,
    },
    /// The goal does not allow moves on the inverse cube together with normal moves.
    #[error("the goal `{goal}` allows no moves on the inverse cube; use the side `normal`")]
    NoInverse {
        /// Name of the goal.
        goal: String,
    },
    /// The least length exceeds the greatest.
    #[error("the least length {min} of the step `{goal}` exceeds its greatest length {max}")]
    EmptyRange {
        /// Name of the goal.
        goal: String,
        /// Least length.
        min: u8,
        /// Greatest length.
        max: u8,
    },
    /// The goal reaches no subset of domino reduction.
    #[error("the goal `{goal}` reaches no domino reduction, so `subsets` cannot be used with it")]
    NoSubsets {
        /// Name of the goal.
        goal: String,
    },
    /// A name is not one of a subset of domino reduction.
    #[error("`{name}` is no subset of domino reduction; expected a name such as `4a1` or `4a1 4e`")]
    UnknownSubset {
        /// The unknown name.
        name: String,
    },
    /// An option of a step in a text is not known.
    #[error("`{option}` is no option of the step `{goal}`; expected {known}")]
    UnknownOption {
        /// Name of the goal.
        goal: String,
        /// The option as it is written.
        option: String,
        /// What is expected.
        known: String,
    },
    /// An option of a step in a text is given twice.
    #[error("the step `{goal}` has the option `{option}` twice; give it once")]
    RepeatedOption {
        /// Name of the goal.
        goal: String,
        /// Name of the option.
        option: String,
    },
    /// The value of an option is not valid.
    #[error("the step `{goal}` cannot have `{option}`; expected {expected}")]
    InvalidOption {
        /// Name of the goal.
        goal: String,
        /// The option with its value.
        option: String,
        /// What it may be.
        expected: String,
    },
    /// A bracket of a step in a text is not closed at its end.
    #[error("the options of `{step}` must end with `]`, and the next step begins after `>`")]
    OpenBracket {
        /// The step as it is written.
        step: String,
    },
    /// A text has alternative steps.
    #[error("alternatives with `|` are not supported; search each chain")]
    Alternatives,
    /// A chain has no steps.
    #[error("the chain is empty; write one or more steps, such as `{EXAMPLE}`")]
    NoSteps,
    /// A step in a text has no goal.
    #[error("step {number} is empty; write its goal, or remove the `>` beside it")]
    EmptyStep {
        /// Number of the step, counted from 1.
        number: usize,
    },
    /// The work was stopped by its stop flag.
    #[error("the search was stopped")]
    Cancelled(#[from] Cancelled),
}
