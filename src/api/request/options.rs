//! The options of a search, from request to checked values. Each group of fields stands beside its checks.

use std::ops::RangeInclusive;
use std::time::Duration;

use clap::builder::{StringValueParser, TypedValueParser as _};
use clap::{ArgAction, Args};
use serde::Serialize;

use super::cube::{Reached, Start, Target};
use super::machine::MachineOptions;
use crate::api::problem::{Code, Problem};
use crate::api::types::fields::{Fields as _, fields};
use crate::api::types::{ScanDetails, SearchMetric, SolveRequest, SolveResult, TurnList, metric_of_name};
use crate::service::config::Config;
use crate::service::config::limits::{MAX_LENGTH, MAX_METRIC_LENGTH};
use superflip_cube::metric::Metric;
use superflip_cube::{Cube, Face, Moves, TurnSet};
use superflip_scan::repair::MAX_REPAIRS;
use superflip_solver::search::scramble::{MAX_CROSS_LENGTH, MAX_MIN_LENGTH, MAX_SCRAMBLES};
use superflip_solver::search::{MAX_SOLUTIONS, PartialTarget, usual_target};
use superflip_solver::tables::metric::StepSet;
use superflip_solver::{Control, Goal, Solution, SolveError};

/// Returns the suffix of a range error for a maximum that the configuration of a server sets.
pub(crate) const fn of_server(config: &Config) -> &'static str {
    if config.caps_are_lifted { "" } else { ", the maximum of this server" }
}

/// Maximum number of explanations of `/diagnose`, each of which is solved.
pub(crate) const MAX_EXPLANATIONS: u64 = 10;

/// A checked request to solve a cube.
pub struct Task {
    /// Cube to solve.
    pub cube: Cube,
    /// What counts as an answer.
    pub goal: Goal,
    /// Time limit for the wait and the search.
    pub time_limit: Duration,
    /// Time that the request has waited for tables.
    pub waited: Duration,
    /// What a scan adds to the response.
    pub scan: ScanDetails,
    /// The target; `None` for the solved cube.
    pub target: Option<Target>,
    /// Greatest number of values of the coordinate of a target.
    pub max_values: u64,
    /// Name of the field that asks for further tables, if the task needs them: `faces`, `moves` or `metric`.
    pub tables_field: &'static str,
}

impl Task {
    /// Checks the options, then the cube.
    ///
    /// # Errors
    /// Returns an error for the first option that is out of range or contradicts another, or the error of [`CubeAndTarget::start`](crate::api::types::CubeAndTarget::start).
    pub fn new(mut request: SolveRequest, config: &Config) -> Result<Self, Problem> {
        let task = Self::of_options(&request, config, &Control::new())?;
        task.of_start(request.take_ends().start()?)
    }

    /// Checks the options. The cube of the task is the solved one.
    ///
    /// # Errors
    /// Returns an error for the first option that is out of range or contradicts another, or if `control` ended the work on a machine.
    pub fn of_options(request: &SolveRequest, config: &Config, control: &Control) -> Result<Self, Problem> {
        let SolveRequest { limits, search, machine, threads, proofs, .. } = request;
        proofs.check(limits, search)?;
        let mut goal = Goal::default();
        goal.metric = limits.metric();
        goal.turns = search.turns(goal.metric)?;
        proofs.set(&mut goal, search)?;
        let time_limit = limits.set(&mut goal, config)?;
        search.set(&mut goal)?;
        threads.set(&mut goal, config)?;
        machine.set(&mut goal, control)?;
        let (cube, scan) = (Cube::SOLVED, ScanDetails::default());
        let max_values = config.coords.max_space_values.min(PartialTarget::MAX_VALUES);
        let (waited, target) = (Duration::ZERO, None);
        let tables_field = if goal.turns.is_all() { "metric" } else { search.field_of_turns() };
        Ok(Self { cube, goal, time_limit, waited, scan, target, max_values, tables_field })
    }

