//! Goals that are sets of pieces at home, as teachers of methods use them.
//!
//! Each piece is a digit of 24 values: its slot and orientation. Four pieces have a table of 24^4 bytes, five have one of
//! 24^5. A larger set has several tables, whose greatest distance is a lower bound.

use super::super::move_set::MoveSet;
use super::digit::Digit;
use super::target::Target;
use superflip_cube::{Corner, Cube, Edge};
use superflip_solver::coord::FLIP;

/// Builds a target from names of pieces, separated by spaces. Each product is a list of such names.
fn pieces(products: &[&str]) -> Target {
    named(Vec::new(), products)
}

/// Builds a target from named pieces, after the digits of some coordinates. A product contains them if it starts with `+`.
fn named(coordinates: Vec<Digit>, products: &[&str]) -> Target {
    let first = coordinates.len();
    let mut names: Vec<&str> = Vec::new();
    let mut lists: Vec<Vec<usize>> = Vec::new();
    for product in products {
        let mut list = Vec::new();
        for name in product.split_whitespace() {
            if name == "+" {
                list.extend(0..first);
                continue;
            }
            let place = names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            });
            list.push(first + place);
        }
        lists.push(list);
    }
    let lists: Vec<&[usize]> = lists.iter().map(Vec::as_slice).collect();
    let digits = coordinates.into_iter().chain(names.into_iter().map(piece)).collect();
    Target::new(digits, &lists, &[Cube::SOLVED], MoveSet::ALL)
}

fn piece(name: &str) -> Digit {
    let edge = Edge::ALL.into_iter().find(|edge| edge.name() == name).map(Digit::edge);
    let corner = || Corner::ALL.into_iter().find(|corner| corner.name() == name).map(Digit::corner);
    edge.or_else(corner).unwrap_or_else(|| panic!("no piece is called {name}"))
}

pub(super) fn cross() -> Target {
    pieces(&["DR DF DL DB"])
}

pub(super) fn xcross() -> Target {
    pieces(&["DR DF DL DB DBL", "DR DF DL DB BL"])
}

pub(super) fn eoline() -> Target {
    named(vec![Digit::coordinate(&FLIP)], &["+ DF DB"])
}

pub(super) fn eocross() -> Target {
    named(vec![Digit::coordinate(&FLIP)], &["+ DF DB", "+ DL DR", "DR DF DL DB"])
}

pub(super) fn block_222() -> Target {
    pieces(&["DL DB BL DBL"])
}

pub(super) fn block_223() -> Target {
    pieces(&["DB DL DR BL BR", "DB DL BL DBL DRB", "DB DR BR DRB DBL"])
}

pub(super) fn roux_first_block() -> Target {
    pieces(&["DL FL BL DLF DBL"])
}

pub(super) fn roux_blocks() -> Target {
    pieces(&["DL FL BL DLF DBL", "DR FR BR DFR DRB", "DL DR DLF DBL DFR", "FL BL FR BR"])
}

pub(super) fn layer_1() -> Target {
    pieces(&["DR DF DL DB DFR", "DR DF DFR DLF DBL", "DL DB DFR DBL DRB"])
}

pub(super) fn layer_2() -> Target {
    pieces(&["DR DF DL DB DFR", "DFR DLF DBL DRB", "FR FL BL BR DF", "DR DF FR DFR DLF", "DL DB BL DBL DRB"])
}
