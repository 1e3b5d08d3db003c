//! The named coordinates and their names in other programs.

use serde::Serialize;

use super::cosets::{
    CORNER_TETRADS, CORNER_TETRADS_RELABELLED, CORNER_TETRADS_TURNED, EDGE_SLICES, EDGE_SLICES_CROOKED,
    EDGE_SLICES_ORIENTED, EDGE_SLICES_PARITIES, EDGE_SLICES_RELABELLED, EDGE_SLICES_RELABELLED_ORIENTED, TETRADS,
};
use superflip_cube::{Corner, Edge};
use superflip_solver::coord::{
    CORNER_PERM, CORNER_PERM_PYTHON, D_EDGES, D_EDGES_PYTHON, Descriptor, EDGE_PERM, FLIP, FLIP_SLICE,
    FLIP_SLICE_SORTED, INDEX_CORNERS, INDEX_EDGES, INDEX_FLIP_X, INDEX_FLIP_Y, INDEX_FLIP_Z, INDEX_TWIST, SLICE,
    SLICE_PYTHON, SLICE_SORTED, SLICE_SORTED_PYTHON, TWIST, U_EDGES, U_EDGES_PYTHON, UD_EDGES, UD_EDGES_PYTHON,
    index_cube,
};

/// Construction of a coordinate from others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Construction {
    /// A coordinate that is not composed: orientations, an unordered set of slots, or a parity.
    Raw,
    /// Rank of a permutation of pieces.
    #[serde(rename = "permutation_index")]
    Permutation,
    /// Several coordinates as the digits of one number.
    Composite,
    /// Classes under a group of symmetries.
    Sym,
    /// Classes of one coordinate, combined with another coordinate seen through the same symmetry.
    SymComposite,
}

impl Construction {
    /// Every construction.
    pub const ALL: [Self; 5] = [Self::Raw, Self::Permutation, Self::Composite, Self::Sym, Self::SymComposite];
}

/// Program that an alias comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum System {
    /// Kociemba's Cube Explorer, in Pascal.
    #[serde(rename = "Kociemba (Pascal)")]
    KociembaPascal,
    /// Kociemba's Python programs.
    #[serde(rename = "Kociemba (Python)")]
    KociembaPython,
    /// Nissy.
    Nissy,
    /// `IndexCube`, in the paper "Cube Algorithm".
    #[serde(rename = "IndexCube (paper)")]
    IndexCubePaper,
    /// `IndexCube`, in its author's program.
    #[serde(rename = "IndexCube (program)")]
    IndexCubeProgram,
}

impl System {
    /// Every program.
    pub const ALL: [Self; 5] =
        [Self::KociembaPascal, Self::KociembaPython, Self::Nissy, Self::IndexCubePaper, Self::IndexCubeProgram];
}

/// Name of the same coordinate in another program.
#[derive(Clone, Copy, Debug)]
pub struct Alias {
    /// Program that uses the name.
    pub system: System,
    /// Name. Requests accept it; it means the coordinate that lists it, with that coordinate's numbers.
    pub name: &'static str,
    /// Whether that program numbers the values in the same way.
    pub same_numbers: bool,
    /// Difference of the numbers, or the edition that has them; absent if there is nothing to add.
    pub note: Option<&'static str>,
}

/// A named coordinate.
#[derive(Debug)]
pub struct Entry {
    /// Name of the coordinate.
    pub name: &'static str,
    /// Construction of the coordinate.
    pub kind: Construction,
    /// The raw coordinate, or the coordinate whose classes are numbered.
    pub descriptor: &'static Descriptor,
    /// Number of classes of its values under [`Entry::group`]; `None` if they are not counted here.
    pub classes: Option<u32>,
    /// Name of the group of symmetries under which its values form classes, such as `UD16`: those that keep the UD axis.
    pub group: &'static str,
    /// The list that numbers its classes, if its values are sym-coordinates.
    pub(crate) numbering: Option<Numbering>,
    /// Names in other programs.
    pub aliases: &'static [Alias],
}

