//! The parameters as texts, and their limits.

/// Greatest number of layers.
pub const MAX_SIZE: usize = 10;
/// Greatest width and height in pixels.
pub const MAX_PIXELS: u32 = 1024;
/// Greatest number of rotations in `r`.
pub const MAX_ROTATIONS: usize = 100;

/// How values that `VisualCube` does not accept are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// They are errors.
    Strict,
    /// They mean the default, as `VisualCube` has it. Only texts that are too long are errors.
    Forgiving,
}

/// Values of the parameters. An empty text counts as absent.
#[derive(Clone, Copy, Default, Debug)]
#[allow(missing_docs)] // the names are those of the parameters
pub struct Parameters<'a> {
    pub pzl: Option<&'a str>,
    pub size: Option<&'a str>,
    pub view: Option<&'a str>,
    pub stage: Option<&'a str>,
    pub r: Option<&'a str>,
    pub alg: Option<&'a str>,
    pub case: Option<&'a str>,
    pub fd: Option<&'a str>,
    pub fc: Option<&'a str>,
    pub sch: Option<&'a str>,
    pub bg: Option<&'a str>,
    pub cc: Option<&'a str>,
    pub ac: Option<&'a str>,
    pub co: Option<&'a str>,
    pub fo: Option<&'a str>,
    pub dist: Option<&'a str>,
    pub arw: Option<&'a str>,
}

/// Special views.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    Normal,
    Plan,
    Transparent,
}
