//! Which tables to load, and how far existing files are trusted.

/// Which set of tables: how much memory buys how much speed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Profile {
    /// About 640 MB: one read answers for all 18 turns of a node.
    #[default]
    Standard,
    /// About 50 MB, for small containers and tests.
    Small,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 2] = [Self::Standard, Self::Small];

    /// `standard` or `small`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Small => "small",
        }
    }
}

/// How far files are trusted that are there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// Those whose checksums are right are used.
    Files,
    /// Their bytes are as they were written and yet wrong: all are built anew.
    Nothing,
}
