//! Requests for scrambles. Draws cubes, finds a maneuver to each, and writes their scrambles; the entry point is [`generate()`].

use std::collections::HashSet;
use std::time::Duration;

use web_time::Instant;

use crate::control::{Cancelled, Clock, Control};
use crate::search::Search;
use crate::search::goal::{AvoidedAxes, Goal};
use crate::search::near::{Near, REACH};
use crate::search::phase_one::Direction;
use crate::search::scramble::random_states::{Cross, Draw, RandomStates, WideMoves};
use crate::search::scramble::subset::Subset;
use crate::search::scramble::{
    DEFAULT_MAX_LENGTH, DEFAULT_MIN_LENGTH, MAX_MAX_LENGTH, MAX_MIN_LENGTH, MAX_SCRAMBLES, MAX_SEED_BYTES,
    MIN_MAX_LENGTH, PROVEN_MIN_LENGTH, ScrambleError, ScrambleKind,
};
use crate::search::solution::SolveError;
use crate::tables::{TableSet, Tables};
use superflip_cube::{Cube, Move, Moves, TurnGroup, TurnSet};

/// One scramble.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scramble {
    /// The scramble in WCA notation, wide moves included.
    pub text: String,
    /// Its face moves, without the wide moves of `333ni`; with the fixed moves of `333fm`.
    pub moves: Vec<Move>,
    /// The wide moves at its end. Only `333ni` has some.
    pub wide_moves: WideMoves,
    /// The cube after it, turned back to the holding at the start.
    pub cube: Cube,
}

impl Scramble {
    /// Returns the cube as it is held after the scramble.
    #[must_use]
    pub fn held(&self) -> Cube {
        self.wide_moves.holding().from_home(&self.cube)
    }
}

/// The answer to a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scrambles {
    /// The scrambles, with distinct cubes, or with the given cubes.
    pub scrambles: Vec<Scramble>,
    /// Whether the generator of the operating system selects the cubes; false with a seed or one given cube.
    pub random: bool,
    /// The seed, if there was one.
    pub seed: Option<String>,
}

/// Returns scrambles to distinct random cubes of a subset, or distinct scrambles to the cubes of the request. For what it guarantees of the
/// cubes, see [`ScrambleRequest::min_length`].
///
/// # Examples
/// ```no_run
/// use superflip_solver::search::scramble::{ScrambleRequest, generate};
/// use superflip_solver::{Control, Solver};
///
/// let solver = Solver::open_default()?;
/// let request = ScrambleRequest { count: 5, subset: "last_layer".parse()?, ..ScrambleRequest::default() };
/// for scramble in generate(solver.tables(), &request, &Control::new())?.scrambles {
///     println!("{}", scramble.text);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a field of the request is outside its limits, the subset has too few cubes, the deadline passed, the operating system
/// supplies no random numbers, or `control` was cancelled. No scramble is returned then.
///
/// # Panics
/// When a scramble does not lead to its cube, which is a bug.
pub fn generate(tables: &Tables, request: &ScrambleRequest, control: &Control) -> Result<Scrambles, ScrambleError> {
    generate_with(tables, &[], request, control)
}

