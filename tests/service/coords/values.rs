//! The laboratory of coordinates over HTTP: catalogue, values both ways, symmetries, refusals.

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
        get(small(), construction["example"].text()).await.ok();
    }
}

#[tokio::test]
async fn one_coordinate_comes_with_its_distributions() {
    let twist = get(small(), "/coords/twist").await.ok();
    assert_eq!(twist["depth_histogram"], json!([1, 4, 34, 186, 816, 1018, 128]));
    // An alias is the same coordinate, whatever the case of its letters.
    assert_eq!(get(small(), "/coords/cornoricoord").await.ok(), twist);
    let corners = get(small(), "/coords/symcomp(sym(corner_perm,UD16),twist)").await.ok();
    let published =
        json!([1, 18, 243, 2874, 28000, 205_416, 1_168_516, 5_402_628, 20_776_176, 45_391_616, 15_139_616, 64_736]);
    assert_eq!(corners["depth_histogram"], published);
    assert_eq!((corners["kind"].as_str(), corners["classes"].as_u64()), (Some("sym_composite"), Some(2768)));
    let edges = get(small(), "/coords/edge_perm").await.ok();
    assert!(edges["depth_histogram"].is_null() && edges["depth_reason"].is_string());
}

#[tokio::test]
async fn a_distribution_that_is_missing_has_a_reason() {
    for (name, reason) in [
        ("twist", None),
        ("comp(twist,slice)", None),
        ("comp(twist,flip)", Some("at most 2097152 raw values")),
        ("symcomp(slice_sorted,twist)", Some("`symcomp`")),
        ("ud_edges", Some("phase 2")),
        ("edge_perm", Some("no table")),
    ] {
        let body = get(small(), &format!("/coords/{name}")).await.ok();
        let missing = [&body["depth_histogram_qtm"], &body["depth_histogram_phase_two"]];
        assert!(missing.iter().all(|counts| counts.is_null() == reason.is_some()), "{body}");
        match reason {
            Some(reason) => assert!(body["depth_reason_qtm"].text().contains(reason), "{body}"),
            None => assert!(body["depth_reason_qtm"].is_null(), "{body}"),
        }
    }
}

