//! Draws cubes and writes their scrambles; the entry point [`generate()`].

use std::collections::HashSet;

use super::draw::Draw;
use super::error::ScrambleError;
use super::kind::ScrambleKind;
use super::limits::{DEFAULT_MIN_LENGTH, PROVEN_MIN_LENGTH};
use super::maneuver::{Maneuvers, NoManeuver};
use super::request::ScrambleRequest;
use super::wide_moves::WideMoves;
use crate::control::Control;
use crate::search::avoided_axes::AvoidedAxes;
use crate::tables::{TableSet, Tables};
use superflip_cube::{Cube, Move, Moves, TurnGroup};

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

/// Draws scrambles as [`generate()`], of some turns too. `metrics` has the tables of [`ScrambleRequest::turns`].
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
    let maneuvers = Maneuvers { tables, sets, turns: request.turns, max_length: request.max_length, control };
    if !request.cubes.is_empty() {
        return to_given(&maneuvers, request);
    }
    let min_length = request.min_length;
    let mut states = request.states()?;
    let drawable = states.count();
    let mut known = HashSet::new();
    let mut scrambles = Vec::with_capacity(request.count);
    while scrambles.len() < request.count {
        let done = scrambles.len();
        if known.len() as u128 == drawable {
            let (subset, cubes, count) = (request.subset.to_string(), done as u128, request.count);
            return Err(ScrambleError::TooFewCubes { subset, cubes, min_length, count });
        }
        let cube = states.next_cube()?;
        if !known.insert(cube) {
            continue;
        }
        let is_near = min_length > DEFAULT_MIN_LENGTH
            && maneuvers.is_nearer(&cube, min_length).map_err(|why| error(why, request, done))?;
        if is_near {
            continue;
        }
        let wide_moves = match request.kind {
            ScrambleKind::NoInspection => states.next_wide_moves()?,
            ScrambleKind::Normal | ScrambleKind::OneHanded | ScrambleKind::FewestMoves => WideMoves::default(),
        };
        let found = self::scrambles(&maneuvers, request.kind, cube, wide_moves, 1);
        let found = found.map_err(|why| error(why, request, done))?;
        // The moves that `max_length` counts. A proof that the cube has no shorter solution would take too long.
        let counted = |scramble: &Scramble| scramble.moves.len() - 2 * request.kind.padding().len();
        let is_long = |scramble: &Scramble| min_length <= PROVEN_MIN_LENGTH || counted(scramble) >= min_length.into();
        scrambles.extend(found.into_iter().filter(is_long));
    }
    Ok(Scrambles { scrambles, random: request.seed.is_none(), seed: request.seed.clone() })
}

/// Returns scrambles to the cubes of the request.
fn to_given(maneuvers: &Maneuvers<'_>, request: &ScrambleRequest) -> Result<Scrambles, ScrambleError> {
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
            let scrambles = scrambles(maneuvers, request.kind, cube, WideMoves::default(), count);
            found.extend(scrambles.map_err(|why| error(why, request, found.len()))?);
        }
    }
    let random = request.cubes.len() > 1;
    if random {
        draw.shuffle(&mut found)?;
    }
    Ok(Scrambles { scrambles: found, random, seed: None })
}

/// Returns the error of a request after `done` scrambles were found.
fn error(why: NoManeuver, request: &ScrambleRequest, done: usize) -> ScrambleError {
    match why {
        NoManeuver::Cancelled => ScrambleError::Cancelled,
        NoManeuver::TooLong => ScrambleError::NoManeuver { max_length: request.max_length },
        NoManeuver::TooFew(found) => ScrambleError::TooFewManeuvers { found, max_length: request.max_length },
        NoManeuver::Search(error) => ScrambleError::Search(error),
        NoManeuver::TimeLimit => ScrambleError::TimeLimit { done, count: request.count },
    }
}

/// Finds and writes `count` scrambles to a cube.
fn scrambles(
    maneuvers: &Maneuvers<'_>,
    kind: ScrambleKind,
    cube: Cube,
    wide_moves: WideMoves,
    count: usize,
) -> Result<Vec<Scramble>, NoManeuver> {
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
