//! Groups of symmetries, by name, and which symmetries act on a coordinate.
//!
//! A symmetry s acts on the values of a coordinate if the value of s g s^-1 depends only on the value of g. For the
//! cosets H * g of a subgroup H, this holds exactly if s H s^-1 = H.

use std::sync::LazyLock;

use crate::space::cosets;
use superflip_cube::{Axis, Cube, Face, Move, Symmetry};
use superflip_solver::coord;
use superflip_solver::coord::Descriptor;

/// Named group of symmetries.
#[derive(Debug)]
pub struct Group {
    /// Name in expressions.
    pub name: &'static str,
    /// Property that its members keep.
    pub keeps: &'static str,
    /// Indices of its members.
    pub symmetries: Vec<Symmetry>,
}

/// Every named group.
pub static GROUPS: LazyLock<Vec<Group>> = LazyLock::new(|| {
    let group = |name, keeps, is_member: &dyn Fn(Symmetry) -> bool| Group {
        name,
        keeps,
        symmetries: Symmetry::all().filter(|&s| is_member(s)).collect(),
    };
    let keeps_axis = |s: Symmetry, axis: Axis| image(s, Face::ALL[axis.index()]).axis() == axis;
    let keeps_face = |s: Symmetry, face: Face| image(s, face) == face;
    vec![
        group("ALL48", "every rotation and reflection", &|_| true),
        group("ROT24", "every rotation", &|s| !s.is_reflection()),
        group("UD16", "the UD axis", &|s| keeps_axis(s, Axis::Ud)),
        group("RL16", "the RL axis", &|s| keeps_axis(s, Axis::Rl)),
        group("FB16", "the FB axis", &|s| keeps_axis(s, Axis::Fb)),
        group("UD8", "the UD axis, rotations only", &|s| keeps_axis(s, Axis::Ud) && !s.is_reflection()),
        group("U8", "the U face", &|s| keeps_face(s, Face::U)),
        group("U4", "the U face, rotations only", &|s| keeps_face(s, Face::U) && !s.is_reflection()),
        group("AXES8", "each of the three axes", &|s| Axis::ALL.iter().all(|&axis| keeps_axis(s, axis))),
        group("ID1", "everything: the identity alone", &|s| s == Symmetry::IDENTITY),
    ]
});

/// Returns the group of this name.
pub fn named(name: &str) -> Option<&'static Group> {
    GROUPS.iter().find(|group| group.name.eq_ignore_ascii_case(name))
}

/// Returns the face to whose moves conjugation by `s` maps moves of `face`.
fn image(s: Symmetry, face: Face) -> Face {
    Move::of(face, 1).map_or(face, |mv| s.conjugate_move(mv).face())
}

impl Group {
    /// Returns the index of a symmetry among the members, or `None` if it is not a member.
    pub fn position(&self, s: Symmetry) -> Option<usize> {
        self.symmetries.binary_search(&s).ok()
    }

    /// Returns the number of members.
    pub fn order(&self) -> usize {
        self.symmetries.len()
    }
}

/// Describes a symmetry: its kind, and the images of the faces U and F.
pub fn describe(s: Symmetry) -> String {
    // Conjugation by s (s m s^-1, first s) maps a move to where the inverse of s carries it.
    let u = image(s.inverse(), Face::U);
    let f = image(s.inverse(), Face::F);
    match s {
        Symmetry::IDENTITY => "identity".into(),
        _ if s.is_reflection() => format!("reflection or rotoreflection: U to {}, F to {}", u.letter(), f.letter()),
        _ => format!("rotation: U to {}, F to {}", u.letter(), f.letter()),
    }
}

/// Returns which of the 48 symmetries act on the values of a coordinate.
pub fn acting(coordinate: &Descriptor) -> Vec<Symmetry> {
    acting_on(coordinate.moves(), coordinate.index, coordinate.representative)
}

/// Returns which of the 48 symmetries act on the values of a coordinate. `index` gives the value of a cube, and `representative`
/// a cube with a value.
pub(crate) fn acting_on(
    moves: &[Move],
    index: impl Fn(&Cube) -> Option<u32>,
    representative: impl Fn(u32) -> Cube,
) -> Vec<Symmetry> {
    let members = subgroup_members(moves, |cube| Some(representative(index(cube)?)));
    Symmetry::all().filter(|s| members.iter().all(|h| index(&s.conjugate(h)) == Some(0))).collect()
}

fn raw() -> impl Iterator<Item = &'static Descriptor> {
    coord::all().chain(cosets::ALL)
}

/// Returns [`acting`], computed once for every raw coordinate.
pub fn acting_cached(coordinate: &Descriptor) -> &'static [Symmetry] {
    static ACTING: LazyLock<Vec<Vec<Symmetry>>> = LazyLock::new(|| raw().map(acting).collect());
    let place = raw().position(|known| known == coordinate);
    place.map_or(&[], |place| &ACTING[place])
}

/// Returns members of the subgroup H whose cosets a coordinate numbers: c * r^-1 for pseudorandom cubes c and the
/// representatives r of their cosets. They generate H with overwhelming probability. The sequence is deterministic.
fn subgroup_members(moves: &[Move], representative: impl Fn(&Cube) -> Option<Cube>) -> Vec<Cube> {
    const MEMBERS: usize = 48;
    const STEPS_BETWEEN: usize = 25;
    let mut cube = Cube::SOLVED;
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut members = Vec::with_capacity(MEMBERS);
    while members.len() < MEMBERS {
        for _ in 0..STEPS_BETWEEN {
            // Xorshift (Marsaglia).
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let mv = usize::try_from(state % moves.len() as u64).unwrap_or(0);
            cube = cube.then(moves[mv].cube());
        }
        let Some(twin) = representative(&cube) else { break };
        members.push(cube.then(&twin.inverse()));
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_groups_of_the_order_in_their_names() {
        for group in GROUPS.iter() {
            let order: usize = group.name.trim_start_matches(char::is_alphabetic).parse().unwrap();
            assert_eq!(group.order(), order, "{}", group.name);
            assert_eq!(group.symmetries[0], Symmetry::IDENTITY);
            for &a in &group.symmetries {
                for &b in &group.symmetries {
                    assert!(group.position(a.then(b)).is_some(), "{}", group.name);
                }
            }
        }
        // The numbering of sym-coordinates relies on it.
        let ud16 = named("ud16").unwrap();
        assert!(ud16.symmetries.iter().enumerate().all(|(place, s)| place == s.index()));
    }

    #[test]
    fn what_acts_is_what_the_geometry_says() {
        let names = |coordinate| {
            let acting = acting(coordinate);
            GROUPS.iter().find(|group| group.symmetries == acting).map_or("another group", |group| group.name)
        };
        assert_eq!(names(&coord::TWIST), "UD16");
        assert_eq!(names(&coord::SLICE), "UD16");
        assert_eq!(names(&coord::FLIP_SLICE), "UD16");
        assert_eq!(names(&coord::FLIP), "FB16");
        assert_eq!(names(&coord::INDEX_FLIP_X), "RL16");
        assert_eq!(names(&coord::INDEX_FLIP_Y), "UD16");
        assert_eq!(names(&coord::U_EDGES), "U8");
        assert_eq!(names(&coord::CORNER_PERM), "ALL48");
        assert_eq!(names(&coord::EDGE_PERM), "ALL48");
    }
}
