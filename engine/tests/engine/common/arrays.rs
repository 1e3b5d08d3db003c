//! A maneuver as four arrays, read off the sticker model, to be damaged by tests.

use serde_json::{Value, json};
use superflip_engine::cube::Move;
use superflip_engine::cube::four_arrays::{ArrayName, Convention, FourArrays};
use superflip_engine::cube::move_check::{Given, Report, check};

use super::stickers;

pub const GOES_TO: Convention = Convention::GoesTo;
pub const REPLACED_BY: Convention = Convention::ReplacedBy;

/// Kociemba's published corner and edge facelets: face, and number from 1 on that face; the reference facelet first.
pub const CORNERS: [[&str; 3]; 8] = [
    ["U9", "R1", "F3"],
    ["U7", "F1", "L3"],
    ["U1", "L1", "B3"],
    ["U3", "B1", "R3"],
    ["D3", "F9", "R7"],
    ["D1", "L9", "F7"],
    ["D7", "B9", "L7"],
    ["D9", "R9", "B7"],
];
pub const EDGES: [[&str; 2]; 12] = [
    ["U6", "R2"],
    ["U8", "F2"],
    ["U4", "L2"],
    ["U2", "B2"],
    ["D6", "R8"],
    ["D2", "F8"],
    ["D4", "L8"],
    ["D8", "B8"],
    ["F6", "R4"],
    ["F4", "L6"],
    ["B6", "L4"],
    ["B4", "R6"],
];

pub fn facelet(name: &str) -> usize {
    let (face, number) = name.split_at(1);
    "URFDLB".find(face).unwrap() * 9 + number.parse::<usize>().unwrap() - 1
}

/// Returns where the sticker of each facelet is after the maneuver, by the sticker model.
fn sticker_goes_to(maneuver: &str) -> Vec<usize> {
    let marks: String = (0..54).map(|i| char::from_u32(0x100 + i).unwrap()).collect();
    let after = stickers::turn(&marks, maneuver);
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
        let (to, turned) =
            slots.iter().enumerate().find_map(|(to, slot)| place(slot).map(|turned| (to, turned))).unwrap();
        perm.push(to_entry(to));
        deltas[to] = to_entry(turned);
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
        Move::ALL.map(|turn| FourArrays::of(turn, convention).into()).to_vec()
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
        Move::ALL.into_iter().find(|turn| Self::of(turn.name(), convention) == *self)
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
