//! Reads the cubes that the moves may lead to: the target, and what it leaves open.
//!
//! The target takes the forms of the cube at the start. Each unknown sticker and each option multiplies the cubes: `target_up_to_turn`
//! by the four turns of a face, `target_up_to_rotation` by the 24 holdings. If the unknown stickers leave too many cubes to list, they are
//! searched as a set, which a coordinate describes.

use std::collections::HashSet;

use super::{ReadCube, has_unknown, read_object, read_text};
use crate::api::problem::{Code, Problem};
use crate::api::request::read::short;
use crate::api::types::{CubeAndTarget, CubeValue, ScanDetails, TargetOptions};
use superflip_cube::forms::{Buffers, Read, from_facelet_order, in_facelet_order, without_list};
use superflip_cube::geometry::CENTRE_FACELETS;
use superflip_cube::{Cube, Face, Form, FormError, Holding, Move};
use superflip_scan::order_of;
use superflip_scan::repair::{Costs, Ranking, Stickers, completions};
use superflip_solver::search::PartialTarget;

/// What a target describes without its options, and how it is held, if its form says so.
struct Described {
    cubes: Vec<Cube>,
    /// The set of cubes that have the known stickers, if they are too many to list.
    partial: Option<(PartialTarget, Box<Problem>)>,
    holding: Option<Holding>,
}

/// Greatest number of cubes of a target.
const MAX_CUBES: usize = 1000;

/// The cube at the start, and where the moves must lead.
pub struct Start {
    /// The cube at the start.
    pub cube: Cube,
    /// What a scan adds to the response.
    pub scan: ScanDetails,
    /// The target; `None` for the solved cube.
    pub target: Option<Target>,
}

impl CubeAndTarget {
    /// Returns whether both are read within microseconds, as for [`CubeRequest`](crate::api::types::CubeRequest::is_quick).
    pub(crate) fn is_quick(&self) -> bool {
        self.cube.is_quick() && !has_unknown(self.target.target.as_ref())
    }

    /// Reads the cube and the target.
    ///
    /// # Errors
    /// Returns the errors of [`CubeRequest::read`](crate::api::types::CubeRequest::read), for the target with the field `target`.
    pub fn start(self) -> Result<Start, Problem> {
        let Some(target) = TargetFields::of(self.target)? else {
            let (cube, scan) = self.cube.cube_and_scan()?;
            return Ok(Start { cube, scan, target: None });
        };
        let ReadCube { cube, holding, scan, .. } = self.cube.read()?;
        Ok(Start { cube, scan, target: Some(target.read(holding)?) })
    }

    /// Reads the cubes that a scramble may lead to: those of the target, or else the cube.
    ///
    /// # Errors
    /// Returns the errors of [`CubeAndTarget::start`], and an error if the target stands for too many cubes to list.
    pub(crate) fn destinations(self) -> Result<Vec<Cube>, Problem> {
        let Some(target) = TargetFields::of(self.target)? else { return self.cube.cube().map(|cube| vec![cube]) };
        let target = target.read(None)?;
        target.partial.as_ref().map_or_else(|| Ok(target.cubes().collect()), |(_, problem)| Err((**problem).clone()))
    }
}

/// The cubes that the moves may lead to.
#[derive(Clone, Debug)]
pub struct Target {
    cubes: Vec<TargetCube>,
    /// The set of cubes, if they are too many to list, and the problem of a server that does not search it.
    partial: Option<(PartialTarget, Box<Problem>)>,
    /// Whether the answer names the holding.
    is_up_to_rotation: bool,
    /// Whether the answer names the turn.
    is_up_to_turn: bool,
}

/// One of the cubes, held as the start.
#[derive(Clone, Copy, Debug)]
struct TargetCube {
    cube: Cube,
    /// How to hold the cube to see the target.
    holding: Holding,
    /// The turn that is missing then.
    turn: Option<Move>,
}

/// What an answer says about the target.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// The cube after the moves.
    pub facelets: Option<String>,
    /// How to hold it to see the target, if that is open.
    pub holding: Option<Holding>,
    /// The turn that is missing then, if that is open.
    pub turn: Option<String>,
}

