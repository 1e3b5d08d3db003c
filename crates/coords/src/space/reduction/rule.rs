//! Computes a move in a coordinate that numbers classes, and returns the result of each table look-up. The method is
//! Kociemba's; offsets and second parts are Nissy's.
//!
//! Let j be the class of a cube and i the symmetry that maps the cube to the representative R(j). A packed
//! sym-coordinate includes i. A value of `sym(...)` or `symcomp(...)` does not. To apply a sequence of moves to such a
//! value, a program keeps i separately; it is called the *offset*. If only the value is known, the cube may be taken to
//! be the representative, with the identity as offset.
//!
//! The *second part* c exists only in `symcomp(...)`. It is the value of the second coordinate, conjugated by S(i): the
//! column of the reduced space.
//!
//! ```text
//! m1       = SymMove[i, m]                    S(i) m S(i)^-1: the move in the frame of the representative
//! (j1, i1) = MoveTable[j, m1]                 the class of R(j) m1, and the symmetry to its representative
//! c1       = Trans[MoveTable2[c, m1], i1]     the second part: after m1, then conjugated by S(i1)
//! product  = SymMult[i1, i]                   S(i1) S(i), which maps the cube after the move to R(j1)
//! ```
//!
//! If R(j1) has self-symmetries t, then every symmetry t S(product) maps the cube after the move to R(j1). One more step takes
//! the smallest of them, so that each cube has one value:
//!
//! ```text
//! result   = (j1, Trans[c1, t], SymMult[t, product])
//! ```

use super::classes::{Membership, SpaceClasses};
use crate::space::graph::{Representation, Space, SpaceState};
use crate::space::product::Product;
use superflip_cube::{Move, Symmetry};

/// A cube in the frame of the representative of its class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Class j.
    pub class: u32,
    /// Symmetry i that maps the cube to the representative: part of a packed value, else the offset.
    pub symmetry: Symmetry,
    /// Value c of the second part, conjugated by this symmetry; `None` if there is no second part.
    pub second: Option<u32>,
}

/// Look-ups for one move of a sym-coordinate: Kociemba's three, and Nissy's for a second part.
#[derive(Clone, Copy, Debug)]
pub struct SymRule {
    /// `SymMove[i, M]`: the move M as seen from the representative.
    pub sym_move: SymMoveLookup,
    /// `MoveTable[j, M1]`: the class, and the symmetry that leads to its representative.
    pub move_table: MoveTableLookup,
    /// Look-ups for the second part; null if there is none.
    pub second: Option<SecondLookup>,
    /// `SymMult[i1, i]`: the product of the two symmetries.
    pub sym_mult: SymMultLookup,
    /// Choice of the smallest product, if symmetries keep the representative of the new class and several products lead to it.
    pub canonical: CanonicalLookup,
}

/// First look-up: the move as seen from the representative.
#[derive(Clone, Copy, Debug)]
pub struct SymMoveLookup {
    /// Symmetry of the value, or the offset if the value does not include it.
    pub i: usize,
    /// Move M that is applied to the value.
    pub m: &'static str,
    /// Move as seen from the representative: S(i) M S(i)^-1.
    pub m1: &'static str,
}

/// Second look-up: the class after the move.
#[derive(Clone, Copy, Debug)]
pub struct MoveTableLookup {
    /// Class of the value.
    pub j: u32,
    /// Move as seen from the representative.
    pub m1: &'static str,
    /// Class after the move.
    pub j1: u32,
    /// Symmetry that leads to the representative of that class.
    pub i1: usize,
}

/// Look-ups for the second part, which is stored as seen from the representative of the first.
#[derive(Clone, Copy, Debug)]
pub struct SecondLookup {
    /// Value of the second part before the move.
    pub c: u32,
    /// Move as seen from the representative.
    pub m1: &'static str,
    /// Value of the second part after the move `m1`: the entry of its move table in row `c` and column `m1`.
    pub moved: u32,
    /// Symmetry that leads to the representative of the new class.
    pub i1: usize,
    /// The value `moved` as seen from the representative of the new class: that of S(i1) x S(i1)^-1, where x has the value `moved`.
    pub transformed: u32,
}

/// Third look-up: the product of the two symmetries.
#[derive(Clone, Copy, Debug)]
pub struct SymMultLookup {
    /// Symmetry found by the second look-up.
    pub i1: usize,
    /// Symmetry of the value, or the offset if the value does not include it.
    pub i: usize,
    /// Product S(i1) S(i).
    pub product: usize,
}

