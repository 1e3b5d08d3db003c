//! Version of the program, and commit of its source.

use std::sync::LazyLock;

/// Version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Commit that the program was built from: the variable `BUILD_COMMIT` of the build. `None` without the variable, or if it is empty.
pub const COMMIT: Option<&str> = match option_env!("BUILD_COMMIT") {
    Some(commit) if !commit.is_empty() => Some(commit),
    _ => None,
};

/// Returns the version and the commit, as `superflip --version` prints them.
pub fn version_and_commit() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| format!("{VERSION} (commit {})", COMMIT.unwrap_or("unknown")));
    &TEXT
}
