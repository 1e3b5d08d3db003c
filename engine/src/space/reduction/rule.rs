//! The rule by which a coordinate of classes turns, look-up by look-up (Kociemba; with offset and second part, Nissy).
//!
//! The symmetry i leads from the cube to the representative R(j) of its class j. A packed sym-coordinate contains it. A
//! value of `sym(...)` or `symcomp(...)` does not; there it is the *offset*, which a walk carries beside the value. A
//! walk that starts from a value alone starts at the representative, with the identity as offset.
//!
//! ```text
//! m1       = SymMove[i, m]                    S(i) m S(i)^-1: the turn as the representative sees it
//! (j1, i1) = MoveTable[j, m1]                 the class of R(j) m1, and the symmetry that leads to its representative
//! c1       = Trans[MoveTable2[c, m1], i1]     the second part: turned by m1, then seen through S(i1)
//! product  = SymMult[i1, i]                   S(i1) S(i), which leads from the turned cube to R(j1)
//! ```
//!
//! A representative kept by symmetries can be reached through several of them: all t S(product) where t keeps R(j1).
//! One more step takes the smallest, so that a cube has one value however it was reached:
//!
//! ```text
//! result   = (j1, Trans[c1, t], SymMult[t, product])
//! ```

use super::classes::{Classes, Membership};
use crate::cube::{Move, Symmetry};
use crate::space::graph::{Representation, Space, SpaceState};
use crate::space::product::Product;

/// A cube in the frame of the representative of its class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Class j.
    pub class: u32,
    /// Symmetry i that leads from the cube to the representative: part of a packed value, else the offset.
    pub symmetry: Symmetry,
    /// Value c of the second part seen through this symmetry; `None` if there is no second part.
    pub second: Option<u32>,
}

/// The look-ups of the second part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SecondRule {
    /// `c m1`: value after the turn.
    pub turned: u32,
    /// `Trans[c m1, i1]`: value in the frame of the next representative.
    pub transformed: u32,
}

/// The rule for one turn, with the result of each look-up.
#[derive(Clone, Copy, Debug)]
pub struct SymRule {
    /// Frame before the turn.
    pub before: Frame,
    /// The turn M.
    pub turn: Move,
    /// `SymMove[i, M]`: the turn M1 in the frame of the representative, `S(i) M S(i)^-1`.
    pub seen: Move,
    /// `MoveTable[j, M1]`: the class j1.
    pub class_after: u32,
    /// `MoveTable[j, M1]`: the symmetry i1.
    pub symmetry_found: Symmetry,
    /// Look-ups of the second part, if there is one.
    pub second: Option<SecondRule>,
    /// `SymMult[i1, i]`: `S(i1) * S(i)`.
    pub product: Symmetry,
    /// Symmetry t that keeps the representative of j1 and makes `t * product` smallest.
    pub keeping: Symmetry,
    /// Frame after the turn: class j1, `t * product`, and the second part seen through t.
    pub after: Frame,
}

impl Space {
    /// Returns the classes of the space and the coordinate they reduce, if its values are made of classes.
    fn parts(&self) -> Option<(&Product, &Classes)> {
        match &*self.form {
            Representation::Sym { base, classes, .. } | Representation::SymComp { base, classes, .. } => {
                Some((base, classes))
            }
            Representation::Untabled(_) | Representation::Raw { .. } => None,
        }
    }

    /// Returns the frame at which a walk from a value begins, with the symmetry in the value or the identity. Returns
    /// `None` if values are not made of classes.
    pub fn frame(&self, value: u64) -> Option<Frame> {
        let (_, classes) = self.parts()?;
        let at = |class: u64, symmetry, second| Frame { class: class as u32, symmetry, second };
        Some(match &*self.form {
            Representation::Sym { packed: true, .. } => {
                let order = classes.group.order() as u64;
                at(value / order, classes.group.symmetries[(value % order) as usize], None)
            }
            Representation::SymComp { rest, .. } => {
                let columns = u64::from(rest.size());
                at(value / columns, Symmetry::IDENTITY, Some((value % columns) as u32))
            }
            _ => at(value, Symmetry::IDENTITY, None),
        })
    }

    /// Returns the value of a frame. It contains the symmetry only if values are packed.
    pub fn value_of_frame(&self, frame: &Frame) -> Option<u64> {
        let (_, classes) = self.parts()?;
        let class = u64::from(frame.class);
        Some(match &*self.form {
            Representation::Sym { packed: true, .. } => {
                class * classes.group.order() as u64 + classes.group.position(frame.symmetry)? as u64
            }
            Representation::SymComp { rest, .. } => class * u64::from(rest.size()) + u64::from(frame.second?),
            _ => class,
        })
    }

    /// Returns the look-ups of one turn, or `None` if the coordinate has no value after it.
    pub fn sym_rule(&self, before: Frame, turn: Move) -> Option<SymRule> {
        let (base, classes) = self.parts()?;
        let seen = before.symmetry.conjugate_move(turn);
        let member = classes.of(base, base.turn(classes.representatives[before.class as usize], seen)?);
        let found = classes.group.symmetries[member.place as usize];
        let product = found.then(before.symmetry);
        let (smallest, keeping) = classes.names(base, member.class, product).min()?;
        let (mut second, mut second_after) = (None, None);
        if let (Representation::SymComp { rest, distances, .. }, Some(column)) = (&*self.form, before.second) {
            let columns = distances.columns();
            let turned = rest.turn(column, seen)?;
            let transformed = columns.conjugate(turned, member.place);
            second = Some(SecondRule { turned, transformed });
            second_after = Some(columns.conjugate(transformed, classes.group.position(keeping)? as u32));
        }
        let symmetry = classes.group.symmetries[smallest];
        let after = Frame { class: member.class, symmetry, second: second_after };
        Some(SymRule {
            before,
            turn,
            seen,
            class_after: member.class,
            symmetry_found: found,
            second,
            product,
            keeping,
            after,
        })
    }

    /// Returns every packed value that stands for the same raw value, rising; the first is the canonical one. Returns
    /// `None` if values are not packed.
    pub fn equivalent(&self, state: SpaceState) -> Option<Vec<u64>> {
        let Representation::Sym { base, classes, packed: true, .. } = &*self.form else { return None };
        let Membership { class, place } = classes.of(base, state.base);
        let names = classes.names(base, class, classes.group.symmetries[place as usize]);
        let first = u64::from(class) * classes.group.order() as u64;
        let mut values: Vec<u64> = names.map(|(place, _)| first + place as u64).collect();
        values.sort_unstable();
        Some(values)
    }
}

impl Classes {
    /// Returns the symmetries that lead to the representative of a class like `symmetry` does: the index of `t *
    /// symmetry` for each t that keeps the representative, and t.
    fn names(&self, product: &Product, class: u32, symmetry: Symmetry) -> impl Iterator<Item = (usize, Symmetry)> {
        let keeping = self.self_symmetries(product, self.representatives[class as usize]);
        keeping.into_iter().filter_map(move |t| Some((self.group.position(t.then(symmetry))?, t)))
    }
}