/// A list of classes under the 16 symmetries that keep the UD axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Numbering {
    FlipSlice,
    FlipSliceSorted,
    CornerPerm,
    SliceSorted,
}

impl Entry {
    /// Returns the slots in its own order, if that is not Kociemba's order.
    pub fn slots(&self) -> Option<Vec<&'static str>> {
        let edges = || index_cube::edge_slots().map(Edge::name).to_vec();
        let corners = || index_cube::corner_slots().map(Corner::name).to_vec();
        match self.descriptor {
            own if [&INDEX_EDGES, &INDEX_FLIP_X, &INDEX_FLIP_Y, &INDEX_FLIP_Z].contains(&own) => Some(edges()),
            own if [&INDEX_CORNERS, &INDEX_TWIST].contains(&own) => Some(corners()),
            _ => None,
        }
    }

    /// Returns whether its values are sym-coordinates: `order * class + symmetry`, with the order of its group.
    pub fn is_sym(&self) -> bool {
        self.numbering.is_some()
    }

    /// Returns whether it has too many values for tables and no smaller parts.
    pub fn is_untabled(&self) -> bool {
        self.parts().iter().any(|part| part.size > u32::from(u16::MAX))
    }

    /// Returns the coordinates it is composed of, the least significant first.
    pub fn parts(&self) -> Vec<&'static Descriptor> {
        match self.descriptor {
            whole if whole == &FLIP_SLICE => vec![&FLIP, &SLICE],
            whole if whole == &FLIP_SLICE_SORTED => vec![&FLIP, &SLICE_SORTED],
            whole if whole == &CORNER_TETRADS => vec![&TWIST, &TETRADS],
            whole => vec![whole],
        }
    }
}

const fn same(system: System, name: &'static str) -> Alias {
    Alias { system, name, same_numbers: true, note: None }
}

const fn other(system: System, name: &'static str) -> Alias {
    Alias { system, name, same_numbers: false, note: None }
}

impl Alias {
    const fn noting(self, note: &'static str) -> Self {
        Self { note: Some(note), ..self }
    }
}

/// Difference in the number of the solved cube.
const PYTHON_U_EDGES: &str =
    "solved is 1656 in the program and 0 here: the program's number is this one plus 1656, modulo 11880";
/// Difference in the edge slots of the author's program.
const PROGRAM_EDGES: &str =
    "the program numbers edge slots DL UL FL BL DR UR FR BR DF DB UF UB; its value after L is 127008000";
const PROGRAM_FLIPS: &str =
    "the program numbers edge slots DL UL FL BL DR UR FR BR DF DB UF UB; its value after F is 554, here 594";
/// Difference in the corner slots of a branch of the author's repository.
const PAPER_CORNERS: &str = "the author's main branch; on the branch `rework` the corner slots are DBL DLF ULB UFL DRB DFR UBR URF, and the value \
     after L is 10200";
/// Detail that the paper does not specify.
const PAPER_BITS: &str = "the paper does not order the bits; the edge in slot 0 has the highest, as in the program";
const PAPER_DIGITS: &str =
    "the paper does not order the digits; the corner in slot 0 has the highest, as in the program";

macro_rules! entry {
    ($name:literal Sym of $($other:tt)*) => { compile_error!("a sym-coordinate names the list that numbers its classes") };
    ($name:literal Sym by $numbering:ident of $($other:tt)*) => {
        entry!(@ Some(Numbering::$numbering), $name Sym of $($other)*)
    };
    ($name:literal $kind:ident of $($other:tt)*) => { entry!(@ None, $name $kind of $($other)*) };
    (@ $numbering:expr, $name:literal $kind:ident of $descriptor:ident, $classes:expr, $group:literal $(; $($alias:expr),*)?) => {
        Entry {
            name: $name,
            kind: Construction::$kind,
            descriptor: &$descriptor,
            classes: $classes,
            group: $group,
            numbering: $numbering,
            aliases: &[$($($alias),*)?],
        }
    };
}

