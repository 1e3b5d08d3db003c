//! The laboratory of coordinates over HTTP: catalogue, values both ways, maneuvers, symmetries, refusals.

use rand::RngExt;
use superflip_coords::space::catalogue::CATALOGUE;
use superflip_solver::coord;

use crate::common::prelude::*;

#[tokio::test]
async fn the_catalogue_lists_coordinates_with_their_aliases() {
    let catalogue = get(starting(), "/coords").await.ok();
    let list = catalogue["coordinates"].list();
    let entry = |name: &str| list.iter().find(|c| c["name"] == name).unwrap_or_else(|| panic!("{name}"));
    for name in "twist flip slice slice_sorted corner_perm ud_edges u_edges d_edges edge_perm flip_slice corner_class \
        slice_sorted_class flip_slice_sorted index_cube.edges index_cube.corners index_cube.flip_x \
        index_cube.flip_y index_cube.flip_z index_cube.twist"
        .split(' ')
    {
        let c = entry(name);
        for member in
            ["aliases", "kind", "size", "raw_size", "subgroup", "acting_symmetries", "solved", "valid", "source"]
        {
            assert!(!c[member].is_null(), "{name} {member}");
        }
        assert!(c["move_table"].is_boolean() && c["pruning_table"].is_boolean());
    }
    let sizes = |name: &str| {
        let c = entry(name);
        (c["size"].as_u64(), c["classes"].as_u64(), c["raw_size"].as_u64(), c["symmetries"].as_u64())
    };
    assert_eq!(sizes("flip_slice_class"), (Some(16 * 64430), Some(64430), Some(1_013_760), Some(16)));
    assert_eq!(sizes("flip_slice_sorted").1, Some(1_523_864));
    assert_eq!(sizes("edge_perm").0, Some(479_001_600));
    assert_eq!((&entry("edge_perm")["move_table"], &entry("ud_edges")["valid"]), (&json!(false), &json!("phase_two")));
    assert_eq!(entry("flip_slice_class")["kind"], "sym");
    let groups = catalogue["groups"].list();
    assert!(groups.iter().any(|g| g["name"] == "UD16" && g["symmetries"].list().len() == 16));
    for construction in catalogue["constructions"].list() {
        get(ready(), construction["example"].text()).await.ok();
    }
}

#[tokio::test]
async fn one_coordinate_comes_with_its_distributions() {
    let twist = get(ready(), "/coords/twist").await.ok();
    assert_eq!(twist["depth_histogram"], json!([1, 4, 34, 186, 816, 1018, 128]));
    // An alias is the same coordinate, whatever the case of its letters.
    assert_eq!(get(ready(), "/coords/cornoricoord").await.ok(), twist);
    let corners = get(ready(), "/coords/symcomp(sym(corner_perm,UD16),twist)").await.ok();
    let published =
        json!([1, 18, 243, 2874, 28000, 205_416, 1_168_516, 5_402_628, 20_776_176, 45_391_616, 15_139_616, 64_736]);
    assert_eq!(corners["depth_histogram"], published);
    assert_eq!((corners["kind"].as_str(), corners["classes"].as_u64()), (Some("sym_composite"), Some(2768)));
    let edges = get(ready(), "/coords/edge_perm").await.ok();
    assert!(edges["depth_histogram"].is_null() && edges["depth_reason"].is_string());
}

#[tokio::test]
async fn a_cube_has_a_value_in_every_coordinate_or_a_reason() {
    let mut rng = rng(1);
    for _ in 0..20 {
        let cube = scrambled(&mut rng);
        let body = get(ready(), &format!("/coords?facelets={}", letters(&cube))).await.ok();
        let values = body["coordinates"].list();
        assert_eq!(values.len(), CATALOGUE.len());
        for (value, entry) in values.iter().zip(CATALOGUE) {
            assert_eq!(value["name"], entry.name);
            let raw = (entry.descriptor.index)(&cube).map(u64::from);
            if entry.is_sym() {
                assert_eq!(value["raw"].as_u64(), raw);
                let packed = 16 * value["class"].number() + value["symmetry"].number();
                assert_eq!(value["value"], packed, "{}", entry.name);
            } else {
                assert_eq!(value["value"].as_u64(), raw, "{}", entry.name);
                assert_eq!(value["reason"].is_string(), raw.is_none());
            }
        }
        assert_eq!(body["directions"].list().len(), 6);
    }
}

