//! Maneuvers on values: every look-up of a walk made again with cubes, and values that mean the same.

use rand::RngExt;
use superflip_solver::coord;

use crate::common::prelude::*;

/// A coordinate of classes with its tables made from cubes, to follow the look-ups of a walk by hand.
struct Reference {
    name: &'static str,
    base: &'static coord::Descriptor,
    second: Option<&'static coord::Descriptor>,
    packed: bool,
    group: Vec<Symmetry>,
    representatives: Vec<u32>,
}

fn image(coordinate: &coord::Descriptor, value: u32, s: Symmetry) -> u32 {
    (coordinate.index)(&s.conjugate(&(coordinate.representative)(value))).unwrap()
}

fn after(coordinate: &coord::Descriptor, value: u32, mv: Move) -> u32 {
    (coordinate.index)(&(coordinate.representative)(value).then(mv.cube())).unwrap()
}

impl Reference {
    fn new(name: &'static str, base: &'static coord::Descriptor) -> Self {
        let group: Vec<Symmetry> = Symmetry::all().take(16).collect();
        let is_smallest = |&value: &u32| group.iter().all(|&s| image(base, value, s) >= value);
        let representatives = (0..base.size).filter(is_smallest).collect();
        Self { name, base, second: None, packed: false, group, representatives }
    }

    fn value(&self, class: usize, symmetry: usize, second: Option<u64>) -> u64 {
        match self.second {
            Some(part) => class as u64 * u64::from(part.size) + second.unwrap(),
            None if self.packed => 16 * class as u64 + symmetry as u64,
            None => class as u64,
        }
    }

    /// The value and the symmetry after a step. They follow from the value and the symmetry before it and the look-ups, which are all repeated.
    fn follow(&self, value: u64, i: usize, name: &str, rule: &Value) -> (u64, usize) {
        let index =
            |pointer: &str| rule.pointer(pointer).and_then(Value::as_u64).unwrap_or_else(|| panic!("{pointer}"));
        let symmetry = |index: u64| Symmetry::try_from_index(index as usize).unwrap();
        let move_of = |name: &Value| Move::ALL.into_iter().find(|mv| *name == mv.name()).unwrap();
        let size = self.second.map_or(if self.packed { 16 } else { 1 }, |part| u64::from(part.size));
        // SymMove[i, m]
        assert_eq!((index("/sym_move/i") as usize, &rule["sym_move"]["m"]), (i, &json!(name)));
        let (own, m1) = (symmetry(i as u64), move_of(&rule["sym_move"]["m1"]));
        assert_eq!(m1.cube(), &own.conjugate(move_of(&json!(name)).cube()), "{}", self.name);
        // MoveTable[j, m1]
        let (j, j1, i1) = (index("/move_table/j"), index("/move_table/j1") as usize, index("/move_table/i1"));
        assert_eq!((j, move_of(&rule["move_table"]["m1"])), (value / size, m1), "{}", self.name);
        let moved = after(self.base, self.representatives[j as usize], m1);
        assert_eq!(image(self.base, moved, symmetry(i1)), self.representatives[j1], "{}", self.name);
        // SymMult[i1, i]
        let product = symmetry(index("/sym_mult/product"));
        assert_eq!((index("/sym_mult/i1"), index("/sym_mult/i")), (i1, i as u64));
        let cube = Cube::from_scramble("R U F2 L D' B").unwrap();
        assert_eq!(product.conjugate(&cube), symmetry(i1).conjugate(&own.conjugate(&cube)));
        // The smallest of the symmetries that lead to the same representative.
        let (t, smallest) = (symmetry(index("/canonical/t")), symmetry(index("/canonical/symmetry")));
        assert_eq!(index("/canonical/product"), product.index() as u64);
        assert_eq!(smallest.conjugate(&cube), t.conjugate(&product.conjugate(&cube)));
        let keeps = |t: &&Symmetry| image(self.base, self.representatives[j1], **t) == self.representatives[j1];
        assert!(keeps(&&t));
        assert_eq!(self.group.iter().filter(keeps).map(|t| t.then(product)).min(), Some(smallest));
        // The second part: its move table, then what the symmetries do to it.
        let second = self.second.map(|part| {
            assert_eq!((index("/second/c"), index("/second/i1")), (value % size, i1));
            assert_eq!(move_of(&rule["second"]["m1"]), m1);
            let moved = after(part, (value % size) as u32, m1);
            let transformed = image(part, moved, symmetry(i1));
            assert_eq!((index("/second/moved"), index("/second/transformed")), (moved.into(), transformed.into()));
            assert_eq!(index("/canonical/second"), u64::from(image(part, transformed, t)));
            index("/canonical/second")
        });
        assert_eq!(self.second.is_none(), rule["second"].is_null());
        (self.value(j1, smallest.index(), second), smallest.index())
    }
}

