//! Chains as text, in the grammar of cubelib: `EO[fb;max=5;niss=always] > DR[subsets=4a1,4b2] > HTR > FIN`.
//!
//! | option | meaning |
//! | --- | --- |
//! | `ud`, `fb-ud`, `D` | an axis of the goal; several are separated by `;` |
//! | `min=2`, `max=5` | least and greatest length of the step |
//! | `limit=10` | greatest number of solutions of each branch |
//! | `niss=none`, `before`, `always` | the side `normal`, `linear` or `mixed` |
//! | `side=inverse` | the side by its own name |
//! | `over_best=1` | greatest excess over the shortest solution |
//! | `one_ending=true` | of solutions that differ in the direction of their last turns, only one |
//! | `subsets=4a1,2c3 4e` | subsets of domino reduction that may be reached; at `HTR`, the subsets of the step before |
//!
//! Without a side, goals whose reached cubes form a group are reached on both sides.

use std::collections::HashSet;

use super::chain::Chain;
use super::error::StepError;
use super::goal::Goal;
use super::sides::Side;
use super::state::is_subset_name;
use super::step::{MAX_COUNT, MAX_LENGTH, Step};

/// The accepted options, for messages.
const OPTIONS: &str = "an axis, min, max, limit, niss, side, over_best, one_ending, subsets";

impl Chain {
    /// Reads a chain of steps, separated by `>`. The options of a step are in brackets, separated by `;`.
    ///
    /// # Examples
    /// ```
    /// use superflip_coords::steps::{Chain, Side};
    ///
    /// let chain = Chain::parse("EO[fb;rl;max=6] > DR[niss=before;subsets=4a1] > HTR > FIN")?;
    /// let steps = chain.steps();
    /// assert_eq!(steps[1].goal.name(), "dr-eo");
    /// assert_eq!((steps[0].max, steps[0].side, steps[1].side), (6, Side::Mixed, Side::Linear));
    /// # Ok::<(), superflip_coords::steps::StepError>(())
    /// ```
    ///
    /// # Errors
    /// When the text is not a chain, or a step is not valid.
    pub fn parse(text: &str) -> Result<Self, StepError> {
        if text.contains('|') {
            return Err(StepError::Alternatives);
        }
        if text.trim().is_empty() {
            return Err(StepError::NoSteps);
        }
        let mut steps: Vec<Step> = Vec::new();
        for part in text.split('>') {
            let (name, options) = match part.trim().split_once('[') {
                None => (part.trim(), ""),
                Some((name, rest)) => {
                    let options = rest
                        .strip_suffix(']')
                        .ok_or_else(|| StepError::OpenBracket { step: part.trim().to_owned() })?;
                    (name.trim(), options)
                }
            };
            if name.is_empty() {
                return Err(StepError::EmptyStep { number: steps.len() + 1 });
            }
            let mut step = Step::named(name)?;
            step.count = usize::MAX;
            step.side = if step.goal.is_group() { Side::Mixed } else { Side::Normal };
            let mut keys = HashSet::new();
            for option in options.split(';').map(str::trim).filter(|option| !option.is_empty()) {
                step.read_option(option)?;
                let key = option.split_once('=').map(|(key, _)| key.trim().to_ascii_lowercase());
                if let Some(option) = key.filter(|key| !keys.insert(key.clone())) {
                    return Err(StepError::RepeatedOption { goal: step.goal.name().to_owned(), option });
                }
            }
            if keys.contains("niss") && keys.contains("side") {
                return Err(invalid_option(&step.goal, "niss and side", "one of them"));
            }
            if step.goal.is("htr") && !step.subsets.is_empty() {
                let Some(before) = steps.last_mut() else {
                    return Err(StepError::NoSubsets { goal: step.goal.name().to_owned() });
                };
                before.subsets.append(&mut step.subsets);
            }
            steps.push(step);
        }
        Self::new(steps)
    }
}

fn invalid_option(goal: &Goal, option: &str, expected: &str) -> StepError {
    StepError::InvalidOption { goal: goal.name().to_owned(), option: option.to_owned(), expected: expected.to_owned() }
}

impl Step {
    fn read_option(&mut self, option: &str) -> Result<(), StepError> {
        let goal = self.goal.clone();
        let invalid = |expected: &str| invalid_option(&goal, option, expected);
        let unknown = |known: &str| StepError::UnknownOption {
            goal: goal.name().to_owned(),
            option: option.to_owned(),
            known: known.to_owned(),
        };
        let Some((key, value)) = option.split_once('=').map(|(key, value)| (key.trim(), value.trim())) else {
            if self.goal.frames().iter().any(|frame| frame.is_named(option)) {
                self.axes.push(option.to_owned());
                return Ok(());
            }
            let axes = self.goal.axes().map(|axis| format!("`{axis}`")).collect::<Vec<_>>().join(", ");
            return Err(unknown(&format!("{OPTIONS}; the axes are {axes}")));
        };
        let length = || {
            let length = value.parse::<u8>().ok().filter(|length| *length <= MAX_LENGTH);
            length.ok_or_else(|| invalid(&format!("a number of moves from 0 to {MAX_LENGTH}")))
        };
        match key.to_ascii_lowercase().as_str() {
            "min" => self.min = length()?,
            "max" => self.max = length()?,
            "over_best" => self.over_best = Some(length()?),
            "limit" => {
                let count = value.parse().ok().filter(|count| (1..=MAX_COUNT).contains(count));
                self.count = count.ok_or_else(|| invalid(&format!("a number of solutions from 1 to {MAX_COUNT}")))?;
            }
            "niss" => {
                self.side = match value.to_ascii_lowercase().as_str() {
                    "none" => Side::Normal,
                    "before" => Side::Linear,
                    "always" => Side::Mixed,
                    _ => return Err(invalid("niss=none, niss=before or niss=always")),
                }
            }
            "side" => {
                let side = Side::ALL.into_iter().find(|side| side.name().eq_ignore_ascii_case(value));
                self.side = side.ok_or_else(|| invalid("side=normal, inverse, linear or mixed"))?;
            }
            "one_ending" => {
                let is_one = value.to_ascii_lowercase().parse();
                self.one_ending = is_one.map_err(|_| invalid("one_ending=true or one_ending=false"))?;
            }
            "subsets" => {
                let names = value.split(',').map(|name| name.trim().to_ascii_lowercase());
                self.subsets = names.collect();
                if !self.subsets.iter().all(|name| is_subset_name(name)) {
                    return Err(invalid("subsets such as 4a1 or 4a1 4e, separated by commas"));
                }
            }
            _ => return Err(unknown(OPTIONS)),
        }
        Ok(())
    }
}