/// Draws scrambles as [`generate()`], of some turns too. `sets` has the tables of [`ScrambleRequest::turns`].
///
/// # Errors
/// As [`generate()`], and when the tables are missing or the turns do not reach the cubes of the request.
///
/// # Panics
/// As [`generate()`].
pub fn generate_with(
    tables: &Tables,
    sets: &[TableSet],
    request: &ScrambleRequest,
    control: &Control,
) -> Result<Scrambles, ScrambleError> {
    request.check()?;
    let mut maneuvers = Maneuvers { tables, sets, request, control, done: 0 };
    if !request.cubes.is_empty() {
        return to_given(maneuvers);
    }
    let min_length = request.min_length;
    let mut states = request.states()?;
    let drawable = states.count();
    let mut known = HashSet::new();
    let mut scrambles = Vec::with_capacity(request.count);
    while scrambles.len() < request.count {
        maneuvers.done = scrambles.len();
        if known.len() as u128 == drawable {
            let (subset, cubes, count) = (request.subset.to_string(), scrambles.len() as u128, request.count);
            return Err(ScrambleError::TooFewCubes { subset, cubes, min_length, count });
        }
        let cube = states.next_cube()?;
        if !known.insert(cube) {
            continue;
        }
        if min_length > DEFAULT_MIN_LENGTH && maneuvers.is_nearer(&cube, min_length)? {
            continue;
        }
        let wide_moves = match request.kind {
            ScrambleKind::NoInspection => states.next_wide_moves()?,
            ScrambleKind::Normal | ScrambleKind::OneHanded | ScrambleKind::FewestMoves => WideMoves::default(),
        };
        let found = self::scrambles(&maneuvers, cube, wide_moves, 1)?;
        // The moves that `max_length` counts. A proof that the cube has no shorter solution would take too long.
        let counted = |scramble: &Scramble| scramble.moves.len() - 2 * request.kind.padding().len();
        let is_long = |scramble: &Scramble| min_length <= PROVEN_MIN_LENGTH || counted(scramble) >= min_length.into();
        scrambles.extend(found.into_iter().filter(is_long));
    }
    Ok(Scrambles { scrambles, random: request.seed.is_none(), seed: request.seed.clone() })
}

/// Returns scrambles to the cubes of the request.
fn to_given(mut maneuvers: Maneuvers<'_>) -> Result<Scrambles, ScrambleError> {
    let request = maneuvers.request;
    let mut cubes = request.cubes.clone();
    let mut draw = Draw::of(None);
    if cubes.len() > 1 && !request.turns.is_all() {
        let group = TurnGroup::new(request.turns);
        let reached: Vec<Cube> = cubes.iter().copied().filter(|cube| group.contains(cube)).collect();
        // Without any, the search says why the first is not reached.
        cubes = if reached.is_empty() { cubes } else { reached };
    }
    draw.shuffle(&mut cubes)?;
    let (each, more) = (request.count / cubes.len(), request.count % cubes.len());
    let mut found = Vec::with_capacity(request.count);
    for (at, &cube) in cubes.iter().enumerate() {
        let count = each + usize::from(at < more);
        if count > 0 {
            maneuvers.done = found.len();
            found.extend(scrambles(&maneuvers, cube, WideMoves::default(), count)?);
        }
    }
    let random = request.cubes.len() > 1;
    if random {
        draw.shuffle(&mut found)?;
    }
    Ok(Scrambles { scrambles: found, random, seed: None })
}

/// Finds and writes `count` scrambles to a cube.
fn scrambles(
    maneuvers: &Maneuvers<'_>,
    cube: Cube,
    wide_moves: WideMoves,
    count: usize,
) -> Result<Vec<Scramble>, ScrambleError> {
    let kind = maneuvers.request.kind;
    // The whole scramble is `padding * middle * padding * wide moves`.
    let padding = Cube::SOLVED.after(kind.padding()).inverse();
    let middle = padding.then(&cube).then(&Cube::SOLVED.after(wide_moves.moves()).inverse()).then(&padding);
    let after: Vec<Move> = kind.padding().iter().chain(wide_moves.moves()).copied().collect();
    let avoided = AvoidedAxes::between(kind.padding(), &after);
    let found = maneuvers.to(&middle, avoided, count)?.into_iter();
    let written = found.map(|maneuver| {
        let moves = [kind.padding(), &maneuver, kind.padding()].concat();
        let replayed = Cube::SOLVED.after(&moves).after(wide_moves.moves());
        assert!(replayed == cube, "a scramble was found that does not lead to {cube:?}");
        let mut text = Moves::from(&moves).to_string();
        for wide in wide_moves.names() {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(wide);
        }
        Scramble { text, moves, wide_moves, cube }
    });
    Ok(written.collect())
}

