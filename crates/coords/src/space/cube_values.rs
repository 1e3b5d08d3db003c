//! The values of a cube in every named coordinate, computed without building a space.
//!
//! Class numbers come from the tables of the searches, or, for flip x sorted slice, from the mapped list of its 1 523
//! 864 representatives.

use std::sync::LazyLock;

use super::catalogue::{Entry, Numbering};
use super::reduction::group::Group;
use superflip_cube::{Cube, Symmetry};
use superflip_solver::coord::{Descriptor, FLIP_SLICE_SORTED, SLICE_SORTED};
use superflip_solver::symmetry::{Classes, SymCoordinate};
use superflip_solver::tables::Tables;

/// The value of a cube in one named coordinate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CubeValue {
    /// Value: raw, or `16 * class + symmetry` for a sym-coordinate.
    pub value: u32,
    /// Parts of the value of a sym-coordinate.
    pub sym: Option<ClassMember>,
}

/// A raw value as a member of its class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClassMember {
    /// Raw value.
    pub raw: u32,
    /// Number of the class.
    pub class: u32,
    /// Symmetry S for which `S * x * S^-1` is the representative.
    pub symmetry: Symmetry,
    /// Raw value of the representative.
    pub representative: u32,
}

/// Returns the value of a cube, or `None` if it has none. A table that lacks a class, which a check of the tables reports, gives `None` too.
pub fn of_cube(entry: &Entry, tables: &Tables, cube: &Cube) -> Option<CubeValue> {
    let raw = (entry.descriptor.index)(cube)?;
    let Some(numbering) = entry.numbering else { return Some(CubeValue { value: raw, sym: None }) };
    let (packed, representative) = packed_class(numbering, tables, cube, raw)?;
    let symmetry = Symmetry::try_from_index(usize::from(packed.symmetry))?;
    let member = ClassMember { raw, class: packed.class, symmetry, representative };
    Some(CubeValue { value: packed.pack(), sym: Some(member) })
}

/// Returns the class of a raw value, and its representative.
fn packed_class(numbering: Numbering, tables: &Tables, cube: &Cube, raw: u32) -> Option<(SymCoordinate, u32)> {
    static SLICES: LazyLock<Classes> = LazyLock::new(|| Classes::new(&SLICE_SORTED));
    let listed = |(of_raw, representatives): (&[u32], &[u32])| {
        let packed = SymCoordinate::unpack(*of_raw.get(raw as usize)?);
        Some((packed, *representatives.get(packed.class as usize)?))
    };
    match numbering {
        Numbering::FlipSlice => listed(tables.flip_slice_classes()),
        Numbering::CornerPerm => listed(tables.corner_classes()),
        Numbering::SliceSorted => listed((&SLICES.of_raw, &SLICES.representatives)),
        Numbering::FlipSliceSorted => {
            let representatives = tables.flip_slice_sorted_representatives();
            let symmetries = Symmetry::all().take(Symmetry::KEEPING_UD);
            let (smallest, symmetry) = smallest_image(&FLIP_SLICE_SORTED, cube, symmetries);
            let class = u32::try_from(representatives.binary_search(&smallest).ok()?).ok()?;
            Some((SymCoordinate { class, symmetry: u8::try_from(symmetry.index()).ok()? }, smallest))
        }
    }
}

/// Returns the smallest value of the images `S * x * S^-1`, and the first symmetry that gives it.
fn smallest_image(coordinate: &Descriptor, cube: &Cube, symmetries: impl Iterator<Item = Symmetry>) -> (u32, Symmetry) {
    let images = symmetries.filter_map(|s| Some(((coordinate.index)(&s.conjugate(cube))?, s)));
    images.min().unwrap_or((0, Symmetry::IDENTITY))
}

/// Class of a value.
#[derive(Clone, Debug)]
pub struct ClassOf {
    /// Group under which classes are formed.
    pub group: &'static str,
    /// Number of the class; null if classes are not numbered.
    pub class: Option<u32>,
    /// Symmetry S for which S x S^-1 is the representative.
    pub symmetry: Symmetry,
    /// Raw value of the representative, the smallest of the class.
    pub representative: u32,
    /// Number of raw values in the class.
    pub orbit: usize,
    /// Symmetries of the group that keep the value.
    pub self_symmetries: Vec<Symmetry>,
    /// Symmetries of the group that keep the representative.
    pub representative_self_symmetries: Vec<Symmetry>,
}

/// Finds the class of the value of a cube by computing all images of the value. The number of the class is not known,
/// because no list of classes is used.
pub(crate) fn class_by_images(coordinate: &Descriptor, cube: &Cube, group: &'static Group) -> ClassOf {
    let keeping = |cube: &Cube| {
        let own = (coordinate.index)(cube);
        group.symmetries.iter().copied().filter(|s| (coordinate.index)(&s.conjugate(cube)) == own).collect()
    };
    let (representative, symmetry) = smallest_image(coordinate, cube, group.symmetries.iter().copied());
    let self_symmetries: Vec<Symmetry> = keeping(cube);
    ClassOf {
        group: group.name,
        class: None,
        symmetry,
        representative,
        orbit: group.order() / self_symmetries.len().max(1),
        self_symmetries,
        representative_self_symmetries: keeping(&(coordinate.representative)(representative)),
    }
}
