//! Checks a request of a client of `twips serve`.
//!
//! Supported is the 3x3x3 of cubing.js. Solutions have face moves, and rotations at the end if the centres of the two patterns differ.

use std::collections::BTreeSet;

use super::rotations::{self, Rotations};
use crate::api::types::{Pattern, TwipsDefinition, TwipsRequest, TwipsSearchArgs, TwipsTransformation};
use crate::service::config::limits::MAX_LENGTH;
use superflip_cube::forms::{KPattern, Orbit};
use superflip_cube::{Cube, Face, Holding, Move, Moves};

/// Orbits of the 3x3x3 with the numbers of their pieces and orientations. The last one may be absent.
const ORBITS: [(&str, u32, u32); 3] = [("EDGES", 12, 2), ("CORNERS", 8, 3), ("CENTERS", 6, 4)];

/// A checked request.
#[derive(Debug)]
pub struct TwipsTask {
    /// Cube whose solution leads from the pattern to the target, but for rotations.
    pub cube: Cube,
    /// Maximum number of moves. `None` for no limit.
    pub max_length: Option<u8>,
    /// Rotations behind the face moves.
    rotations: Rotations,
}

impl TwipsTask {
    /// Checks a request. Returns `None` if no solution is short enough.
    ///
    /// # Errors
    /// Returns a text that says what is not supported, or why a pattern is no cube.
    pub fn new(request: &TwipsRequest) -> Result<Option<Self>, String> {
        let TwipsRequest { definition, pattern, start_pattern, search_args } = request;
        check_definition(definition)?;
        let Pattern(target) = start_pattern.as_ref().unwrap_or(&definition.default_pattern);
        check_centres(definition, target)?;
        let defaults = TwipsSearchArgs::default();
        let args = search_args.as_ref().unwrap_or(&defaults);
        let moves = check_arguments(args)?;
        let (from, held) = cube_of("pattern", &pattern.0)?;
        let (to, end) = cube_of(if start_pattern.is_some() { "startPattern" } else { "defaultPattern" }, target)?;
        let Some(rotations) = rotations::between(held, end, moves.as_ref()) else {
            return Err("the centres of pattern differ from those of the target, so the solution needs a rotation; add x, y and z, \
                or M, E and S, to searchArgs.generatorMoves"
                .to_owned());
        };
        // The target as it is before the rotations.
        let to = held.from_home(&end.to_home(&to));
        let longest = args.max_depth.map(|depth| depth.checked_sub(1 + rotations.moves()));
        let max_length = match longest {
            Some(None) => return Ok(None),
            Some(Some(length)) => Some(u8::try_from(length).unwrap_or(MAX_LENGTH).min(MAX_LENGTH)),
            None => None,
        };
        Ok(Some(Self { cube: to.inverse().then(&from), max_length, rotations }))
    }

    /// Writes the solution with its rotations.
    pub fn alg(&self, moves: &[Move]) -> String {
        let parts = [Moves::from(moves).to_string(), self.rotations.to_string()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

fn cube_of(name: &str, pattern: &KPattern) -> Result<(Cube, Holding), String> {
    pattern.to_cube().map_err(|error| format!("{name}: {error}"))
}

/// Checks the orbits and the six face moves.
fn check_definition(definition: &TwipsDefinition) -> Result<(), String> {
    let orbits = &definition.orbits;
    let is_known = |orbit: &crate::api::types::TwipsOrbit| {
        ORBITS.iter().any(|&(name, pieces, orientations)| {
            let any_orientation = name == "CENTERS" && orbit.num_orientations == 1;
            orbit.orbit_name == name
                && orbit.num_pieces == pieces
                && (orbit.num_orientations == orientations || any_orientation)
        })
    };
    let has = |name: &str| orbits.iter().filter(|orbit| orbit.orbit_name == name).count() == 1;
    if !(orbits.iter().all(is_known) && has("EDGES") && has("CORNERS")) {
        return Err("definition.orbits are not those of the 3x3x3 (12 EDGES, 8 CORNERS, 6 CENTERS); this server solves the 3x3x3 only"
            .to_owned());
    }
    let wrong = Face::ALL.into_iter().find(|face| !has_move(definition, *face));
    wrong.map_or(Ok(()), |face| {
        Err(format!("definition.moves.{face} is not the move {face} of the 3x3x3 of cubing.js; this server solves that puzzle only"))
    })
}

/// Returns whether the definition has the clockwise quarter turn of this face as cubing.js has it.
fn has_move(definition: &TwipsDefinition, face: Face) -> bool {
    let (Some(given), Some(mv)) = (definition.moves.get(face.name()), Move::of(face, 1)) else { return false };
    // The pattern after a move from solved is the transformation of the move.
    let moved = KPattern::of(mv.cube(), Holding::HOME).pattern_data;
    let is = |name: &str, orbit: &Orbit| {
        given.get(name).is_some_and(|TwipsTransformation { permutation, orientation_delta }| {
            (permutation, orientation_delta) == (&orbit.pieces, &orbit.orientation)
        })
    };
    let centres_stay = given.get("CENTERS").is_none_or(|centres| centres.permutation.iter().copied().eq(0..6));
    is("EDGES", &moved.edges) && is("CORNERS", &moved.corners) && centres_stay
}

/// Refuses a target in which the orientations of the centres count.
fn check_centres(definition: &TwipsDefinition, target: &KPattern) -> Result<(), String> {
    let have_orientations =
        definition.orbits.iter().any(|orbit| orbit.orbit_name == "CENTERS" && orbit.num_orientations > 1);
    let count = |centres: &Orbit| {
        centres.orientation_mod.as_ref().is_none_or(|divisors| divisors.iter().any(|divisor| *divisor != 1))
    };
    if have_orientations && target.pattern_data.centers.as_ref().is_some_and(count) {
        return Err("the target has exact orientations of CENTERS, which this server does not solve; set orientationMod of CENTERS to 1"
            .to_owned());
    }
    Ok(())
}

/// Checks the options. Returns the permitted moves, if they are given.
fn check_arguments(args: &TwipsSearchArgs) -> Result<Option<BTreeSet<String>>, String> {
    if let Some(depth) = args.min_depth.filter(|depth| *depth > 0) {
        return Err(format!(
            "searchArgs.minDepth is {depth}, but this server has no least length; set it to 0 or leave it out"
        ));
    }
    if args.quantum_metric == Some(true) {
        return Err(
            "searchArgs.quantumMetric is not supported: this server counts moves; set it to false or leave it out"
                .to_owned(),
        );
    }
    // A quarter turn in either direction generates all moves of its face.
    let plain = |name: &String| name.trim_end_matches('\'').to_owned();
    let moves: Option<BTreeSet<String>> = args.generator_moves.as_ref().map(|moves| moves.iter().map(plain).collect());
    let missing = |moves: &BTreeSet<String>| Face::ALL.into_iter().find(|face| !moves.contains(face.name()));
    if let Some(face) = moves.as_ref().and_then(missing) {
        return Err(format!(
            "searchArgs.generatorMoves does not contain {face}, but this server needs all six faces U L F R B D; add it or leave \
             generatorMoves out"
        ));
    }
    Ok(moves)
}