impl Target {
    /// Returns the set of cubes, if they are too many to list.
    ///
    /// # Errors
    /// Returns an error if its coordinate has more than `max_values` values.
    pub fn partial(&self, max_values: u64) -> Result<Option<&PartialTarget>, Problem> {
        match &self.partial {
            Some((target, problem)) if target.values() > max_values => {
                let (values, problem) = (target.values(), (**problem).clone());
                Err(problem.with(|document| {
                    let detail = &document.detail;
                    document.detail = format!(
                        "{detail} As a set, they are a coordinate of {values} values; at most {max_values} are searched \
                         (coords.max_space_values)."
                    );
                }))
            }
            partial => Ok(partial.as_ref().map(|(target, _)| target)),
        }
    }

    /// Returns the cubes.
    pub fn cubes(&self) -> impl Iterator<Item = Cube> {
        self.cubes.iter().map(|target| target.cube)
    }

    /// Describes the cube after the moves.
    pub fn reached(&self, end: &Cube) -> Reached {
        let found = self.cubes.iter().find(|target| target.cube == *end);
        Reached {
            facelets: Some(end.to_string()),
            holding: found.filter(|_| self.is_up_to_rotation).map(|target| target.holding),
            turn: found
                .filter(|_| self.is_up_to_turn)
                .map(|target| target.turn.map_or_else(String::new, |turn| turn.to_string())),
        }
    }
}

/// The fields that describe the target.
struct TargetFields {
    cube: CubeValue,
    format: Option<Form>,
    is_up_to_rotation: bool,
    up_to_turn: Option<Face>,
}

impl TargetFields {
    fn of(options: TargetOptions) -> Result<Option<Self>, Problem> {
        let TargetOptions { target, target_format: format, target_up_to_rotation: rotation, target_up_to_turn: turn } =
            options;
        let Some(cube) = target else {
            let options = [
                ("target_format", format.is_some()),
                ("target_up_to_rotation", rotation.is_some()),
                ("target_up_to_turn", turn.is_some()),
            ];
            let Some((field, _)) = options.into_iter().find(|(_, is_given)| *is_given) else { return Ok(None) };
            let detail = format!("`{field}` describes `target`. Give the cube in `target`, or remove `{field}`.");
            return Err(Problem::new(Code::OptionOutOfRange, detail).in_field(field));
        };
        let up_to_turn = turn.as_deref().map(face_of).transpose()?;
        Ok(Some(Self { cube, format, is_up_to_rotation: rotation == Some(true), up_to_turn }))
    }

    /// Reads the cubes that the target describes without its options, and how they are held.
    fn described(&self) -> Result<Described, Problem> {
        let text = self.cube.text();
        if let Some((text, known)) = text
            && let Some(described) = completed(&without_list(text), self.format.or(known)).map_err(in_target)?
        {
            return Ok(described);
        }
        let read = match &self.cube {
            CubeValue::Text(text) => read_text(text, self.format, None),
            CubeValue::Faces(text) if self.format.is_none() => read_text(text, Some(Form::Facelets), None),
            object if matches!(self.format, None | Some(Form::KPattern)) => read_object(Some(object)),
            _ => {
                let detail = "`target_format` describes a text, but `target` is an object. Remove `target_format`.";
                return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("target_format"));
            }
        };
        let ReadCube { cube, holding, .. } = read.map_err(in_target)?;
        Ok(Described { cubes: vec![cube], partial: None, holding })
    }

    /// Reads the target, and turns it to the holding of the start if both say how they are held.
    fn read(self, start: Option<Holding>) -> Result<Target, Problem> {
        let Described { cubes: read, partial, holding } = self.described()?;
        if let Some((_, problem)) = &partial {
            // A set is searched as it is written, held as the start.
            let is_held_alike = start.is_none() || holding.is_none() || start == holding;
            if !is_held_alike || self.is_up_to_rotation || self.up_to_turn.is_some() {
                return Err((**problem).clone());
            }
            return Ok(Target { cubes: Vec::new(), partial, is_up_to_rotation: false, is_up_to_turn: false });
        }
        let as_start = |cube: &Cube| match (start, holding) {
            (Some(start), Some(end)) => start.from_home(&end.to_home(cube)),
            _ => *cube,
        };
        let turns = self.up_to_turn.map_or(1, |_| 4);
        let holdings = if self.is_up_to_rotation { &Holding::ALL[..] } else { &[Holding::HOME] };
        let (mut cubes, mut known) = (Vec::new(), HashSet::new());
        for quarters in 0..turns {
            let made = self.up_to_turn.and_then(|face| Move::of(face, quarters));
            let missing = made.map(|made| as_start(made.inverse().cube()));
            let turn = missing.and_then(|cube| Move::ALL.into_iter().find(|mv| *mv.cube() == cube));
            for (cube, &holding) in read.iter().flat_map(|cube| holdings.iter().map(move |holding| (cube, holding))) {
                let turned = as_start(&made.map_or(*cube, |made| cube.then(made.cube())));
                let cube = holding.to_home(&turned);
                if known.insert(cube) {
                    cubes.push(TargetCube { cube, holding, turn });
                }
            }
        }
        if cubes.len() > MAX_CUBES {
            let detail = format!(
                "`target` with its options describes {} cubes; at most {MAX_CUBES} are searched. Give more stickers, or fewer options.",
                cubes.len()
            );
            return Err(Problem::new(Code::TargetTooOpen, detail).in_field("target"));
        }
        let (is_up_to_rotation, is_up_to_turn) = (self.is_up_to_rotation, self.up_to_turn.is_some());
        Ok(Target { cubes, partial: None, is_up_to_rotation, is_up_to_turn })
    }
}

