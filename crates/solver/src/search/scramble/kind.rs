//! The kinds of scrambles, named by WCA event.

use std::str::FromStr;

use super::error::NameError;
use superflip_cube::Move;

/// Moves before and after each scramble for fewest moves: `R' U' F`, as in the official program.
const PADDING: [Move; 3] = [Move::Ri, Move::Ui, Move::F];

/// The kind of a scramble.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ScrambleKind {
    /// `333`: face moves only.
    #[default]
    Normal,
    /// `333oh`: one-handed; the same as `333`.
    OneHanded,
    /// `333ni`: no inspection, for blindfolded solving. Up to two wide moves at the end change the [`Holding`](superflip_cube::Holding).
    NoInspection,
    /// `333fm`: fewest moves. The scramble begins and ends with `R' U' F`, so that its inverse is no useful solution.
    FewestMoves,
}

impl ScrambleKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Normal, Self::OneHanded, Self::NoInspection, Self::FewestMoves];

    /// Names of the kinds, in the order of [`ScrambleKind::ALL`].
    pub const NAMES: [&'static str; 4] = ["333", "333oh", "333ni", "333fm"];

    /// Returns its name: the event of the WCA, with `ni` for the blindfolded ones.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Returns the moves before and after each scramble.
    pub const fn padding(self) -> &'static [Move] {
        if matches!(self, Self::FewestMoves) { &PADDING } else { &[] }
    }
}

impl FromStr for ScrambleKind {
    type Err = NameError;

    /// Reads a name such as `333fm`.
    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| NameError::UnknownKind { given: text.to_owned() })
    }
}
