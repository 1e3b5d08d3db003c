//! Frames: the images of a goal under rotations of the cube, with their names.

use superflip_cube::{Face, Move, Symmetry};

/// A part of the name of a goal's place, in the base frame.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// An axis, named by one of its faces: `ud`.
    Axis(Face),
    /// A face: `D`.
    Face(Face),
    /// A slot between faces, in any order: `DL`, `DBL`.
    Slot(&'static [Face]),
}

/// One image of a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    /// Its name, such as `ud`, `ud-fb`, `D` or `D-BL`; empty if the goal has one image only.
    pub(crate) name: String,
    /// Rotation through which the image is seen in the base frame.
    pub(crate) to_base: Symmetry,
}

impl Frame {
    /// Returns every image of a goal at these places, the base frame first.
    pub(crate) fn all(places: &[Place]) -> Vec<Self> {
        let mut out: Vec<Self> = Vec::new();
        for to_base in Symmetry::all().filter(|s| !s.is_reflection()) {
            let name = name(places, to_base);
            if out.iter().all(|frame| frame.name != name) {
                out.push(Self { name, to_base });
            }
        }
        out
    }

    /// Returns whether a caller's word selects the frame: its name, or the first parts of it.
    pub(crate) fn is_named(&self, word: &str) -> bool {
        let name = self.name.as_str();
        let word = word.trim();
        let is_first_part = || {
            let parts = name.get(..word.len()).zip(name.get(word.len()..));
            parts.is_some_and(|(first, rest)| first.eq_ignore_ascii_case(word) && rest.starts_with('-'))
        };
        name.eq_ignore_ascii_case(word) || is_first_part()
    }

    /// Returns a move of the base frame as it is made on the cube.
    pub(crate) fn to_cube(&self, mv: Move) -> Move {
        self.to_base.inverse().conjugate_move(mv)
    }
}

fn name(places: &[Place], to_base: Symmetry) -> String {
    let back = to_base.inverse();
    let image = |face: Face| Move::of(face, 1).map_or(face, |mv| back.conjugate_move(mv).face());
    let part = |place: &Place| match place {
        Place::Axis(face) => image(*face).axis().name().to_ascii_lowercase(),
        Place::Face(face) => image(*face).name().to_owned(),
        Place::Slot(faces) => {
            let mut images: Vec<Face> = faces.iter().map(|&face| image(face)).collect();
            // As pieces are named: U or D first, then the rest in the order of F B R L.
            images.sort_by_key(|face| "UDFBRL".find(face.letter()));
            images.into_iter().map(Face::letter).collect()
        }
    };
    places.iter().map(part).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(places: &[Place]) -> Vec<String> {
        let mut names: Vec<String> = Frame::all(places).into_iter().map(|frame| frame.name).collect();
        names.sort();
        names
    }

    #[test]
    fn frames_are_the_distinct_images() {
        assert_eq!(names(&[]), [""]);
        assert_eq!(names(&[Place::Axis(Face::U)]), ["fb", "rl", "ud"]);
        assert_eq!(names(&[Place::Face(Face::D)]), ["B", "D", "F", "L", "R", "U"]);
        assert_eq!(names(&[Place::Slot(&[Face::D, Face::B])]).len(), 12);
        assert_eq!(names(&[Place::Face(Face::D), Place::Slot(&[Face::B, Face::L])]).len(), 24);
    }

    #[test]
    fn a_first_part_of_a_name_selects_a_frame() {
        let frames = Frame::all(&[Place::Axis(Face::U), Place::Axis(Face::F)]);
        let selected = |word: &str| frames.iter().filter(|frame| frame.is_named(word)).count();
        assert_eq!([selected("ud-fb"), selected("UD"), selected("u"), selected("fb-ud-")], [1, 2, 0, 0]);
    }
}