    /// Replaces the cube, the details of its scan, and the target, for a search.
    ///
    /// # Errors
    /// Returns an error for a target that is too open, and for one that contradicts the metric or the turns.
    pub(crate) fn of_start(self, start: Start) -> Result<Self, Problem> {
        let task = self.without_search(start)?;
        task.goal.check().map_err(|error| task.refused(error))?;
        Ok(task)
    }

    /// Replaces them for a given solution.
    ///
    /// # Errors
    /// Returns an error for a target that is too open.
    pub(crate) fn without_search(self, Start { cube, scan, target }: Start) -> Result<Self, Problem> {
        let partial = target.as_ref().map(|target| target.partial(self.max_values)).transpose()?.flatten().cloned();
        let mut goal = self.goal.to(target.iter().flat_map(Target::cubes));
        goal.partial = partial;
        Ok(Self { cube, goal, scan, target, ..self })
    }

    /// Returns the problem of an error of the search, with the field that was sent.
    pub fn refused(&self, error: SolveError) -> Problem {
        let field = self.tables_field;
        match error {
            SolveError::SeveralTargets { .. } => Problem::from(error).in_field(field),
            SolveError::Outside { .. } => Problem::from(error).in_field(field).with(|document| {
                document.detail = format!("{} Add turns in `{field}`, or check the cube.", document.detail);
            }),
            _ => error.into(),
        }
    }

    /// Returns whether the search needs tables of a metric or of some turns, beside those of the profile.
    pub(crate) fn needs_further_tables(&self) -> bool {
        self.goal.metric != Metric::Htm || !self.goal.turns.is_all()
    }

    /// Returns the response for a solution.
    pub fn answer(&self, outcome: &Solution, queued: Duration) -> SolveResult {
        let is_list = self.goal.solutions > 1 || self.goal.all_shortest;
        let machine = self.goal.machine.as_deref();
        let answer = SolveResult::new(&self.cube, outcome, self.waited + queued)
            .listing(is_list, outcome)
            .executed(outcome, machine);
        let ScanDetails { scan, faces } = self.scan.clone();
        let reached = self.target.as_ref().map(|target| target.reached(&self.cube.after(&outcome.moves)));
        let Reached { facelets: target, holding: target_holding, turn: target_turn } = reached.unwrap_or_default();
        SolveResult { target, target_holding, target_turn, scan, faces, ..answer }
    }
}

/// Adds the maximum of this server to the problem of a number that cannot be read or is out of range, if the configuration sets it.
#[must_use]
pub(crate) fn with_maximum(problem: Problem, Config { search, optimal, .. }: &Config) -> Problem {
    let is_of_value = matches!(problem.code(), Code::InvalidField | Code::OptionOutOfRange);
    let (of_search, of_proof) = match problem.document().field.as_deref().filter(|_| is_of_value) {
        Some("time_limit_ms") => (search.max_time_limit_ms, optimal.max_time_limit_ms),
        Some("threads") => (search.max_threads_per_solve() as u64, optimal.threads() as u64),
        _ => return problem,
    };
    problem.with(|document| {
        let detail = &document.detail;
        document.detail = format!("{detail} The maximum of this server is {of_search}, with `optimal` {of_proof}.");
    })
}

/// Checks an integer option. `why` follows the range in the error.
///
/// # Errors
/// Returns an error for a value out of range.
pub(crate) fn in_range<N: TryFrom<u64>>(
    name: &str,
    value: impl Into<u64>,
    range: RangeInclusive<u64>,
    why: &str,
) -> Result<N, Problem> {
    let value = value.into();
    let checked = N::try_from(value).ok().filter(|_| range.contains(&value));
    checked.ok_or_else(|| {
        let detail = format!("`{name}` is {value}; it must be from {} to {}{why}.", range.start(), range.end());
        Problem::new(Code::OptionOutOfRange, detail).in_field(name)
    })
}

/// Returns the suffix of the range of an integer option, for the same error.
pub(crate) fn after_range_of(option: &str) -> &'static str {
    LimitOptions::after_range_of(option)
}