/// Choice among the symmetries that lead to the same representative.
#[derive(Clone, Copy, Debug)]
pub struct CanonicalLookup {
    /// Symmetry that keeps the representative of the new class; 0 if the product is unchanged.
    pub t: usize,
    /// Product of the third look-up.
    pub product: usize,
    /// S(t) S(product), the smallest possible: the symmetry of the value after the move, or the offset after it.
    pub symmetry: usize,
    /// Value of S(t) x S(t)^-1, where x has the value `transformed`; null if there is no second part.
    pub second: Option<u32>,
}

impl Space {
    /// Returns the classes of the space and the coordinate they reduce, if its values are made of classes.
    fn parts(&self) -> Option<(&Product, &SpaceClasses)> {
        match &*self.form {
            Representation::Sym { base, classes, .. } | Representation::SymComp { base, classes, .. } => {
                Some((base, classes))
            }
            Representation::Untabled(_) | Representation::Raw { .. } => None,
        }
    }

    /// Returns the frame of a value. Its symmetry is that of a packed value, or else the identity. Returns `None` if
    /// values are not made of classes.
    pub fn frame(&self, value: u64) -> Option<Frame> {
        let (_, classes) = self.parts()?;
        let at = |class: u64, symmetry, second| Some(Frame { class: u32::try_from(class).ok()?, symmetry, second });
        match &*self.form {
            Representation::Sym { packed: true, .. } => {
                let order = classes.group.order() as u64;
                at(value / order, *classes.group.symmetries.get(usize::try_from(value % order).ok()?)?, None)
            }
            Representation::SymComp { rest, .. } => {
                let columns = u64::from(rest.size());
                at(value / columns, Symmetry::IDENTITY, Some(u32::try_from(value % columns).ok()?))
            }
            _ => at(value, Symmetry::IDENTITY, None),
        }
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

    /// Returns the look-ups of one move and the frame after it, or `None` if the coordinate has no value after it.
    pub fn sym_rule(&self, before: Frame, mv: Move) -> Option<(SymRule, Frame)> {
        let (base, classes) = self.parts()?;
        let seen = before.symmetry.conjugate_move(mv);
        let member = classes.of(base, base.after(classes.representatives[before.class as usize], seen)?);
        let found = classes.group.symmetries[member.place as usize];
        let product = found.then(before.symmetry);
        let (smallest, keeping) = classes.symmetries_to_representative(base, member.class, product).min()?;
        let (i, i1, m1, product) = (before.symmetry.index(), found.index(), seen.name(), product.index());
        let mut second = None;
        let mut second_after = None;
        if let (Representation::SymComp { rest, distances, .. }, Some(c)) = (&*self.form, before.second) {
            let columns = distances.columns();
            let moved = rest.after(c, seen)?;
            let transformed = columns.conjugate(moved, member.place);
            second = Some(SecondLookup { c, m1, moved, i1, transformed });
            second_after = Some(columns.conjugate(transformed, u32::try_from(classes.group.position(keeping)?).ok()?));
        }
        let symmetry = classes.group.symmetries[smallest];
        let after = Frame { class: member.class, symmetry, second: second_after };
        let rule = SymRule {
            sym_move: SymMoveLookup { i, m: mv.name(), m1 },
            move_table: MoveTableLookup { j: before.class, m1, j1: member.class, i1 },
            second,
            sym_mult: SymMultLookup { i1, i, product },
            canonical: CanonicalLookup {
                t: keeping.index(),
                product,
                symmetry: symmetry.index(),
                second: second_after,
            },
        };
        Some((rule, after))
    }

    /// Returns all packed values of the same raw value, in rising order. The first is the canonical one. Returns `None`
    /// if values are not packed.
    pub fn equivalent(&self, state: SpaceState) -> Option<Vec<u64>> {
        let Representation::Sym { base, classes, packed: true, .. } = &*self.form else { return None };
        let Membership { class, place } = classes.of(base, state.base);
        let symmetries = classes.symmetries_to_representative(base, class, classes.group.symmetries[place as usize]);
        let first = u64::from(class) * classes.group.order() as u64;
        let mut values: Vec<u64> = symmetries.map(|(place, _)| first + place as u64).collect();
        values.sort_unstable();
        Some(values)
    }
}

impl SpaceClasses {
    /// Returns all symmetries that map a cube to the representative of its class, given one of them. Each item is the
    /// index of `t * symmetry`, and t, for a self-symmetry t of the representative.
    fn symmetries_to_representative(
        &self,
        product: &Product,
        class: u32,
        symmetry: Symmetry,
    ) -> impl Iterator<Item = (usize, Symmetry)> {
        let keeping = self.self_symmetries(product, self.representatives[class as usize]);
        keeping.into_iter().filter_map(move |t| Some((self.group.position(t.then(symmetry))?, t)))
    }
}
