//! How a sym-coordinate turns, look-up by look-up (Kociemba).
//!
//! ```text
//! m1       = SymMove[i, m]           S(i) m S(i)^-1: the turn as the representative sees it
//! (j1, i1) = MoveTable[j, m1]        the class of R(j) m1, and the symmetry that leads to its representative
//! result   = (j1, SymMult[i1, i])    S(i1) * S(i)
//! ```

use super::classes::Membership;
use super::{Form, Space};
use crate::cube::{Move, Symmetry};

/// Kociemba's rule for turning a sym-coordinate, with what each look-up gave.
#[derive(Clone, Copy, Debug)]
pub struct SymRule {
    /// The class j.
    pub class: u32,
    /// The symmetry i.
    pub symmetry: Symmetry,
    /// The turn M.
    pub turn: Move,
    /// `SymMove[i, M]`: the turn M1 as the representative sees it, `S(i) M S(i)^-1`.
    pub seen: Move,
    /// `MoveTable[j, M1]`: the class j1.
    pub class_after: u32,
    /// `MoveTable[j, M1]`: the symmetry i1.
    pub symmetry_found: Symmetry,
    /// `SymMult[i1, i]`: `S(i1) * S(i)`.
    pub product: Symmetry,
    /// The packed result, `order * j1 + product`.
    pub value: u64,
}

impl Space {
    /// The three look-ups that take a packed sym-coordinate on by one turn, or `None` for other coordinates.
    pub fn sym_rule(&self, value: u64, turn: Move) -> Option<SymRule> {
        let Form::Sym { base, classes, .. } = &self.form else { return None };
        let order = classes.group.order() as u64;
        let (class, symmetry) = ((value / order) as u32, classes.group.symmetries[(value % order) as usize]);
        let seen = symmetry.conjugate_move(turn);
        let after = base.turn(classes.representatives[class as usize], seen)?;
        let member = classes.of(base, after);
        let found = classes.group.symmetries[member.place as usize];
        let product = found.then(symmetry);
        let place = classes.group.position(product)? as u64;
        Some(SymRule {
            class,
            symmetry,
            turn,
            seen,
            class_after: member.class,
            symmetry_found: found,
            product,
            value: order * u64::from(member.class) + place,
        })
    }

    /// The raw value that a packed sym-coordinate stands for.
    pub fn raw_of_packed(&self, packed: u64) -> Option<u32> {
        let Form::Sym { base, classes, .. } = &self.form else { return None };
        let order = classes.group.order() as u64;
        Some(classes.raw(base, Membership { class: (packed / order) as u32, place: (packed % order) as u32 }))
    }
}
