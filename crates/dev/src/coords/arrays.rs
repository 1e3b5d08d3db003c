//! A maneuver as four arrays, read off the sticker model, to be damaged by tests.

use serde_json::{Value, json};
use superflip_coords::four_arrays::{ArrayName, Convention, FourArrays};
use superflip_coords::move_check::{Given, Report, check};
use superflip_cube::Move;

use super::slots::{CORNERS, EDGES, facelet};
use super::stickers;

pub const GOES_TO: Convention = Convention::GoesTo;
pub const REPLACED_BY: Convention = Convention::ReplacedBy;

/// Returns where the sticker of each facelet is after the maneuver, by the sticker model.
fn sticker_goes_to(maneuver: &str) -> Vec<usize> {
    let marks: String = (0..54).map(|i| char::from_u32(0x100 + i).unwrap()).collect();
    let after = stickers::apply(&marks, maneuver);
    let mut goes_to = vec![0; 54];
    for (at, mark) in after.chars().enumerate() {
        goes_to[mark as usize - 0x100] = at;
    }
    goes_to
}

/// Returns the slot that the piece of each slot goes to, and for each slot the distance of the arriving reference
/// sticker from the reference facelet.
fn follow<const N: usize>(slots: &[[&str; N]], maneuver: &str) -> (Vec<i64>, Vec<i64>) {
    let goes_to = sticker_goes_to(maneuver);
    let (mut perm, mut deltas) = (Vec::new(), vec![0; slots.len()]);
    for slot in slots {
        let at = goes_to[facelet(slot[0])];
        let place = |slot: &[&str; N]| slot.iter().position(|name| facelet(name) == at);
        let (to, moved) = slots.iter().enumerate().find_map(|(to, slot)| place(slot).map(|moved| (to, moved))).unwrap();
        perm.push(to_entry(to));
        deltas[to] = to_entry(moved);
    }
    (perm, deltas)
}

/// Four arrays to damage.
#[derive(Clone, PartialEq, Debug)]
pub struct Arrays {
    pub cp: Vec<i64>,
    pub co: Vec<i64>,
    pub ep: Vec<i64>,
    pub eo: Vec<i64>,
}

impl Arrays {
    /// Reads the arrays off the sticker model.
    pub fn of(maneuver: &str, convention: Convention) -> Self {
        let ((cp, co), (ep, eo)) = (follow(&CORNERS, maneuver), follow(&EDGES, maneuver));
        match convention {
            Convention::GoesTo => Self { cp, co, ep, eo },
            Convention::ReplacedBy => {
                let inverse = |perm: &[i64]| -> Vec<i64> {
                    let from = |slot| perm.iter().position(|&to| to == to_entry(slot)).unwrap();
                    (0..perm.len()).map(|slot| to_entry(from(slot))).collect()
                };
                Self { cp: inverse(&cp), co, ep: inverse(&ep), eo }
            }
        }
    }

    /// Returns the library's arrays of all 18 moves, in index order.
    pub fn of_the_library(convention: Convention) -> Vec<Self> {
        Move::ALL.map(|mv| FourArrays::of(mv, convention).into()).to_vec()
    }

    /// Reads the arrays of a JSON response.
    pub fn from_json(body: &Value) -> Self {
        let [cp, co, ep, eo] = ArrayName::ALL.map(|array| {
            let entries = body[array.name()].as_array().expect("an array");
            entries.iter().map(|entry| entry.as_i64().expect("an integer")).collect()
        });
        Self { cp, co, ep, eo }
    }

    pub fn given(&self) -> Given<'_> {
        Given { corner_perm: &self.cp, corner_orient_delta: &self.co, edge_perm: &self.ep, edge_orient_delta: &self.eo }
    }

    pub fn check(&self, convention: Convention, named: Option<Move>) -> Report {
        check(&self.given(), convention, named)
    }

    pub fn json(&self) -> Value {
        json!({"corner_perm": self.cp, "corner_orient_delta": self.co, "edge_perm": self.ep, "edge_orient_delta": self.eo})
    }

    /// Returns the move of the sticker model that these arrays equal.
    pub fn is(&self, convention: Convention) -> Option<Move> {
        Move::ALL.into_iter().find(|mv| Self::of(mv.name(), convention) == *self)
    }
}

impl From<FourArrays> for Arrays {
    fn from(arrays: FourArrays) -> Self {
        let [cp, co, ep, eo] = ArrayName::ALL.map(|name| arrays.get(name).iter().map(|&entry| entry.into()).collect());
        Self { cp, co, ep, eo }
    }
}

pub fn to_entry(index: usize) -> i64 {
    i64::try_from(index).expect("a slot")
}
