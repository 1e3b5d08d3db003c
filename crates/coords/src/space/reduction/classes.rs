//! The classes of a raw space under any group of symmetries.
//!
//! Classes are numbered by rising representative, which is the smallest value of its class. The list of representatives
//! is stored; for spaces that are not too large, so is the class of each value:
//!
//! ```text
//! of_raw[value] = order * class + place        S = symmetry number `place` of the group, S * x * S^-1 is the representative
//! ```
//!
//! For larger spaces, the class of a value is found by computing all its images. The smallest image is the
//! representative, and its position in the list is the number of the class.

// Values, classes and symmetries are below 2^32, because their products are; distances are below 255.
#![allow(clippy::cast_possible_truncation)]

use std::sync::Arc;

use super::group::Group;
use crate::space::error::SpaceError;
use crate::space::memory::{Array, Memory, ValueSet};
use crate::space::product::Product;
use superflip_cube::Symmetry;
use superflip_solver::Control;
use superflip_solver::symmetry::{NO_CLASS, claim, record_class};

/// Number of values up to which the class of each is stored.
const MAX_STORED: u32 = 1 << 24;

/// The class of a value, and the symmetry that leads to its representative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Membership {
    /// Number of the class.
    pub class: u32,
    /// Index in the group of a symmetry S for which `S * x * S^-1` is the representative.
    pub place: u32,
}

/// The classes of one space under one group.
pub struct SpaceClasses {
    /// The group.
    pub group: &'static Group,
    /// Smallest value of each class, rising.
    pub representatives: Array<u32>,
    of_raw: Option<Array<u32>>,
}

impl SpaceClasses {
    /// Finds the classes. `known` are the representatives, if they are known already. Reports the number of values
    /// done.
    ///
    /// # Errors
    /// When there is not enough `memory`, or `control` ended the work.
    pub fn new(
        product: &Product,
        group: &'static Group,
        known: Option<&[u32]>,
        memory: &Arc<Memory>,
        control: &Control,
    ) -> Result<Self, SpaceError> {
        if let Some(known) = known {
            return Ok(Self { group, representatives: memory.copy(known)?, of_raw: None });
        }
        let order = group.order() as u32;
        let size = product.size() as usize;
        let stores = product.size() <= MAX_STORED;
        // Without stored classes, a set has the values whose class was found.
        let mut of_raw: Array<u32> = memory.array(if stores { size } else { 0 })?;
        of_raw.fill(NO_CLASS);
        let mut met = ValueSet::new(memory, if stores { 0 } else { size })?;
        let mut claim = |value: u32, packed| {
            if stores { claim(&mut of_raw, value, packed) } else { met.insert(value as usize) }
        };
        let mut smallest = ValueSet::new(memory, size)?;
        let mut count = 0;
        for value in 0..product.size() {
            if value % 65536 == 0 {
                control.check()?;
                control.report(value.into(), product.size().into());
            }
            let images = || product.conjugates(value, group.symmetries.iter().map(|s| s.inverse())).enumerate();
            if product.occurs(value) && record_class(value, order * count, images, &mut claim) {
                count += 1;
                smallest.insert(value as usize);
            }
        }
        let mut representatives = memory.array(count as usize)?;
        for (representative, value) in representatives.iter_mut().zip(smallest.iter()) {
            *representative = value as u32;
        }
        Ok(Self { group, representatives, of_raw: stores.then_some(of_raw) })
    }

    /// Returns the number of classes.
    pub fn len(&self) -> u32 {
        self.representatives.len() as u32
    }

    /// Returns the representative of a class, if there is such a class.
    pub(crate) fn representative(&self, class: u64) -> Option<u32> {
        self.representatives.get(usize::try_from(class).ok()?).copied()
    }

    /// Returns whether there are no classes. Always false: solved has a class.
    pub fn is_empty(&self) -> bool {
        self.representatives.is_empty()
    }

    /// Returns the memory used in bytes.
    pub fn bytes(&self) -> u64 {
        4 * (self.representatives.len() + self.of_raw.as_ref().map_or(0, |of_raw| of_raw.len())) as u64
    }

    /// Returns the distance of each class from solved, `repeated` times.
    ///
    /// # Errors
    /// When there is not enough memory, or `control` ended the work.
    pub fn distances(&self, product: &Product, repeated: usize, control: &Control) -> Result<Array<u8>, SpaceError> {
        let mut out = self.representatives.memory().array(self.representatives.len() * repeated)?;
        for (class, (entries, &value)) in out.chunks_exact_mut(repeated).zip(self.representatives.iter()).enumerate() {
            if class % 8192 == 0 {
                control.check()?;
            }
            entries.fill(product.distance(value).map_or(u8::MAX, |distance| distance as u8));
        }
        Ok(out)
    }

    /// Returns the class of a value that occurs.
    pub fn of(&self, product: &Product, value: u32) -> Membership {
        let order = self.group.order() as u32;
        if let Some(of_raw) = &self.of_raw {
            let packed = of_raw[value as usize];
            return Membership { class: packed / order, place: packed % order };
        }
        let images = product.conjugates(value, self.group.symmetries.iter().copied());
        let smallest = images.zip(0..).min().unwrap_or((value, 0));
        let class = self.representatives.binary_search(&smallest.0).unwrap_or(0) as u32;
        Membership { class, place: smallest.1 }
    }

    /// Returns the value of a class and an index in the group: `S^-1 * R * S`.
    pub fn raw(&self, product: &Product, member: Membership) -> u32 {
        let representative = self.representatives[member.class as usize];
        let s = self.group.symmetries[member.place as usize];
        product.conjugates(representative, std::iter::once(s.inverse())).next().unwrap_or(representative)
    }

    /// Returns the self-symmetries of a value: the symmetries of the group that map it to itself. The value must occur.
    pub fn self_symmetries(&self, product: &Product, value: u32) -> Vec<Symmetry> {
        let images = product.conjugates(value, self.group.symmetries.iter().copied());
        images.zip(&self.group.symmetries).filter(|(image, _)| *image == value).map(|(_, s)| *s).collect()
    }

    /// Returns the number of values of a class.
    pub fn orbit(&self, product: &Product, class: u32) -> u64 {
        let keeping = self.self_symmetries(product, self.representatives[class as usize]).len();
        (self.group.order() / keeping.max(1)) as u64
    }
}