/// A request for scrambles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScrambleRequest {
    /// The kind of all scrambles.
    pub kind: ScrambleKind,
    /// Number of scrambles, 1 to [`MAX_SCRAMBLES`]. Their cubes are distinct, or with `cubes` the scrambles are.
    pub count: usize,
    /// Greatest number of random moves, [`MIN_MAX_LENGTH`] to [`MAX_MAX_LENGTH`]. As in the official program, the six fixed
    /// moves of `333fm` and the wide moves of `333ni` do not count.
    pub max_length: u8,
    /// Cubes with a known solution of fewer moves are drawn again, 0 to [`MAX_MIN_LENGTH`]. Up to [`PROVEN_MIN_LENGTH`], no cube has
    /// a shorter solution. Above it, the scramble has at least this length, without the moves that do not count for `max_length`.
    pub min_length: u8,
    /// Cubes to draw from.
    pub subset: Subset,
    /// Turns of the scrambles. The cubes are drawn from all that these turns reach, and `subset` must be the default. The turns
    /// need their tables in HTM.
    pub turns: TurnSet,
    /// Cross that the cubes must have, drawn from all cubes.
    pub cross: Option<Cross>,
    /// Seed of 1 to [`MAX_SEED_BYTES`] bytes. An integer is written as its decimal digits. Without a seed the cubes are random.
    pub seed: Option<String>,
    /// Cubes that the scrambles lead to, if any are given: to each of them equally many or one more, in random order. Only `kind`, without wide
    /// moves, `count`, `max_length` and `turns` have an effect then. Cubes that the turns do not reach are left out if they reach others.
    pub cubes: Vec<Cube>,
}

impl Default for ScrambleRequest {
    /// One random `333` scramble.
    fn default() -> Self {
        Self {
            kind: ScrambleKind::default(),
            count: 1,
            max_length: DEFAULT_MAX_LENGTH,
            min_length: DEFAULT_MIN_LENGTH,
            subset: Subset::default(),
            turns: TurnSet::ALL,
            cross: None,
            seed: None,
            cubes: Vec::new(),
        }
    }
}

impl ScrambleRequest {
    /// Checks everything that [`generate()`] checks before it searches.
    ///
    /// # Errors
    /// The first field that is outside its limits, or that the subset has too few cubes.
    pub fn check(&self) -> Result<(), ScrambleError> {
        if !(1..=MAX_SCRAMBLES).contains(&self.count) {
            return Err(ScrambleError::Count { given: self.count });
        }
        if !(MIN_MAX_LENGTH..=MAX_MAX_LENGTH).contains(&self.max_length) {
            return Err(ScrambleError::MaxLength { given: self.max_length });
        }
        self.check_together()?;
        if !self.cubes.is_empty() {
            return Ok(());
        }
        if self.min_length > MAX_MIN_LENGTH {
            return Err(ScrambleError::MinLength { given: self.min_length });
        }
        if let Some(length) = self.seed.as_deref().map(str::len).filter(|length| !(1..=MAX_SEED_BYTES).contains(length))
        {
            return Err(ScrambleError::Seed { length });
        }
        self.states()?.check_count(self.count)
    }

    /// Returns the source of the cubes.
    pub(super) fn states(&self) -> Result<RandomStates, ScrambleError> {
        let seed = self.seed.as_deref();
        let states = if self.turns.is_all() {
            RandomStates::new(self.subset, seed, self.min_length)
        } else {
            RandomStates::of_turns(self.turns, seed, self.min_length)
        };
        // A source counts one scramble.
        let of_request = |mut error| {
            if let ScrambleError::TooFewCubes { count, .. } = &mut error {
                *count = self.count;
            }
            error
        };
        Ok(states.map_err(of_request)?.with_cross(self.cross))
    }

