//! Checked actions, and costs as whole numbers of millionths.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use superflip_cube::{Holding, Move};

/// An action, checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Action {
    pub(super) name: String,
    /// No turn, one, or two of opposite faces, named by places in the machine.
    pub(super) turns: Vec<Move>,
    pub(super) from: Vec<usize>,
    /// `None` if the action keeps the state.
    pub(super) to: Option<usize>,
    pub(super) cost: Cost,
    /// Holding of the cube after the action, if it was [`Holding::HOME`] before.
    pub(super) rotation: Holding,
}

impl Action {
    /// Returns the state after the action.
    pub(super) fn state_after(&self, state: usize) -> usize {
        self.to.unwrap_or(state)
    }
}

/// Millionths in one unit of cost.
const UNIT: f64 = 1_000_000.0;

/// A cost: a whole number of millionths, so that sums are exact and do not depend on their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cost(u64);

impl Cost {
    /// No cost.
    pub const ZERO: Self = Self(0);
    /// Least cost of one action.
    pub const MIN: Self = Self(1);
    /// Greatest cost of one action: a million units.
    pub const MAX: Self = Self(1_000_000_000_000);

    /// Returns the cost, rounded to millionths, or `None` if it is not from [`Cost::MIN`] to [`Cost::MAX`].
    ///
    /// # Examples
    /// ```
    /// use superflip_solver::search::machine::Cost;
    ///
    /// assert_eq!(Cost::of(0.7).map(Cost::millionths), Some(700_000));
    /// assert_eq!([1e-6, 1e6].map(Cost::of), [Some(Cost::MIN), Some(Cost::MAX)]);
    /// assert_eq!([0.0, -1.0, 9e-7, 1_000_000.000_000_1, f64::NAN].map(Cost::of), [None; 5]);
    /// ```
    #[must_use]
    pub fn of(cost: f64) -> Option<Self> {
        #[allow(clippy::cast_sign_loss)] // checked
        let rounded = |cost: f64| Self((cost * UNIT).round() as u64);
        (Self::MIN.as_f64()..=Self::MAX.as_f64()).contains(&cost).then(|| rounded(cost))
    }

    /// Returns the cost of a number of millionths.
    pub(crate) const fn of_millionths(millionths: u64) -> Self {
        Self(millionths)
    }

    /// Returns the number of millionths.
    #[must_use]
    pub const fn millionths(self) -> u64 {
        self.0
    }

    /// Returns the cost in units: the number nearest to the decimal fraction.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        #[allow(clippy::cast_precision_loss)] // a sum of 200 greatest costs has fewer than 2^53 millionths
        let millionths = self.0 as f64;
        millionths / UNIT
    }
}

/// Writes a cost as it was given, with an exponent if it is very great or very small.
pub(super) fn compact(cost: f64) -> String {
    let is_usual = cost == 0.0 || (1e-7..1e15).contains(&cost.abs());
    if is_usual { cost.to_string() } else { format!("{cost:e}") }
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sum for Cost {
    fn sum<I: Iterator<Item = Self>>(costs: I) -> Self {
        costs.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_f64().fmt(formatter)
    }
}