#[tokio::test]
async fn the_published_values_after_f() {
    let names = "twist,flip,slice,slice_python,slice_sorted,corner_perm,flip_slice";
    let body = get(ready(), &format!("/coords?scramble=F&names={names}")).await.ok();
    let values: Vec<u64> = body["coordinates"].list().iter().map(|c| c["value"].number()).collect();
    assert_eq!(values, [1236, 550, 33, 230, 793, 224, 2048 * 33 + 550]);
    assert!(body.get("directions").is_none());
    let l = get(ready(), "/coords/index_cube.edges/0/apply?moves=L").await.ok();
    assert_eq!(l["end"], 47_174_400);
    let l = get(ready(), "/coords/index_cube.corners/0/apply?moves=L").await.ok();
    assert_eq!(l["end"], 6480);
}

/// The matrices and orientations of the paper of `IndexCube`, against the stickers.
#[tokio::test]
async fn a_cube_is_shown_as_the_paper_of_index_cube_writes_it() {
    let router = ready();
    let l = get(&router, "/coords?scramble=L&names=index_cube.edges").await.ok()["index_cube"].clone();
    assert_eq!(l["edges"]["slots"], json!(["DL", "BL", "FL", "UL", "DB", "DF", "UB", "UF", "DR", "BR", "FR", "UR"]));
    let upper: Vec<usize> = (0..12).collect();
    assert_eq!(l["edges"]["permutation"], json!([upper, [1, 3, 0, 2, 4, 5, 6, 7, 8, 9, 10, 11]]));
    assert_eq!(l["edges"]["inverse"], json!([upper, [2, 0, 3, 1, 4, 5, 6, 7, 8, 9, 10, 11]]));
    assert_eq!(l["corners"]["slots"], json!(["DLF", "DBL", "UFL", "ULB", "DFR", "DRB", "URF", "UBR"]));
    assert_eq!(l["corners"]["permutation"], json!([upper[..8], [1, 3, 0, 2, 4, 5, 6, 7]]));
    assert_eq!(l["corners"]["inverse"], json!([upper[..8], [2, 0, 3, 1, 4, 5, 6, 7]]));
    assert_eq!(l["corners"]["orientation"], json!([0, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(l["edges"]["flip_x"], json!([1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(l["edges"]["flip_z"], json!([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
    let mut rng = rng(6);
    for _ in 0..20 {
        let facelets = letters(&scrambled(&mut rng));
        let body = get(&router, &format!("/coords?facelets={facelets}")).await.ok();
        let bits = |name: &str| body["coordinates"].list().iter().find(|c| c["name"] == name).unwrap()["value"].clone();
        for (pieces, flips) in [("edges", ["flip_x", "flip_y", "flip_z"].as_slice()), ("corners", &[])] {
            let shown = &body["index_cube"][pieces];
            let slots: Vec<String> = list_of(&shown["slots"]);
            let (goes_to, holds): (Vec<usize>, Vec<usize>) =
                (list_of(&shown["permutation"][1]), list_of(&shown["inverse"][1]));
            for (number, slot) in slots.iter().enumerate() {
                assert_eq!(goes_to[holds[number]], number);
                let on_stickers = stickers::shown(&facelets, slot);
                assert!(slots[holds[number]].chars().all(|letter| on_stickers.contains(letter)), "{facelets} {slot}");
                if pieces == "corners" {
                    let face = slot.chars().nth(on_stickers.find(['L', 'R']).unwrap()).unwrap();
                    let axis = ["LR", "DU", "BF"].iter().position(|faces| faces.contains(face));
                    assert_eq!(shown["orientation"][number].as_u64().map(|n| n as usize), axis, "{facelets} {slot}");
                }
            }
            for name in flips {
                let value = list_of::<u64>(&shown[name]).into_iter().fold(0, |value, bit| 2 * value + bit);
                assert_eq!(bits(&format!("index_cube.{name}")), value);
            }
        }
    }
    for (names, expected) in [
        ("twist,slice", false),
        ("twist,CornerPermutation", true),
        ("comp(index_cube.flip_z,slice)", true),
        ("symcomp(sym(index_cube.flip_x,AXES8),flip)", true),
    ] {
        let uri = format!("/coords?scramble=L&names={names}");
        assert_eq!(get(&router, &uri).await.ok().get("index_cube").is_some(), expected, "{names}");
    }
}

/// What the catalogue says of an alias, and of the slots that a coordinate numbers, is in the answers.
#[tokio::test]
async fn the_catalogue_separates_index_cube_paper_and_program() {
    let edges = get(ready(), "/coords/index_cube.edges").await.ok();
    let alias = |system: &str| edges["aliases"].list().iter().find(|a| a["system"] == system).unwrap();
    assert_eq!(alias("IndexCube (paper)")["same_numbers"], true);
    assert_eq!(alias("IndexCube (program)")["same_numbers"], false);
    assert!(alias("IndexCube (program)")["note"].text().contains("127008000"));
    assert!(alias("IndexCube (paper)").get("note").is_none());
    assert_eq!(edges["slots"][1], "BL");
    assert!(get(ready(), "/coords/twist").await.ok().get("slots").is_none());
}

/// Coordinate to cube to coordinate, and every neighbour against the independent sticker model.
#[tokio::test]
async fn values_follow_the_stickers_under_moves() {
    let mut rng = rng(2);
    let router = app(ready_state(config()));
    let names = ["twist", "flip_slice_class", "edge_perm", "index_cube.corners", "comp(twist,slice)", "ud_edges"];
    for name in names {
        let size = get(&router, &format!("/coords/{name}")).await.ok()["size"].number();
        for _ in 0..10 {
            let value = rng.random_range(0..size);
            let body = get(&router, &format!("/coords/{name}/{value}")).await.ok();
            let facelets = body["facelets"].text();
            let again = get(&router, &format!("/coords?facelets={facelets}&names={name}")).await.ok();
            let own = again["coordinates"][0]["value"].number();
            // A sym-coordinate may have several names for one raw value.
            assert!(own == value || again["coordinates"][0]["raw"] == body["raw"], "{name} {value} {own}");
            let cubies = post(&router, "/coords", json!({"cubies": body["cubies"], "names": [name]})).await;
            assert_eq!(cubies.ok()["facelets"], facelets);
            let neighbours = body["neighbours"].list();
            assert_eq!(neighbours.len(), 18);
            for (mv, neighbour) in Move::ALL.iter().zip(neighbours) {
                assert_eq!(neighbour["move"], mv.name());
                if neighbour["value"].is_null() {
                    assert!(!Move::PHASE_TWO.contains(mv) && name == "ud_edges");
                    continue;
                }
                let moved = stickers::apply(facelets, mv.name());
                let uri = format!("/coords?facelets={moved}&names={name}");
                let after = get(&router, &uri).await.ok()["coordinates"][0].clone();
                let same = after["value"] == neighbour["value"];
                let at = get(&router, &format!("/coords/{name}/{}", neighbour["value"])).await.ok();
                assert!(same || at["raw"] == after["raw"], "{name} {value} {mv}");
            }
        }
    }
}

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

    /// The value and the symmetry after a step, from those before it and the look-ups, each of which is made again.
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
    let router = app(ready_state(config()));
    let flip_slices = tables().opened().u32s(Id::FlipSliceRepresentative).to_vec();
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

/// Several packed values mean one raw value: the one that is told is that of the cube, and all are listed.
#[tokio::test]
async fn equivalent_values_are_listed_with_the_smallest_first() {
    let asked = get(ready(), "/coords/slice_sorted_class/12265").await.ok();
    let equivalent: Vec<u64> = list_of(&asked["equivalent"]);
    assert!(equivalent.len() > 1 && equivalent.contains(&12265), "{equivalent:?}");
    let kept = asked["class"]["representative_self_symmetries"].list().len();
    assert_eq!((equivalent.len(), equivalent[0]), (kept, asked["value"].number()));
    let facelets = asked["facelets"].text();
    let cube = get(ready(), &format!("/coords?facelets={facelets}&names=slice_sorted_class")).await.ok();
    assert_eq!(cube["coordinates"][0]["value"], asked["value"]);
    let class = |member: &str| asked["class"][member].number();
    assert_eq!(asked["value"], 16 * class("class") + class("symmetry"));
    let walk = get(ready(), "/coords/slice_sorted_class/12265/apply?moves=U").await.ok();
    assert_eq!((&walk["value"], &walk["equivalent"]), (&asked["value"], &asked["equivalent"]));
    for value in equivalent {
        assert_eq!(get(ready(), &format!("/coords/slice_sorted_class/{value}")).await.ok(), asked, "{value}");
    }
    for neighbour in asked["neighbours"].list() {
        let there = get(ready(), &format!("/coords/slice_sorted_class/{}", neighbour["value"])).await.ok();
        assert_eq!(there["value"], neighbour["value"], "{neighbour}");
    }
    assert!(get(ready(), "/coords/twist/5").await.ok()["equivalent"].is_null());
}

#[tokio::test]
async fn symmetries_transform_values_and_are_listed() {
    let list = get(starting(), "/symmetries").await.ok();
    let list = list["symmetries"].list();
    assert_eq!(list.len(), 48);
    assert_eq!(list.iter().filter(|s| s["groups"].list().contains(&json!("UD16"))).count(), 16);
    let cube = Cube::from_scramble("F R").unwrap();
    for s in Symmetry::all().take(16) {
        let value = (coord::SLICE.index)(&cube).unwrap();
        let body = get(ready(), &format!("/coords/slice/{value}/transform?symmetry={}", s.index())).await.ok();
        assert_eq!(body["transformed"].as_u64().map(|v| v as u32), (coord::SLICE.index)(&s.conjugate(&cube)));
    }
    get(ready(), "/coords/slice/33/transform?symmetry=16").await.problem(422, "does_not_act");
    get(ready(), "/coords/slice/33/transform?symmetry=48").await.problem(422, "option_out_of_range");
    get(ready(), "/coords/slice/33/transform?symmetry=x").await.problem(400, "invalid_field");
    get(ready(), "/coords/slice/33/transform").await.problem(400, "invalid_field");
}

#[tokio::test]
async fn what_is_asked_wrongly_is_refused_with_the_remedy() {
    let many = format!("/coords?scramble=F&names={}", vec!["twist"; 33].join(","));
    for (uri, status, code, part) in [
        ("/coords/twits", 404, "unknown_coordinate", "Did you mean `twist`?"),
        ("/coords/sym(twist,UD17)", 404, "unknown_coordinate", "group"),
        ("/coords/foo(twist)", 422, "expression", "comp, sym, symcomp"),
        ("/coords/comp(twist", 422, "expression", "at character 10"),
        ("/coords/symcomp(comp(twist,slice),flip)", 422, "expression", "sym(comp(twist,slice),UD16)"),
        ("/coords/symcomp(twist,flip)", 422, "does_not_act", "UD16"),
        ("/coords/twist/2187", 422, "value_out_of_range", "0 to 2186"),
        ("/coords/twist/18446744073709551615", 422, "value_out_of_range", "0 to 2186"),
        ("/coords/twist/18446744073709551616", 422, "value_out_of_range", "from 0 to 2186"),
        ("/coords/twist/-1", 400, "invalid_path", "integer"),
        ("/coords/index_cube.flip_x/1", 422, "no_such_value", "odd number"),
        ("/coords/index_cube.twist/1", 422, "no_such_value", "multiple of 3"),
        ("/coords/comp(twist,twist)/1", 422, "no_such_value", "contradict"),
        ("/coords/comp(twist,flip,slice)", 422, "space_too_large", "2217093120"),
        ("/coords/sym(flip,UD16)", 422, "does_not_act", "symmetry 2"),
        ("/coords/ud_edges/0/apply?moves=U%20R", 422, "move_not_valid", "Move 2"),
        ("/coords/twist/0/apply?moves=R%20x", 422, "notation", "rotation"),
        ("/coords/twist/0/apply?moves=(R)1001", 422, "option_out_of_range", "1001"),
        ("/coords/twist/0/apply?alg=R", 400, "unknown_field", "moves"),
        ("/coords?scramble=F&names=twist,,flip", 422, "expression", "the name of a coordinate"),
        ("/coords?names=twist", 422, "cube_form", "scramble"),
        (&many, 422, "option_out_of_range", "33"),
    ] {
        get(ready(), uri).await.problem_with(status, code, &[part]);
    }
    // Nothing that needs tables is answered without them, and what is wrong is told even so.
    get(starting(), "/coords/twist").await.problem(503, "tables_not_ready");
    get(starting(), "/coords/twits").await.problem(404, "unknown_coordinate");
}

/// Whatever stands in the path, the answer is an answer or a problem document.
#[tokio::test]
async fn no_expression_breaks_the_service() {
    let mut rng = rng(7);
    let parts =
        "comp sym symcomp ( ) , twist slice UD16 corner_class %20 %F0%9F%A7%8A 0 .".split(' ').collect::<Vec<_>>();
    let router = app(ready_state(config()));
    for _ in 0..400 {
        let text: String = (0..rng.random_range(1..12)).map(|_| parts[rng.random_range(0..parts.len())]).collect();
        let answer = get(&router, &format!("/coords/{text}")).await;
        assert!([200, 400, 404, 422].contains(&answer.status.as_u16()), "{text}: {}", answer.text());
    }
}

/// A space is built once for concurrent requests, in the long lane, and the build stops when all of them are cancelled.
#[tokio::test(flavor = "multi_thread")]
async fn builds_are_shared_and_stop_with_their_last_caller() {
    let state = ready_state(config());
    let router = app(state.clone());
    // Nearly six million values: long enough to be met at work.
    let uri = "/coords/comp(slice_python,u_edges)".to_owned();
    let ask = |router: axum::Router, uri: String| tokio::spawn(async move { get(router, &uri).await });
    let first = ask(router.clone(), uri.clone());
    eventually("it is being built", || state.lanes.long().in_flight() == 1).await;
    let second = ask(router.clone(), uri.clone());
    first.abort();
    // The second takes over; nothing is built twice at once.
    let body = second.await.unwrap().ok();
    assert_eq!(body["size"], 495 * 11880);
    assert!(state.lanes.long().in_flight() <= 1);
    let third = ask(router.clone(), "/coords/flip_slice_sorted".into());
    eventually("it is being built", || state.lanes.long().in_flight() == 1).await;
    third.abort();
    eventually("the build has stopped", || state.lanes.long().in_flight() == 0).await;
    // What is kept is answered from memory.
    assert!(state.spaces.kept("comp(slice_python,u_edges)").is_some());
}

/// Composed spaces, however many, do not displace the small named coordinates.
#[tokio::test(flavor = "multi_thread")]
async fn named_coordinates_do_not_wait_behind_composed_ones() {
    let state = ready_state(config_with(|config| (config.search.long_threads, config.search.queue_length) = (1, 0)));
    let router = app(state.clone());
    let busy = tokio::spawn({
        let router = router.clone();
        async move { get(router, "/coords/flip_slice_sorted").await }
    });
    eventually("the long lane is full", || state.lanes.long().in_flight() == 1).await;
    get(&router, "/coords/comp(twist,slice)").await.problem(503, "overloaded");
    get(&router, "/coords/twist/5").await.ok();
    get(router, "/coords/corner_perm").await.ok();
    busy.abort();
}

/// All spaces together stay within the bound, and what gave way can be had again.
#[tokio::test]
async fn memory_is_bounded() {
    let state = ready_state(config_with(|config| config.coords.cache_bytes = 128 << 20));
    let router = app(state.clone());
    for name in "flip_slice_sorted flip_slice_sorted_class comp(twist,flip) comp(flip,twist) comp(slice,twist) \
        sym(comp(twist,flip),AXES8) sym(comp(flip,twist),AXES8)"
        .split(' ')
    {
        get(&router, &format!("/coords/{name}")).await.ok();
        assert_eq!(raw(&router, "GET", name, &[]).await.status, 200, "{name}");
        let used = state.spaces.memory().used();
        // Nothing is sent any more, so only the cache is left.
        assert!(used > 0 && used <= 64 << 20, "{name}: {used}");
    }
    get(router, "/coords/twist").await.ok();
}

/// What downloads hold counts, and one more is refused until some have ended.
#[tokio::test]
async fn memory_that_is_being_sent_is_not_given_twice() {
    let state = ready_state(config_with(|config| config.coords.cache_bytes = 6 << 20));
    let router = app(state.clone());
    // Of a million values each.
    let names = ["twist,slice", "slice,twist", "flip,slice", "slice,flip", "twist,slice_python", "slice_python,twist"];
    let (mut unread, mut refused) = (Vec::new(), None);
    for name in names {
        let uri = format!("/coords/comp({name})/raw");
        let request = request(&Method::GET, &uri, &[]);
        let response = tower::ServiceExt::oneshot(router.clone(), request).await.unwrap();
        assert!(state.spaces.memory().used() <= 6 << 20);
        if response.status() != 200 {
            refused = Some(uri);
            break;
        }
        unread.push(response);
    }
    let refused = refused.expect("one too many");
    assert!(unread.len() >= 2, "{}", unread.len());
    get(&router, &refused).await.problem_with(503, "overloaded", &["memory for coordinates"]);
    drop(unread);
    assert_eq!(get(router, &refused).await.status, 200);
}

#[tokio::test]
async fn a_space_that_is_too_large_for_the_memory_says_so() {
    for (limit, size, parts) in [
        ("cache_bytes", 4 << 20, ["the limit is 2097152", "coords.cache_bytes"]),
        ("max_space_values", 1000, ["1082565 values", "the limit is 1000"]),
    ] {
        let state = ready_state(config_with(|config| match limit {
            "cache_bytes" => config.coords.cache_bytes = size,
            _ => config.coords.max_space_values = size,
        }));
        let name = if limit == "cache_bytes" { "comp(twist,flip)" } else { "comp(twist,slice)" };
        let refused = get(app(state.clone()), &format!("/coords/{name}")).await;
        refused.problem_with(422, "space_too_large", &parts);
        assert_eq!(state.spaces.memory().used(), 0);
    }
}

#[tokio::test]
async fn composition_can_be_turned_off() {
    let router = app(ready_state(config_with(|config| config.coords.max_space_values = 0)));
    for uri in
        ["/coords/comp(twist,slice)", "/coords/sym(slice,UD16)/raw", "/coords?scramble=F&names=comp(twist,slice)"]
    {
        get(&router, uri).await.problem_with(422, "space_too_large", &["coords.max_space_values is 0"]);
    }
    for name in ["twist", "flip_slice_class", "symcomp(flip_slice,twist)"] {
        get(&router, &format!("/coords/{name}")).await.ok();
    }
}

#[tokio::test]
async fn a_body_may_name_coordinates() {
    let body = json!({"scramble": "F", "names": ["twist", "sym(flip_slice,UD16)"]});
    let answer = post(ready(), "/coords", &body).await.ok();
    let list = answer["coordinates"].list();
    assert_eq!((&list[0]["value"], &list[1]["class"]), (&json!(1236), &list[1]["value"]));
    assert_eq!(list[1]["raw"], 2048 * 33 + 550);
    let list: Value = json!([null, "R", null, ["twist"]]);
    post(ready(), "/coords", &list).await.problem(400, "invalid_field");
    let wrong: Value = json!({"scramble": "F", "names": "twist"});
    post(ready(), "/coords", &wrong).await.problem(400, "invalid_field");
}

/// Asks for the distances of all values with further headers.
async fn raw(router: &axum::Router, method: &str, name: &str, headers: &[(&str, &str)]) -> Answer {
    send(router, request(&method.parse().unwrap(), &format!("/coords/{name}/raw"), headers)).await
}

/// Read as docs/tables.md describes it, with nothing of this crate.
#[tokio::test]
async fn the_distances_of_all_values_are_downloaded_as_a_table_is() {
    let router = app(ready_state(config()));
    let whole = raw(&router, "GET", "twist", &[("accept-encoding", "gzip")]).await;
    assert_eq!((whole.status.as_u16(), whole.body.len()), (200, 4096 + 2187));
    let file = &whole.body;
    let number = |at: usize, bytes: usize| {
        file[at..at + bytes].iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte))
    };
    assert_eq!((&file[..16], &file[24..30], number(16, 4)), (&b"superflip table\n"[..], &b"twist\0"[..], 1));
    assert_eq!((number(80, 8), number(88, 4), number(92, 4), number(96, 8)), (2187, 8, 7, 2187));
    let published = [1, 4, 34, 186, 816, 1018, 128];
    for (depth, count) in published.into_iter().enumerate() {
        assert_eq!(file[4096..].iter().filter(|&&byte| usize::from(byte) == depth).count() as u64, count);
        assert_eq!((number(120 + 8 * depth, 8), number(376 + 8 * depth, 8)), (count, count));
    }
    let end = file.len();
    assert_eq!(whole.header("content-type"), "application/octet-stream");
    assert_eq!((whole.header("content-encoding"), whole.header("accept-ranges")), ("", "bytes"));
    assert_eq!(whole.header("content-length"), end.to_string());
    assert_eq!(whole.header("content-disposition"), "attachment; filename=\"twist.tbl\"");
    let tag = whole.header("etag").to_owned();
    assert!(tag.starts_with('"'), "strong");
    assert_ranges(&router, "/coords/twist/raw", file).await;
    assert_eq!(raw(&router, "GET", "twist", &[("if-none-match", &tag)]).await.status, 304);
    raw(&router, "GET", "twist", &[("if-match", "\"other\"")]).await.problem(412, "precondition_failed");
    for (known, status) in [(tag.as_str(), 206), ("\"other\"", 200)] {
        let answer = raw(&router, "GET", "twist", &[("range", "bytes=0-9"), ("if-range", known)]).await;
        assert_eq!(answer.status, status, "{known}");
    }
    // The same file each time; another for another coordinate, though its bytes and the first 48 of its name are the same.
    assert_eq!(raw(&ready(), "HEAD", "cornoricoord", &[]).await.header("etag"), tag);
    assert_ne!(raw(&router, "HEAD", "comp(twist)", &[]).await.header("etag"), tag);
    // No cube has the value 1 of this one.
    let flips = raw(&router, "GET", "index_cube.flip_x", &[]).await;
    assert_eq!(flips.body[4096..4098], [0, 255]);
    raw(&router, "GET", "edge_perm", &[]).await.problem_with(422, "no_distances", &["479001600"]);
    raw(&router, "GET", "twits", &[]).await.problem(404, "unknown_coordinate");
    raw(&starting(), "GET", "twist", &[]).await.problem(503, "tables_not_ready");
}

#[tokio::test]
async fn downloads_that_are_not_read_do_not_block_others() {
    let router = app(ready_state(config()));
    let mut unread = Vec::new();
    for _ in 0..20 {
        let request = request(&Method::GET, "/coords/twist/raw", &[]);
        unread.push(tower::ServiceExt::oneshot(router.clone(), request).await.unwrap());
        assert_eq!(unread.last().unwrap().status(), 200);
    }
    assert_eq!(raw(&router, "GET", "twist", &[]).await.status, 200);
}

#[tokio::test]
async fn a_slow_download_is_aborted_and_frees_its_memory() {
    let state = ready_state(config_with(|config| config.server.request_timeout_ms = 2000));
    let router = app(state.clone());
    get(&router, "/coords/slice_sorted_class").await.ok();
    let kept = state.spaces.memory().used();
    let request = request(&Method::GET, "/coords/slice_sorted_class/raw", &[]);
    let response = tower::ServiceExt::oneshot(router.clone(), request).await.unwrap();
    assert_eq!((response.status().as_u16(), state.spaces.memory().used()), (200, kept + 16 * 788));
    eventually("it is freed", || state.spaces.memory().used() == kept).await;
    assert!(http_body_util::BodyExt::collect(response.into_body()).await.is_err());
}

/// The symmetries that are listed are those through which a value can be seen, of composed coordinates too.
#[tokio::test]
async fn every_symmetry_that_acts_is_listed() {
    let router = app(ready_state(config()));
    for (name, acting) in [
        ("comp(flip,slice)", (0..16).collect::<Vec<_>>()),
        ("sym(flip_slice,UD16)", (0..16).collect()),
        ("symcomp(slice_sorted,twist)", (0..16).collect()),
        ("sym(corner_tetrads,ALL48)", (0..48).collect()),
    ] {
        let body = get(&router, &format!("/coords/{name}")).await.ok();
        assert_eq!(body["acting_symmetries"], json!(acting), "{name}");
        for s in 0..48 {
            let answer = get(&router, &format!("/coords/{name}/5/transform?symmetry={s}")).await;
            let is_listed = body["acting_symmetries"].list().contains(&json!(s));
            assert_eq!(answer.status == 200, is_listed, "{name}, {s}");
        }
    }
}

/// Phase 1 is beyond the limit of composed spaces, and is answered from the table that the searches use.
#[tokio::test]
async fn phase_one_is_a_coordinate_like_others() {
    let standard = app(standard());
    let small = app(ready_state(config()));
    let name = "symcomp(flip_slice,twist)";
    let mut rng = rng(19);
    for router in [&standard, &small] {
        let body = get(router, &format!("/coords/{name}")).await.ok();
        assert_has(&body, &json!({"name": "symcomp(sym(flip_slice,UD16),twist)", "size": 140_908_410}));
        assert_eq!(body["depth_histogram"][12], 476);
        for _ in 0..20 {
            let cube = scrambled(&mut rng);
            let facelets = letters(&cube);
            let all = get(router, &format!("/coords?facelets={facelets}")).await.ok();
            let own = get(router, &format!("/coords?facelets={facelets}&names={name}")).await.ok();
            let value = own["coordinates"][0]["value"].number();
            let at = get(router, &format!("/coords/{name}/{value}")).await.ok();
            assert_eq!(at["distance"], all["directions"][0]["phase_one_distance"], "{facelets}");
            let distance = at["distance"].number();
            let neighbours = at["neighbours"].list();
            assert!(neighbours.iter().all(|n| n["distance"].number().abs_diff(distance) <= 1));
            assert!(neighbours.iter().any(|n| n["leads"] == "nearer"));
            let to_solved = at["to_solved"].text().replace(' ', "%20");
            let walk = get(router, &format!("/coords/{name}/{value}/apply?moves={to_solved}")).await.ok();
            assert_eq!(walk["end"], 0);
            let place = 4096 + value;
            let byte = raw(&standard, "GET", name, &[("range", &format!("bytes={place}-{place}"))]).await;
            assert_eq!((byte.status.as_u16(), byte.body.as_slice()), (206, &[distance as u8][..]));
        }
    }
    let head = raw(&standard, "HEAD", name, &[]).await;
    assert_eq!(head.header("content-length"), (4096 + 140_908_410).to_string());
    raw(&small, "GET", name, &[]).await.problem_with(422, "no_distances", &["/tables/phase_one_residues/raw"]);
}