/// Every look-up of a walk, made again with cubes, leads to the values that are told, and to that of the cube at the end.
#[tokio::test]
async fn a_maneuver_is_walked_step_by_step_with_every_look_up_shown() {
    let mut rng = rng(11);
    let router = small();
    let flip_slices = small_tables().opened().u32s(Id::FlipSliceRepresentative).to_vec();
    let group: Vec<Symmetry> = Symmetry::all().take(16).collect();
    let flip_slice = |name| Reference {
        name,
        base: &coord::FLIP_SLICE,
        second: None,
        packed: false,
        group: group.clone(),
        representatives: flip_slices.clone(),
    };
    let corners = |name| Reference::new(name, &coord::CORNER_PERM);
    let twist = Some(&coord::TWIST);
    let references = [
        flip_slice("sym(flip_slice,UD16)"),
        corners("sym(corner_perm,UD16)"),
        Reference { second: twist, ..corners("symcomp(sym(corner_perm,UD16),twist)") },
        Reference { second: twist, ..Reference::new("symcomp(slice_sorted_class,twist)", &coord::SLICE_SORTED) },
        Reference { packed: true, ..flip_slice("flip_slice_class") },
        Reference { packed: true, ..Reference::new("slice_sorted_class", &coord::SLICE_SORTED) },
    ];
    for reference in &references {
        let (name, mut moved) = (reference.name, 0);
        let size = get(&router, &format!("/coords/{name}")).await.ok()["size"].number();
        for round in 0..24 {
            // Symmetric representatives are near solved.
            let value = if round % 2 == 0 { 0 } else { rng.random_range(0..size) };
            let maneuver = (0..12).map(|_| Move::ALL[rng.random_range(0..18)].name()).collect::<Vec<_>>();
            let start = get(&router, &format!("/coords/{name}/{value}")).await.ok();
            let moves = maneuver.join("%20");
            let walk = get(&router, &format!("/coords/{name}/{value}/apply?moves={moves}")).await.ok();
            for member in ["value", "offset", "offset_note", "equivalent", "distance"] {
                assert_eq!(walk[member], start[member], "{name} {member}");
            }
            assert_eq!(walk["offset"].is_null(), reference.packed);
            let mut at = walk["value"].number();
            let mut symmetry = if reference.packed { at as usize % 16 } else { 0 };
            let mut facelets = start["facelets"].text().to_owned();
            for (step, mv) in walk["steps"].list().iter().zip(&maneuver) {
                (at, symmetry) = reference.follow(at, symmetry, mv, &step["rule"]);
                let offset = (!reference.packed).then_some(symmetry);
                assert_eq!((&step["value"], &step["offset"]), (&json!(at), &json!(offset)), "{name} {value} {mv}");
                facelets = stickers::apply(&facelets, mv);
                moved += usize::from(step["rule"]["canonical"]["t"] != 0);
            }
            assert_eq!(walk["end"], at);
            let cube = get(&router, &format!("/coords?facelets={facelets}&names={name}")).await.ok();
            assert_eq!(cube["coordinates"][0]["value"], at, "{name} {value} {maneuver:?}");
        }
        assert!(moved > 0, "{name}: no walk met a symmetric representative");
    }
}

/// Several packed values mean one raw value. The answer has the packed value of the cube, and lists all.
#[tokio::test]
async fn equivalent_values_are_listed_with_the_smallest_first() {
    let asked = get(small(), "/coords/slice_sorted_class/12265").await.ok();
    let equivalent: Vec<u64> = list_of(&asked["equivalent"]);
    assert!(equivalent.len() > 1 && equivalent.contains(&12265), "{equivalent:?}");
    let kept = asked["class"]["representative_self_symmetries"].list().len();
    assert_eq!((equivalent.len(), equivalent[0]), (kept, asked["value"].number()));
    let facelets = asked["facelets"].text();
    let cube = get(small(), &format!("/coords?facelets={facelets}&names=slice_sorted_class")).await.ok();
    assert_eq!(cube["coordinates"][0]["value"], asked["value"]);
    let class = |member: &str| asked["class"][member].number();
    assert_eq!(asked["value"], 16 * class("class") + class("symmetry"));
    let walk = get(small(), "/coords/slice_sorted_class/12265/apply?moves=U").await.ok();
    assert_eq!((&walk["value"], &walk["equivalent"]), (&asked["value"], &asked["equivalent"]));
    for value in equivalent {
        assert_eq!(get(small(), &format!("/coords/slice_sorted_class/{value}")).await.ok(), asked, "{value}");
    }
    for neighbour in asked["neighbours"].list() {
        let there = get(small(), &format!("/coords/slice_sorted_class/{}", neighbour["value"])).await.ok();
        assert_eq!(there["value"], neighbour["value"], "{neighbour}");
    }
    assert!(get(small(), "/coords/twist/5").await.ok()["equivalent"].is_null());
}