/// Maximum length of a step of `/steps`.
pub(crate) const MAX_STEP_LENGTH: u64 = superflip_coords::steps::MAX_LENGTH as u64;
/// Maximum number of solutions of a step.
pub(crate) const MAX_STEP_COUNT: u64 = superflip_coords::steps::MAX_COUNT as u64;

/// Returns the range of an integer option of a step.
pub(crate) fn range_of_step(option: &str) -> Option<(u64, Option<u64>)> {
    Some(match option {
        "min" | "max" | "over_best" => (0, Some(MAX_STEP_LENGTH)),
        "count" => (1, Some(MAX_STEP_COUNT)),
        _ => return None,
    })
}

/// Range of an integer option. The upper end is absent if the configuration of the server sets it.
pub(crate) type Range = (u64, Option<u64>);

/// Range of an integer option, for the error of a value that cannot be read.
pub(crate) fn range_of(option: &str) -> Option<Range> {
    const OTHERS: [(&str, Range); 5] = [
        ("min_length", (0, Some(MAX_MIN_LENGTH as u64))),
        ("cross_length", (1, Some(MAX_CROSS_LENGTH as u64))),
        ("limit", (1, Some(MAX_REPAIRS as u64))),
        ("max_explanations", (1, Some(MAX_EXPLANATIONS))),
        ("count", (1, Some(MAX_SCRAMBLES as u64))),
    ];
    let of_groups: [&[(&str, Range)]; 4] =
        [&LimitOptions::RANGES, &SearchOptions::RANGES, &MachineOptions::RANGES, &ThreadOptions::RANGES];
    let mut ranges = of_groups.into_iter().flatten().chain(&OTHERS);
    ranges.find(|(name, _)| *name == option).map(|(_, range)| *range)
}

fields! {
    /// Limits of a search.
    #[derive(Args, Serialize)]
    pub struct LimitOptions {
        /// Stop at the first solution of at most this many moves (default: 20). In another metric than `htm` or with some turns only: of at
        /// most this length, up to 60 (default: `qtm` 27, `stm` 19, `axht` 17, `axqt` 23; with some turns only 0).
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 0, maximum = 60)]
        #[arg(long, value_name = "MOVES")]
        pub target_length: Option<u32>,
        /// Maximum length of a solution, up to 30, or 60 in another metric than `htm` or with some turns only; longer solutions are discarded (default: none).
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 0, maximum = 60)]
        #[arg(long, value_name = "MOVES")]
        pub max_length: Option<u32>,
        /// Time limit in milliseconds (default: 1000; with `optimal` 60000). The best solution found in that time is returned. For one
        /// cube it includes the wait for a thread, for a line of a batch it does not. A value above the server's maximum is refused.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 1)]
        #[arg(long, value_name = "MS", help = "Return the best solution found after this time [default: 1000; for a proof none]")]
        pub time_limit_ms: Option<u64>,
        /// Metric in which all lengths count (default: `htm`). The first request in another metric may have to wait for its tables.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[arg(long, value_name = "METRIC", value_parser = metric_of_name,
            help = "Count all lengths in this metric: htm, qtm, stm, axht or axqt [default: htm]",
            long_help = "Count all lengths in this metric: htm, qtm, stm, axht or axqt [default: htm]\n\n\
                qtm counts a half turn as two. stm counts a turn of a slice, made of turns of two opposite faces, as one. axht and axqt are for \
                robots that turn opposite faces at once: axht counts such turns as one, axqt counts only the quarter turns of the face that \
                turns most. Tables of the metric are built on first use: 130 MB, with --profile standard up to 1.2 GB.")]
        pub metric: Option<SearchMetric>,
    }
}

impl LimitOptions {
    const RANGES: [(&str, Range); 3] = [
        ("target_length", (0, Some(MAX_LENGTH as u64))),
        ("max_length", (0, Some(MAX_LENGTH as u64))),
        ("time_limit_ms", (1, None)),
    ];

