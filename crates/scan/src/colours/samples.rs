//! The 54 colour samples of a scan.

use crate::arrangement::{Arrangement, Turns};
use superflip_cube::face::Face;
use superflip_cube::geometry::FACELETS;

/// Red, green and blue as encoded for a screen (sRGB), each 0 to 255.
pub type Rgb = [f64; 3];

/// One colour sample for each facelet: faces in the order U R F D L B, each row by row as seen from outside.
///
/// # Examples
/// ```
/// use superflip_scan::colours::Samples;
///
/// // Other programs use the order U L F R B D.
/// let squares: Vec<[u8; 3]> = (0..54).map(|square| [square, 0, 0]).collect();
/// let samples = Samples::from_ulfrbd(&squares.try_into().unwrap());
/// // The first square of R is their number 27, counted from 0.
/// assert_eq!(samples.rgb()[9], [27.0, 0.0, 0.0]);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Samples([Rgb; FACELETS]);

impl Samples {
    /// Takes samples in the order U R F D L B.
    pub fn new(rgb: &[[u8; 3]; FACELETS]) -> Self {
        Self(rgb.map(|sample| sample.map(f64::from)))
    }

    /// Takes samples with fractions, such as means of pixels. Returns `None` if a channel is not from 0 to 255.
    pub fn of_means(rgb: &[Rgb; FACELETS]) -> Option<Self> {
        let is_channel = |channel: &f64| (0.0..=255.0).contains(channel);
        rgb.iter().flatten().all(is_channel).then_some(Self(*rgb))
    }

    /// Takes samples in the order U L F R B D, which rubiks-color-resolver uses: its squares 1 to 54 are entries 0 to 53.
    pub fn from_ulfrbd(rgb: &[[u8; 3]; FACELETS]) -> Self {
        Self::new(rgb).reordered_from_ulfrbd()
    }

    /// Takes these samples as given in the order U L F R B D.
    #[must_use]
    pub fn reordered_from_ulfrbd(self) -> Self {
        const ORDER: [Face; Face::COUNT] = [Face::U, Face::L, Face::F, Face::R, Face::B, Face::D];
        let mut ordered = self.0;
        for (square, &sample) in self.0.iter().enumerate() {
            ordered[9 * ORDER[square / 9].index() + square % 9] = sample;
        }
        Self(ordered)
    }

    /// Exchanges red and blue: for samples given as blue, green, red, as `OpenCV` stores them.
    #[must_use]
    pub fn bgr(self) -> Self {
        Self(self.0.map(|[blue, green, red]| [red, green, blue]))
    }

    /// Turns each face clockwise by so many quarter turns, 0..4.
    #[must_use]
    pub fn turned(self, turns: Turns) -> Self {
        self.arranged(&Arrangement::turned(turns))
    }

    /// Puts the faces in their places, turned, and mirrored if the arrangement is.
    #[must_use]
    pub fn arranged(self, arrangement: &Arrangement) -> Self {
        Self(arrangement.arrange(&self.0))
    }

    /// Returns the samples in the order U R F D L B.
    pub fn rgb(&self) -> &[Rgb; FACELETS] {
        &self.0
    }
}
