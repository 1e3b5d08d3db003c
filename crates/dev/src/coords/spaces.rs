//! Builds spaces with the tables of the tests.

use std::sync::Arc;

use superflip_coords::space::classes::SpaceClasses;
use superflip_coords::space::memory::Memory;
use superflip_coords::space::product::Product;
use superflip_coords::space::{Space, SpaceLimits, expression, group};
use superflip_cube::Move;
use superflip_solver::Control;
use superflip_solver::coord::Descriptor;
use superflip_solver::tables::Tables;

use super::SMALL;

pub const LIMITS: SpaceLimits = SpaceLimits { values: 1 << 24, bytes: 1 << 28 };

pub fn memory() -> Arc<Memory> {
    Memory::new(LIMITS.bytes)
}

pub fn built(text: &str) -> Space {
    built_from(text, &SMALL)
}

pub fn built_from(text: &str, tables: &Arc<Tables>) -> Space {
    let plan = expression::plan(text).unwrap();
    Space::new(plan, LIMITS, &memory(), tables, &Control::new()).unwrap()
}

pub fn product(parts: &[&'static Descriptor]) -> Product {
    Product::new(parts, &Move::ALL, &SMALL, &memory(), &Control::new()).unwrap()
}

pub fn classes(product: &Product, name: &str) -> SpaceClasses {
    SpaceClasses::new(product, group::named(name).unwrap(), None, &memory(), &Control::new()).unwrap()
}