    /// Suffix of the range of a length from 0 to [`MAX_LENGTH`]: what allows greater ones.
    const LONGER: &str = ", or to 60 in another metric than `htm` or with `faces` or `moves`";

    /// Returns the suffix of the range of an option.
    fn after_range_of(option: &str) -> &'static str {
        if matches!(option, "target_length" | "max_length") { Self::LONGER } else { "" }
    }

    /// Returns the metric.
    fn metric(&self) -> Metric {
        self.metric.map_or(Metric::Htm, Metric::from)
    }

    /// Sets the limits of a goal that has its metric, its turns and whether it is a proof, and returns the time limit.
    fn set(&self, goal: &mut Goal, config: &Config) -> Result<Duration, Problem> {
        let Config { search, optimal: proofs, .. } = config;
        let is_usual = goal.metric == Metric::Htm && goal.turns.is_all();
        let (longest, why) = if is_usual { (MAX_LENGTH, Self::LONGER) } else { (MAX_METRIC_LENGTH, "") };
        let length = |name, length| in_range(name, length, 0..=longest.into(), why);
        goal.target_length = match self.target_length {
            Some(target) => length("target_length", target)?,
            // No length is known that searches with these turns reach soon.
            None if !goal.turns.is_all() => 0,
            None if goal.metric == Metric::Htm => search.default_target_length,
            None => usual_target(goal.metric),
        };
        goal.max_length = self.max_length.map(|most| length("max_length", most)).transpose()?;
        let (usual, most) = if goal.is_proof {
            (proofs.default_time_limit_ms, proofs.max_time_limit_ms)
        } else {
            (search.default_time_limit_ms, search.max_time_limit_ms)
        };
        let time_limit_ms = self.time_limit_ms.unwrap_or(usual);
        in_range("time_limit_ms", time_limit_ms, 1..=most, of_server(config)).map(Duration::from_millis)
    }

    /// Returns the time limit before the options are checked.
    pub fn time_limit(&self, Config { search, .. }: &Config) -> Duration {
        let limit = self.time_limit_ms.unwrap_or(search.default_time_limit_ms);
        Duration::from_millis(limit.min(search.max_time_limit_ms))
    }

    /// Takes absent options of a line from the query. A proof has no target length.
    pub(crate) fn or_of_query(self, query: &Self, proofs: &ProofOptions) -> Self {
        let own = self.target_length;
        let options = self.or(query);
        let target_length = if proofs.is_optimal() { own } else { options.target_length };
        Self { target_length, ..options }
    }
}

const _: () = assert!(MAX_METRIC_LENGTH == 60, "as the suffix says");

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
    const RANGES: [(&str, Range); 1] = [("solutions", (1, Some(MAX_SOLUTIONS as u64)))];

    /// Returns the name of the field that restricts the turns.
    fn field_of_turns(&self) -> &'static str {
        if self.faces.is_some() { "faces" } else { "moves" }
    }

    /// Reads the allowed turns.
    fn turns(&self, metric: Metric) -> Result<TurnSet, Problem> {
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
    fn set(&self, goal: &mut Goal) -> Result<(), Problem> {
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

fields! {
    /// Proofs of solutions.
    #[derive(Args, Serialize)]
    pub struct ProofOptions {
        /// Continue until the solution is proven optimal (default: false). Cubes more than ten moves from solved need a server with a
        /// table for optimal solutions (`optimal.table`: `s`, `m`, `l` or `xl`). Cannot be combined with `target_length`.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[arg(long, action = ArgAction::SetTrue, conflicts_with = "target_length",
            help = "Search until each solution is proven shortest",
            long_help = "Search until each solution is proven shortest\n\n\
                With --time-limit-ms a solution may be unproven. In a batch each thread proves one cube at a time; a line may turn the proof \
                off with \"optimal\": false.")]
        pub optimal: Option<bool>,
        /// Only with `optimal`: find and count all optimal solutions, and list the first `solutions` of them (then 100 by default).
        /// Solutions that differ only in the order of moves of opposite faces count once (default: false).
        #[serde(skip_serializing_if = "Option::is_none")]
        #[arg(long, action = ArgAction::SetTrue, requires = "optimal", help = "With --optimal: find all shortest solutions")]
        pub all_solutions: Option<bool>,
    }
}

