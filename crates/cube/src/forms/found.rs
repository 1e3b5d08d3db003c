//! What a parser of one form returns.

use super::error::Fault;
use super::holding::Holding;
use super::moves::link::Link;
use crate::cubie::Cube;

/// A cube, and what else the text says about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    /// The cube, named by places as held.
    pub(crate) cube: Cube,
    pub(crate) holding: Option<Holding>,
    pub(crate) link: Option<Link>,
}

impl Found {
    pub(crate) const fn held(cube: Cube, holding: Option<Holding>) -> Self {
        Self { cube, holding, link: None }
    }
}

pub(crate) type Parsed = Result<Found, Fault>;