use System::{
    IndexCubePaper as Paper, IndexCubeProgram as Program, KociembaPascal as Pascal, KociembaPython as Python, Nissy,
};

/// Every named coordinate.
#[rustfmt::skip]
pub static CATALOGUE: &[Entry] = &[
    entry!("twist" Raw of TWIST, Some(168), "UD16"; same(Pascal, "CornOriCoord"), same(Python, "get_twist"), other(Nissy, "coud")),
    entry!("flip" Raw of FLIP, Some(186), "FB16"; same(Pascal, "EdgeOriCoord"), same(Python, "get_flip"), other(Nissy, "eofb")),
    entry!("slice" Raw of SLICE, Some(45), "UD16"; same(Pascal, "UDSliceCoord"), other(Nissy, "epos")),
    entry!("slice_python" Raw of SLICE_PYTHON, Some(45), "UD16"; same(Python, "get_slice")),
    entry!("slice_sorted" Permutation of SLICE_SORTED, Some(788), "UD16"; same(Pascal, "UDSliceSortedCoord"), other(Nissy, "eposepe")),
    entry!("slice_sorted_python" Permutation of SLICE_SORTED_PYTHON, Some(788), "UD16"; same(Python, "get_slice_sorted")),
    entry!("corner_perm" Permutation of CORNER_PERM, Some(2768), "UD16"; same(Pascal, "CornPermCoord"), other(Nissy, "cp")),
    entry!("corner_perm_python" Permutation of CORNER_PERM_PYTHON, Some(2768), "UD16"; same(Python, "get_corners")),
    entry!("ud_edges" Permutation of UD_EDGES, Some(2768), "UD16"; same(Pascal, "Phase2EdgePermCoord"), other(Nissy, "epud")),
    entry!("ud_edges_python" Permutation of UD_EDGES_PYTHON, Some(2768), "UD16"; same(Python, "get_ud_edges")),
    entry!("u_edges" Permutation of U_EDGES, Some(1547), "U8"; ),
    entry!("u_edges_python" Permutation of U_EDGES_PYTHON, Some(1547), "U8"; other(Python, "get_u_edges").noting(PYTHON_U_EDGES)),
    entry!("d_edges" Permutation of D_EDGES, Some(1547), "U8"; ),
    entry!("d_edges_python" Permutation of D_EDGES_PYTHON, Some(1547), "U8"; same(Python, "get_d_edges")),
    entry!("edge_perm" Permutation of EDGE_PERM, None, "UD16"; same(Pascal, "EdgePermCoord")),
    entry!("flip_slice" Composite of FLIP_SLICE, Some(64430), "UD16"; same(Pascal, "RawFlipUDSlice"), other(Nissy, "eofbepos")),
    entry!("flip_slice_sorted" Composite of FLIP_SLICE_SORTED, Some(1_523_864), "UD16"; ),
    entry!("flip_slice_class" Sym by FlipSlice of FLIP_SLICE, Some(64430), "UD16"; same(Pascal, "FlipUDSliceCoord"), other(Python, "flipslice_classidx"), other(Nissy, "eofbepos_sym16")),
    entry!("corner_class" Sym by CornerPerm of CORNER_PERM, Some(2768), "UD16"; same(Pascal, "CornPosToSymCornPos"), other(Python, "corner_classidx"), other(Nissy, "cp_sym16")),
    entry!("slice_sorted_class" Sym by SliceSorted of SLICE_SORTED, Some(788), "UD16"; same(Pascal, "UDSliceSortedSymCoord")),
    entry!("flip_slice_sorted_class" Sym by FlipSliceSorted of FLIP_SLICE_SORTED, Some(1_523_864), "UD16"; ),
    entry!("tetrads" Raw of TETRADS, Some(9), "ALL48"),
    entry!("corner_tetrads" Composite of CORNER_TETRADS, Some(3393), "ALL48"),
    entry!("corner_tetrads_turned" Raw of CORNER_TETRADS_TURNED, Some(1184), "ALL48"),
    entry!("corner_tetrads_relabelled" Raw of CORNER_TETRADS_RELABELLED, Some(630), "ALL48"),
    entry!("edge_slices" Raw of EDGE_SLICES, Some(782), "ALL48"),
    entry!("edge_slices_relabelled" Raw of EDGE_SLICES_RELABELLED, Some(155), "ALL48"),
    entry!("edge_slices_parities" Raw of EDGE_SLICES_PARITIES, None, "ALL48"),
    entry!("edge_slices_oriented" Raw of EDGE_SLICES_ORIENTED, None, "ALL48"),
    entry!("edge_slices_relabelled_oriented" Raw of EDGE_SLICES_RELABELLED_ORIENTED, None, "ALL48"),
    entry!("edge_slices_crooked" Raw of EDGE_SLICES_CROOKED, None, "ALL48"),
    entry!("index_cube.edges" Permutation of INDEX_EDGES, None, "UD16"; same(Paper, "EdgePermutation"), other(Program, "EdgePermutationIndex").noting(PROGRAM_EDGES)),
    entry!("index_cube.corners" Permutation of INDEX_CORNERS, Some(2768), "UD16"; same(Paper, "CornerPermutation").noting(PAPER_CORNERS), same(Program, "CornerPermutationIndex")),
    entry!("index_cube.flip_x" Raw of INDEX_FLIP_X, Some(186), "RL16"; ),
    entry!("index_cube.flip_y" Raw of INDEX_FLIP_Y, Some(186), "UD16"; ),
    entry!("index_cube.flip_z" Raw of INDEX_FLIP_Z, Some(186), "FB16"; same(Paper, "EdgeOrientation").noting(PAPER_BITS), other(Program, "EdgeOrientationIndex").noting(PROGRAM_FLIPS)),
    entry!("index_cube.twist" Raw of INDEX_TWIST, Some(168), "RL16"; same(Paper, "CornerOrientation").noting(PAPER_DIGITS), same(Program, "CornerOrientationIndex")),
];

