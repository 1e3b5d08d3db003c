//! Options of opening tables: the profile, and the trust in existing files.

/// A set of tables: a trade-off between memory and speed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Profile {
    /// About 640 MB. One read covers all 18 turns of a node.
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

/// The trust in existing table files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// Files with correct checksums are used.
    Files,
    /// No file is used: their bytes are as written, but wrong. All tables are rebuilt.
    Nothing,
}
