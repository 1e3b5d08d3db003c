//! `/symmetries` against the motions of the stickers in space.

use crate::common::prelude::*;
use crate::common::stickers::Point;

/// Where a symmetry carries a point, from the definition of its number 16 a + 8 b + 2 c + d.
fn carried(index: usize, point: Point) -> Point {
    let times = |n: usize, motion: &dyn Fn(Point) -> Point, point: Point| (0..n).fold(point, |point, _| motion(point));
    // U (y) to R (x), R to F (z), F to U.
    let point = times(index / 16, &|[x, y, z]| [y, z, x], point);
    let point = times(2 * (index / 8 % 2), &|v| stickers::clockwise([0, 0, 1], v), point);
    let point = times(index / 2 % 4, &|v| stickers::clockwise([0, 1, 0], v), point);
    times(index % 2, &|[x, y, z]| [-x, y, z], point)
}

/// Where each of the 54 stickers is carried.
fn motion(index: usize) -> Vec<usize> {
    let places = stickers::places();
    let to = |&(cell, normal): &(Point, Point)| (carried(index, cell), carried(index, normal));
    places.iter().map(|from| places.iter().position(|place| *place == to(from)).expect("a place")).collect()
}

/// The words say where the motion carries the faces, not what conjugation makes of their moves.
#[tokio::test]
async fn a_description_says_where_the_motion_carries_the_faces() {
    let normals =
        [('U', [0, 1, 0]), ('R', [1, 0, 0]), ('F', [0, 0, 1]), ('D', [0, -1, 0]), ('L', [-1, 0, 0]), ('B', [0, 0, -1])];
    let list = get(starting(), "/symmetries").await.ok();
    for index in 1..48 {
        let to = |face: usize| {
            let normal = carried(index, normals[face].1);
            normals.iter().find(|(_, known)| *known == normal).expect("a face").0
        };
        let words = list["symmetries"][index]["description"].text();
        assert!(words.ends_with(&format!(": U to {}, F to {}", to(0), to(2))), "{index}: {words}");
    }
}

/// The table of products is composition of the motions in space: first i, then j.
#[tokio::test]
async fn products_are_those_of_the_motions_of_the_stickers() {
    let motions: Vec<Vec<usize>> = (0..48).map(motion).collect();
    let router = starting();
    let list = get(&router, "/symmetries").await.ok();
    let table: Vec<Vec<usize>> = serde_json::from_value(list["products"].clone()).expect("a table of numbers");
    assert_eq!(table.len(), 48);
    for (i, row) in table.iter().enumerate() {
        let mut met = row.clone();
        met.sort_unstable();
        assert_eq!(met, (0..48).collect::<Vec<_>>(), "row {i}");
        for (j, &product) in row.iter().enumerate() {
            let composed: Vec<usize> = motions[i].iter().map(|&at| motions[j][at]).collect();
            assert_eq!(motions[product], composed, "{i} then {j}");
        }
        let inverse = list["symmetries"][i]["inverse"].number() as usize;
        assert_eq!((table[i][inverse], table[inverse][i]), (0, 0));
    }
    for (i, j) in (0..48).flat_map(|i| (0..48).map(move |j| (i, j))).step_by(5) {
        let body = get(&router, &format!("/symmetries/{i}/{j}")).await.ok();
        let numbers = ["first", "second", "product"].map(|member| body[member].as_u64().map(|n| n as usize));
        assert_eq!(numbers, [Some(i), Some(j), Some(table[i][j])]);
        for (member, number) in [("first", i), ("second", j), ("product", table[i][j])] {
            assert_eq!(body["descriptions"][member], list["symmetries"][number]["description"]);
        }
    }
}

/// Conjugation by a product is conjugation by its second factor, then by its first: seen in what becomes of the moves.
#[tokio::test]
async fn a_product_maps_the_moves_as_its_factors_do() {
    let list = get(starting(), "/symmetries").await.ok();
    let move_names = list["symmetries"][0]["moves"].clone();
    let number = |name: &serde_json::Value| move_names.list().iter().position(|mv| mv == name).unwrap();
    let moves = |s: usize, m: usize| number(&list["symmetries"][s]["moves"][m]);
    for (i, j) in (0..48).flat_map(|i| (0..48).map(move |j| (i, j))) {
        let product = list["products"][i][j].number() as usize;
        for m in 0..18 {
            assert_eq!(moves(product, m), moves(i, moves(j, m)), "{i} then {j}, move {m}");
        }
    }
}

#[tokio::test]
async fn sym_coordinate_rules_use_the_product_table() {
    let list = get(starting(), "/symmetries").await.ok();
    let walk =
        get(small(), "/coords/flip_slice_class/857606/apply?moves=U%20F%20L2%20D'%20B%20R'%20U2%20F'").await.ok();
    for step in walk["steps"].list() {
        let rule = &step["rule"]["sym_mult"];
        let (i1, i) = (rule["i1"].number() as usize, rule["i"].number() as usize);
        assert_eq!(list["products"][i1][i], rule["product"]);
    }
}

#[tokio::test]
async fn a_path_that_numbers_no_symmetry_is_refused_with_the_remedy() {
    for (path, status, code) in [
        ("48/0", 422, "value_out_of_range"),
        ("0/48", 422, "value_out_of_range"),
        ("0/18446744073709551616", 422, "value_out_of_range"),
        ("x/0", 400, "invalid_path"),
        ("0/-1", 400, "invalid_path"),
        ("+1/0", 400, "invalid_path"),
        ("0/%F0%9F%A7%8A", 400, "invalid_path"),
    ] {
        let answer = get(starting(), &format!("/symmetries/{path}")).await;
        answer.problem_with(status, code, &["0 to 47", "GET /symmetries"]);
    }
    get(starting(), "/symmetries/1").await.problem(404, "not_found");
}
