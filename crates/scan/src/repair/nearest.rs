//! The legal cubes that differ from a scan in the fewest stickers.

use super::ranking::Ranking;
use super::table::{least_with_colour, marginals, total};
use super::weights::{Costs, Counted, Weight};
use superflip_cube::Stickers;
use superflip_cube::cubie::Cube;
use superflip_cube::geometry::FACELETS;

/// One of the nearest legal cubes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repair {
    /// The cube.
    pub cube: Cube,
    /// The cube as 54 symbols in the order U R F D L B, in the symbols of the scan.
    pub facelets: String,
    /// Stickers that change, as indices into `facelets`, 0 to 53 in ascending order; without those that were unknown.
    pub changed: Vec<u8>,
}

/// The legal cubes at the least distance from a scan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Repairs {
    /// Number of stickers that change; 0 if the scan can be completed without changes.
    pub distance: u32,
    /// Number of legal cubes at this distance.
    pub total: u128,
    /// The first of them in the order of [`Ranking`]; never empty.
    pub repairs: Vec<Repair>,
    /// Whether there are more than listed.
    pub truncated: bool,
}

/// Greatest number of repairs that [`nearest`] lists.
pub const MAX_REPAIRS: usize = 100;

/// Finds the legal cubes that differ from the scan in the fewest known stickers. Centres are never changed.
///
/// `limit` is the greatest number of cubes listed, 1 to [`MAX_REPAIRS`]; other values are moved into that range. The
/// result is exact. It takes about a millisecond.
///
/// # Examples
/// ```
/// use superflip_scan::repair::{Stickers, nearest};
///
/// // One sticker of the solved cube is misread.
/// let text = "LUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
/// let repairs = nearest(&Stickers::parse(text)?, 20);
/// assert_eq!((repairs.distance, repairs.total), (1, 1));
/// assert_eq!(repairs.repairs[0].changed, [0]);
/// # Ok::<(), superflip_cube::FormError>(())
/// ```
pub fn nearest(stickers: &Stickers, limit: usize) -> Repairs {
    let limit = limit.clamp(1, MAX_REPAIRS);
    let costs = Costs::of_stickers(stickers);
    let ranking = Ranking::new(&costs);
    let distance = ranking.least();
    let found: Vec<_> = ranking.up_to(distance).take(limit + 1).collect();
    let truncated = found.len() > limit;
    let repairs: Vec<_> = found.into_iter().take(limit).map(|ranked| repair(stickers, ranked.cube)).collect();
    let total = if truncated { count(&costs) } else { repairs.len() as u128 };
    Repairs { distance, total, repairs, truncated }
}

fn repair(stickers: &Stickers, cube: Cube) -> Repair {
    Repair { cube, facelets: stickers.write(&cube), changed: stickers.differences(&cube) }
}

/// Returns the number of legal cubes of the least cost.
pub fn count(costs: &Costs) -> u128 {
    let by_parity = total(&costs.0.map(|least| Counted { least, count: 1 }));
    let [even, odd] = by_parity.map(|(corners, edges)| {
        let least = corners.least.and(edges.least);
        (least, u128::from(corners.count) * u128::from(edges.count))
    });
    match even.0.cmp(&odd.0) {
        std::cmp::Ordering::Less => even.1,
        std::cmp::Ordering::Greater => odd.1,
        std::cmp::Ordering::Equal => even.1 + odd.1,
    }
}

/// The legal cubes that agree with all known stickers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completions {
    /// Number of such cubes, at most 43 252 003 274 489 856 000. With 0, the known stickers contradict each other, and
    /// [`nearest`] finds what to change.
    pub total: u128,
    /// The first of them in the order of [`Ranking`].
    pub first: Option<Repair>,
    /// Unknown stickers that differ between these cubes, ascending.
    pub undecided: Vec<u8>,
}

impl Completions {
    /// Returns the completion, if there is exactly one.
    pub fn unique(&self) -> Option<&Repair> {
        self.first.as_ref().filter(|_| self.total == 1)
    }
}

/// Counts the legal cubes that agree with all known stickers.
///
/// # Examples
/// ```
/// use superflip_scan::repair::{Stickers, completions};
///
/// // Only the centres are known.
/// let blank = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
/// let blank: String = blank.chars().enumerate().map(|(i, c)| if i % 9 == 4 { c } else { '?' }).collect();
/// assert_eq!(completions(&Stickers::parse(&blank)?).total, 43_252_003_274_489_856_000);
/// # Ok::<(), superflip_cube::FormError>(())
/// ```
pub fn completions(stickers: &Stickers) -> Completions {
    let Repairs { distance, total, repairs, .. } = nearest(stickers, 1);
    if distance > 0 {
        return Completions { total: 0, first: None, undecided: Vec::new() };
    }
    let undecided = if total > 1 { undecided(stickers) } else { Vec::new() };
    Completions { total, first: repairs.into_iter().next(), undecided }
}

/// Returns the stickers that have several colours on the legal cubes without changes.
fn undecided(stickers: &Stickers) -> Vec<u8> {
    let least = least_with_colour(&marginals(&Costs::of_stickers(stickers).0));
    let is_undecided = |facelet: &u8| least[usize::from(*facelet)].iter().filter(|cost| **cost == 0).count() > 1;
    (0..).take(FACELETS).filter(is_undecided).collect()
}