#[tokio::test]
async fn a_cube_has_a_value_in_every_coordinate_or_a_reason() {
    let mut rng = rng(1);
    for _ in 0..20 {
        let cube = scrambled(&mut rng);
        let body = get(small(), &format!("/coords?facelets={}", letters(&cube))).await.ok();
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
    let body = get(small(), &format!("/coords?scramble=F&names={names}")).await.ok();
    let values: Vec<u64> = body["coordinates"].list().iter().map(|c| c["value"].number()).collect();
    assert_eq!(values, [1236, 550, 33, 230, 793, 224, 2048 * 33 + 550]);
    assert!(body.get("directions").is_none());
    let l = get(small(), "/coords/index_cube.edges/0/apply?moves=L").await.ok();
    assert_eq!(l["end"], 47_174_400);
    let l = get(small(), "/coords/index_cube.corners/0/apply?moves=L").await.ok();
    assert_eq!(l["end"], 6480);
}

/// The matrices and orientations of the paper of `IndexCube`, against the stickers.
#[tokio::test]
async fn a_cube_is_shown_as_the_paper_of_index_cube_writes_it() {
    let router = small();
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
    let edges = get(small(), "/coords/index_cube.edges").await.ok();
    let alias = |system: &str| edges["aliases"].list().iter().find(|a| a["system"] == system).unwrap();
    assert_eq!(alias("IndexCube (paper)")["same_numbers"], true);
    assert_eq!(alias("IndexCube (program)")["same_numbers"], false);
    assert!(alias("IndexCube (program)")["note"].text().contains("127008000"));
    assert!(alias("IndexCube (paper)").get("note").is_none());
    assert_eq!(edges["slots"][1], "BL");
    assert!(get(small(), "/coords/twist").await.ok().get("slots").is_none());
}

/// Coordinate to cube to coordinate, and every neighbour against the independent sticker model.
#[tokio::test]
async fn values_follow_the_stickers_under_moves() {
    let mut rng = rng(2);
    let router = small();
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

#[tokio::test]
async fn symmetries_transform_values_and_are_listed() {
    let list = get(starting(), "/symmetries").await.ok();
    let list = list["symmetries"].list();
    assert_eq!(list.len(), 48);
    assert_eq!(list.iter().filter(|s| s["groups"].list().contains(&json!("UD16"))).count(), 16);
    let cube = Cube::from_scramble("F R").unwrap();
    for s in Symmetry::all().take(16) {
        let value = (coord::SLICE.index)(&cube).unwrap();
        let body = get(small(), &format!("/coords/slice/{value}/transform?symmetry={}", s.index())).await.ok();
        assert_eq!(body["transformed"].as_u64().map(|v| v as u32), (coord::SLICE.index)(&s.conjugate(&cube)));
    }
    get(small(), "/coords/slice/33/transform?symmetry=16").await.problem(422, "does_not_act");
    get(small(), "/coords/slice/33/transform?symmetry=48").await.problem(422, "option_out_of_range");
    get(small(), "/coords/slice/33/transform?symmetry=x").await.problem(400, "invalid_field");
    get(small(), "/coords/slice/33/transform").await.problem(400, "invalid_field");
}

#[tokio::test]
async fn what_is_asked_wrongly_is_refused_with_the_remedy() {
    let many = format!("/coords?scramble=F&names={}", vec!["twist"; 33].join(","));
    for (uri, status, code, part) in [
        ("/coords/twits", 404, "unknown_coordinate", "Did you mean `twist`?"),
        ("/coords/sym(twist,UD17)", 404, "unknown_coordinate", "group"),
        ("/coords/foo(twist)", 422, "expression", "comp, sym, symcomp"),
        ("/coords/comp(twist", 422, "expression", "at character 11"),
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
        get(small(), uri).await.problem_with(status, code, &[part]);
    }
    // Without tables, requests that need them are refused; invalid requests still get their own error.
    get(starting(), "/coords/twist").await.problem(503, "tables_not_ready");
    get(starting(), "/coords/twits").await.problem(404, "unknown_coordinate");
}

/// Whatever stands in the path, the answer is an answer or a problem document.
#[tokio::test]
async fn no_expression_breaks_the_service() {
    let mut rng = rng(7);
    let parts =
        "comp sym symcomp ( ) , twist slice UD16 corner_class %20 %F0%9F%A7%8A 0 .".split(' ').collect::<Vec<_>>();
    let router = small();
    for _ in 0..400 {
        let text: String = (0..rng.random_range(1..12)).map(|_| parts[rng.random_range(0..parts.len())]).collect();
        let answer = get(&router, &format!("/coords/{text}")).await;
        assert!([200, 400, 404, 422].contains(&answer.status.as_u16()), "{text}: {}", answer.text());
    }
}

#[tokio::test]
async fn a_body_may_name_coordinates() {
    let body = json!({"scramble": "F", "names": ["twist", "sym(flip_slice,UD16)"]});
    let answer = post(small(), "/coords", &body).await.ok();
    let list = answer["coordinates"].list();
    assert_eq!((&list[0]["value"], &list[1]["class"]), (&json!(1236), &list[1]["value"]));
    assert_eq!(list[1]["raw"], 2048 * 33 + 550);
    let list: Value = json!([null, "R", null, ["twist"]]);
    post(small(), "/coords", &list).await.problem(400, "invalid_field");
    let wrong: Value = json!({"scramble": "F", "names": "twist"});
    post(small(), "/coords", &wrong).await.problem(400, "invalid_field");
}

/// The symmetries that are listed are those through which a value can be seen, of composed coordinates too.
#[tokio::test]
async fn every_symmetry_that_acts_is_listed() {
    let router = small();
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
