//! Helpers of the tests and benches. A module has the helpers of one crate, and those of the crates below it.
//!
//! The feature of a module has its name; `cube` and `camera` are always there. No crate depends on this one, but for its tests.
#![allow(missing_docs)] // names of helpers say what they do; those that need more say it
#![allow(clippy::missing_panics_doc, clippy::missing_errors_doc)] // a helper that panics fails its test
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small
#![allow(clippy::new_without_default, clippy::return_self_not_must_use)] // no one else calls these

pub mod camera;
/// Helpers for the tests of coordinates and of moves as four arrays.
#[cfg(feature = "coords")]
pub mod coords {
    pub mod arrays;
    pub mod spaces;
    pub mod steps;

    pub use crate::solver::*;
}
pub mod cube;
#[cfg(feature = "service")]
pub mod service;
#[cfg(feature = "solver")]
pub mod solver;

/// The root of the repository.
pub fn root() -> &'static std::path::Path {
    std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The folder `target` in which this test program was built: its path is `target/debug/deps/NAME`.
pub fn target_folder() -> std::path::PathBuf {
    let program = std::env::current_exe().expect("a path");
    program.ancestors().nth(3).expect("target/debug/deps").to_owned()
}

/// Every Rust file below a folder, which is given as a path from the root, as such a path.
pub fn sources(folder: &str) -> Vec<String> {
    let root = root().canonicalize().expect("a folder");
    let (mut folders, mut files) = (vec![root.join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path.strip_prefix(&root).expect("below the root").to_str().expect("UTF-8").to_owned());
            }
        }
    }
    files
}
