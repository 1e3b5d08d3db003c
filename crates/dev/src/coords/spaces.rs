//! Builds spaces with the tables of the tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use superflip_coords::space::classes::SpaceClasses;
use superflip_coords::space::memory::Memory;
use superflip_coords::space::product::Product;
use superflip_coords::space::{Space, SpaceLimits, expression, group};
use superflip_cube::{Move, Symmetry};
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

/// Every value of a space up to some two million, an even sample beyond.
pub fn values(space: &Space) -> impl Iterator<Item = u64> {
    let step = if space.size() > 2_000_000 { space.size() as usize / 200_003 + 1 } else { 1 };
    (0..space.size()).step_by(step)
}

/// Checks each value: it is the value of its cube, and moves and symmetries agree with the cubies.
pub fn agrees_with_the_cubies(space: &Space, acting: &[Symmetry]) {
    let label = &space.plan().label;
    let mut occurring = 0_u64;
    for value in values(space) {
        let Some(state) = space.state(value) else { continue };
        occurring += 1;
        let cube = space.cube(state);
        assert_eq!(space.state_of_cube(&cube), Some(state), "{label} {value}");
        let back = space.value(state);
        // A sym-coordinate has several names where a symmetry keeps the value; the first of them is given.
        assert!(back <= value && space.state(back) == Some(state), "{label} {value} {back}");
        for &mv in space.moves() {
            let moved = space.after(state, mv).unwrap();
            assert_eq!(space.state_of_cube(&cube.then(mv.cube())), Some(moved), "{label} {value} {mv}");
        }
        let (mv, s) = (space.moves()[value as usize % space.moves().len()], acting[value as usize % acting.len()]);
        let moved = space.after(state, mv).unwrap();
        let seen = space.state_of_cube(&s.conjugate(&cube)).unwrap();
        if value % 64 == 0 {
            assert_eq!(space.transform(state, s), Ok(seen), "{label} {value} {s:?}");
        }
        if let (Some(here), Some(there)) = (space.distance(state), space.distance(moved)) {
            assert!(here.abs_diff(there) <= 1, "{label} {value}");
            // Symmetries that do not keep the ten moves of phase 2 do not keep distances by them.
            assert_eq!(space.distance(seen), Some(here), "{label} {value}");
        }
    }
    assert!(occurring > 0);
}

/// Checks every item, on as many threads as there are cores.
pub fn in_parallel<T: Sync>(items: &[T], check: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(item);
                }
            });
        }
    });
}