    /// Checks that no field contradicts another.
    fn check_together(&self) -> Result<(), ScrambleError> {
        let (restricts, draws_subset) = (!self.turns.is_all(), self.subset != Subset::ALL);
        let has_other_moves = matches!(self.kind, ScrambleKind::NoInspection | ScrambleKind::FewestMoves);
        let found = [
            (
                restricts && has_other_moves,
                "kind",
                "with `faces`, the kind must be `333` or `333oh`, because the other kinds turn other faces too",
            ),
            (
                restricts && draws_subset,
                "subset",
                "with `faces`, the cubes are all that these faces reach; remove `subset` or `faces`",
            ),
            (
                self.cross.is_some() && (restricts || draws_subset),
                "cross_length",
                "with `cross_length`, the cubes are drawn from all cubes; remove `cross_length`, or remove `subset` and `faces`",
            ),
            // A search for several solutions may enumerate those that cancel with the fixed moves without end.
            (
                !self.cubes.is_empty() && self.count > self.cubes.len() && self.kind == ScrambleKind::FewestMoves,
                "count",
                "with the kind `333fm`, there is one scramble to each given cube; lower `count`, or use the kind `333`",
            ),
        ];
        if let Some((_, field, reason)) = found.into_iter().find(|(is_wrong, ..)| *is_wrong) {
            return Err(ScrambleError::Contradiction { field, reason });
        }
        self.cross.map_or(Ok(()), Cross::check)
    }
}

/// Greatest time for one maneuver. A search usually takes well under a millisecond. The limit ends searches for
/// cubes that have few maneuvers within the greatest length, or none that avoids the axes.
const MAX_TIME: Duration = Duration::from_secs(10);

/// Searches for maneuvers, one after the other.
struct Maneuvers<'t> {
    tables: &'t Tables,
    /// The tables of some turns.
    sets: &'t [TableSet],
    request: &'t ScrambleRequest,
    control: &'t Control,
    /// Number of scrambles that were found.
    done: usize,
}

impl Maneuvers<'_> {
    /// Returns whether the cube has a solution of fewer than `length` moves, and of at most [`REACH`].
    fn is_nearer(&self, cube: &Cube, length: u8) -> Result<bool, ScrambleError> {
        // A search of a few microseconds does not check the control.
        self.control.check().map_err(|why| self.ended(why))?;
        let near = Near::new(self.tables, cube, &Direction::all(self.tables, cube));
        let length = length.saturating_sub(1).min(REACH);
        near.is_within(length, &mut Clock::new(self.control)).map_err(|why| self.ended(why))
    }

    /// Returns the error of a request that a control ended.
    fn ended(&self, why: Cancelled) -> ScrambleError {
        match why {
            Cancelled::Deadline => ScrambleError::TimeLimit { done: self.done, count: self.request.count },
            Cancelled::ByCaller => ScrambleError::Cancelled,
        }
    }

    /// Returns `count` maneuvers of at most `max_length` moves from solved to the cube that avoid the axes. They differ in more than the
    /// order of turns of opposite faces. For one cube they are always the same: time decides only whether there is an answer. Axes can be
    /// avoided only with all turns.
    fn to(&self, cube: &Cube, avoided: AvoidedAxes, count: usize) -> Result<Vec<Vec<Move>>, ScrambleError> {
        let ScrambleRequest { max_length, turns, .. } = *self.request;
        let limited = self.control.until(Instant::now() + MAX_TIME);
        limited.check().map_err(|why| self.ended(why))?;
        // A maneuver to the cube is the inverse of a solution. The search has no deadline: at a deadline it would answer with
        // what it has.
        let goal = Goal::within(max_length).solutions(count).turns(turns);
        let search = Search::new(self.tables, self.sets, cube, &goal);
        let mut search = search.avoiding(avoided.inverse()).controlled_by(&self.control.with_deadline(None));
        while !search.step(&mut |_, _| {}) {
            limited.check().map_err(|why| self.ended(why))?;
        }
        match search.finish() {
            Ok(solution) => {
                let inverse = |moves: &[Move]| Moves::from(moves.to_vec()).inverse().into();
                let found: Vec<Vec<Move>> = solution.all().map(inverse).collect();
                if found.len() < count {
                    return Err(ScrambleError::TooFewManeuvers { found: found.len(), max_length });
                }
                Ok(found)
            }
            Err(SolveError::Cancelled { .. }) => Err(ScrambleError::Cancelled),
            Err(SolveError::NoneWithin { .. } | SolveError::Unproven { .. }) => {
                Err(ScrambleError::NoManeuver { max_length })
            }
            Err(error) => Err(ScrambleError::Search(error)),
        }
    }
}