/// Returns the legal cubes that have the known stickers of a text with unknown ones, and how they are held; `None` for other texts, and
/// if there is no such cube. It takes some milliseconds.
fn completed(text: &str, format: Option<Form>) -> Result<Option<Described>, Problem> {
    // The query of a link begins with `?` too.
    if !text.contains(Stickers::UNKNOWN) || text.contains("://") {
        return Ok(None);
    }
    let format = format.or_else(|| has_home_centres(text).then_some(Form::Facelets));
    let Err(FormError::UnknownStickers { formats, .. }) = Read::of(text, format, Buffers::default()) else {
        return Ok(None);
    };
    let format = order_of(text, &formats)?;
    let Some(facelets) = in_facelet_order(text, format) else { return Ok(None) };
    let stickers = Stickers::parse(&facelets)?;
    let found = completions(&stickers);
    let Some(first) = found.first else { return Ok(None) };
    // In the form of the text: there, the symbols of the centres say how the cube is held.
    let rewritten = from_facelet_order(&first.facelets, format).unwrap_or_else(|| first.facelets.clone());
    let holding = Read::of(&rewritten, Some(format), Buffers::default()).ok().and_then(|read| read.holding);
    let costs = Costs::of_stickers(&stickers);
    if found.total > MAX_CUBES as u128 {
        let detail = format!(
            "{} legal cubes have the known stickers; at most {MAX_CUBES} are searched. Give more of the stickers in `doubtful`.",
            found.total
        );
        let example = first.cube;
        let problem = Problem::new(Code::TargetTooOpen, detail).with(|document| {
            (document.completions, document.example) = (Some(found.total.to_string()), Some(first.facelets));
            document.doubtful = Some(found.undecided);
        });
        let partial = PartialTarget::new(
            example,
            |slot, piece, twist| costs.of_corner(slot, piece, twist) == 0,
            |slot, piece, flip| costs.of_edge(slot, piece, flip) == 0,
        );
        return Ok(Some(Described {
            cubes: Vec::new(),
            partial: Some((partial, Box::new(in_target(problem)))),
            holding,
        }));
    }
    let cubes = Ranking::new(&costs).up_to(0).map(|ranked| ranked.cube).collect();
    Ok(Some(Described { cubes, partial: None, holding }))
}

/// Returns whether a text of 54 symbols has the letters U R F D L B on its centres, in the order of facelets.
fn has_home_centres(text: &str) -> bool {
    let symbols: Vec<char> = text.chars().filter(|symbol| !symbol.is_whitespace()).collect();
    let is_home = |(facelet, face): (&usize, Face)| {
        symbols.get(*facelet).is_some_and(|symbol| Face::from_letter(symbol.to_ascii_uppercase()) == Some(face))
    };
    CENTRE_FACELETS.iter().zip(Face::ALL).all(is_home)
}

/// Reads a face.
fn face_of(name: &str) -> Result<Face, Problem> {
    Face::ALL.into_iter().find(|face| face.name() == name).ok_or_else(|| {
        let detail = format!("`target_up_to_turn` is `{}`; it must be a face: U, R, F, D, L or B.", short(name));
        Problem::new(Code::OptionOutOfRange, detail).in_field("target_up_to_turn")
    })
}

/// Attributes a problem of a cube to the target.
fn in_target(problem: Problem) -> Problem {
    problem.within("target").with(|document| document.detail = document.detail.replace("`format", "`target_format"))
}
