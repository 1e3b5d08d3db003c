//! Options of opening tables: the profile, and the trust in existing files.

/// Set of tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Fast set of about 640 MB.
    #[default]
    Standard,
    /// Small set of about 50 MB.
    Small,
    /// Tiny set of 4 MB, computed in memory, without files.
    Tiny,
}

impl Profile {
    /// Every profile.
    pub const ALL: [Self; 3] = [Self::Standard, Self::Small, Self::Tiny];

    /// `standard`, `small` or `tiny`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Small => "small",
            Self::Tiny => "tiny",
        }
    }
}

/// The trust in existing table files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trust {
    /// Files with correct checksums are used.
    Files,
    /// Existing files are ignored, and all tables are rebuilt. Use it when a checksum is right but the entries were
    /// computed wrongly.
    Nothing,
}