impl ProofOptions {
    /// Returns whether a proof is asked for.
    pub fn is_optimal(&self) -> bool {
        self.optimal == Some(true)
    }

    /// Returns whether all optimal solutions are asked for.
    pub(crate) fn lists_all(&self) -> bool {
        self.all_solutions == Some(true)
    }

    /// Returns the options of the shell, where an absent flag is false.
    #[must_use]
    pub fn of_flags(&self) -> Self {
        let given = |flag: Option<bool>| flag.filter(|is_given| *is_given);
        Self { optimal: given(self.optimal), all_solutions: given(self.all_solutions) }
    }

    /// Refuses options that contradict each other.
    fn check(&self, limits: &LimitOptions, search: &SearchOptions) -> Result<(), Problem> {
        let (field, detail) = match (self.is_optimal(), self.lists_all()) {
            (true, _) if limits.target_length.is_some() => (
                "target_length",
                "`target_length` cannot be combined with `optimal`: an optimal search stops at the shortest solution only. Remove one of them; \
                 `max_length` is allowed with both.",
            ),
            (true, false) if search.solutions.is_some_and(|count| count > 1) => (
                "solutions",
                "`solutions` above 1 needs `all_solutions` when `optimal` is true. Add `\"all_solutions\": true` to find all optimal \
                 solutions, or remove `solutions`.",
            ),
            (false, true) => (
                "all_solutions",
                "`all_solutions` needs `optimal`, because only a proof finds all shortest solutions. Add `\"optimal\": true`, or use \
                 `solutions` for the best ones found in time.",
            ),
            _ => return Ok(()),
        };
        Err(Problem::new(Code::OptionOutOfRange, detail).in_field(field))
    }

    /// Asks a goal that has its metric and its turns for a proof.
    fn set(&self, goal: &mut Goal, search: &SearchOptions) -> Result<(), Problem> {
        (goal.is_proof, goal.all_shortest) = (self.is_optimal(), self.lists_all());
        if goal.is_proof && !goal.turns.is_all() {
            return Err(Problem::turns_not_provable().in_field(search.field_of_turns()));
        }
        if goal.is_proof && !matches!(goal.metric, Metric::Htm | Metric::Qtm) {
            return Err(Problem::metric_not_provable(goal.metric));
        }
        Ok(())
    }

    /// Takes absent options of a line from the query. Only a proof lists all solutions.
    pub(crate) fn or_of_query(self, query: &Self) -> Self {
        let own = self.all_solutions;
        let options = self.or(query);
        Self { all_solutions: if options.is_optimal() { options.all_solutions } else { own }, ..options }
    }
}

fields! {
    /// Threads of a search.
    #[derive(Args)]
    pub struct ThreadOptions {
        /// Number of threads for this search (default: 1). A value above the server's maximum is refused.
        #[schema(minimum = 1)]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024),
            help = "Number of search threads [default: 1; with --batch or --optimal one per core]",
            long_help = "Number of search threads [default: 1; with --batch or --optimal one per core]\n\n\
                All threads search one cube together. In a batch each thread searches its own cubes. Without one, it \
                helps with the proofs of the others.")]
        pub threads: Option<u32>,
    }
}

impl ThreadOptions {
    const RANGES: [(&str, Range); 1] = [("threads", (1, None))];

    /// Sets the number of threads of a goal that is a proof or not.
    fn set(&self, goal: &mut Goal, config: &Config) -> Result<(), Problem> {
        // Counting the cores is a system call, so do it only if the option is given.
        goal.threads = self.threads.map_or(Ok(1), |count| {
            let most = if goal.is_proof { config.optimal.threads() } else { config.search.max_threads_per_solve() };
            in_range("threads", count, 1..=most as u64, of_server(config))
        })?;
        Ok(())
    }
}