/// Finds an entry by name or alias, ignoring case.
pub fn find(name: &str) -> Option<&'static Entry> {
    let by_name = CATALOGUE.iter().find(|entry| entry.name.eq_ignore_ascii_case(name));
    by_name.or_else(|| {
        let is_alias = |entry: &&Entry| entry.aliases.iter().any(|alias| alias.name.eq_ignore_ascii_case(name));
        CATALOGUE.iter().find(is_alias)
    })
}

/// Iterates over every name and alias, for suggestions.
pub fn names() -> impl Iterator<Item = &'static str> {
    CATALOGUE.iter().flat_map(|entry| std::iter::once(entry.name).chain(entry.aliases.iter().map(|alias| alias.name)))
}

#[cfg(test)]
mod tests {
    use super::super::cosets;
    use super::*;
    use superflip_solver::coord;

    #[test]
    fn names_are_unambiguous_and_every_raw_coordinate_is_listed() {
        let mut all: Vec<String> = names().map(str::to_lowercase).collect();
        all.sort();
        assert!(all.windows(2).all(|pair| pair[0] != pair[1]));
        for raw in coord::all().chain(cosets::ALL) {
            assert!(find(raw.name).is_some_and(|entry| entry.descriptor == raw), "{}", raw.name);
        }
        assert_eq!(find("udslicecoord").map(|entry| entry.name), Some("slice"));
    }

    #[test]
    fn parts_make_up_the_whole() {
        for entry in CATALOGUE {
            let size: u64 = entry.parts().iter().map(|part| u64::from(part.size)).product();
            assert_eq!(size, u64::from(entry.descriptor.size), "{}", entry.name);
        }
    }
}
