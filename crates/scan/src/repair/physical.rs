//! Physical repairs of a cube that was assembled wrongly: which corner to twist, edge to flip, pieces to exchange.

use superflip_cube::Stickers;
use superflip_cube::cubie::Cube;
use superflip_cube::piece::{Corner, Edge};

/// One change of an assembled cube by hand. Corners and edges are named by their slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Turn the corner in its slot by a third, clockwise.
    TwistClockwise(Corner),
    /// Turn the corner in its slot by a third, counter-clockwise.
    TwistCounterClockwise(Corner),
    /// Take the edge out and put it back the other way round.
    Flip(Edge),
    /// Exchange the corners in two slots. The sticker on the U or D face of one slot goes to the U or D face of the other,
    /// so the sum of the twists stays.
    ExchangeCorners(Corner, Corner),
    /// Exchange the edges in two slots. The sticker on the reference face (U or D, else F or B) of one slot goes to the
    /// reference face of the other, so the sum of the flips stays.
    ExchangeEdges(Edge, Edge),
}

/// One way to make the cube legal, with as few actions as possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// At most three actions on different kinds of faults: a twist, a flip, an exchange. Their order does not matter.
    pub actions: Vec<Action>,
    /// The cube afterwards.
    pub cube: Cube,
    /// The same as 54 symbols, in those of the scan.
    pub facelets: String,
}

/// What makes a wrongly assembled cube legal.
///
/// The fewest actions are one for each of the three faults. A corner or edge that is taken out for an exchange may be
/// twisted or flipped at the same time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reassembly {
    /// Thirds, clockwise, by which one corner has to be turned: 0, 1 or 2. Two are one third counter-clockwise.
    pub twist: u8,
    /// Whether one edge has to be flipped.
    pub flip: bool,
    /// Whether two corners or two edges have to be exchanged.
    pub exchange: bool,
    /// Number of ways with the fewest actions, at most `8 * 12 * (28 + 66)`; 1 for a legal cube, which needs none.
    pub total: usize,
    /// The first ways: those first that leave the most pieces solved.
    pub ways: Vec<Way>,
}

impl Reassembly {
    /// Returns the least number of actions, 0 to 3.
    pub fn actions(&self) -> usize {
        usize::from(self.twist != 0) + usize::from(self.flip) + usize::from(self.exchange)
    }
}

/// Finds what to twist, flip or exchange so that moves can solve the cube, and lists at most `limit` ways.
///
/// Returns `None` unless every sticker is known, every slot shows a piece and no piece occurs twice; use
/// [`nearest`](super::nearest()) for such scans.
///
/// # Examples
/// ```
/// use superflip_scan::repair::{Action, Stickers, reassemble};
/// use superflip_cube::Edge;
///
/// // The solved cube, edge UR flipped.
/// let text = "UUUUURUUURURRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
/// let found = reassemble(&Stickers::parse(text)?, 3).ok_or("pieces are missing")?;
/// assert!(found.flip && !found.exchange && found.twist == 0);
/// assert_eq!(found.ways[0].actions, [Action::Flip(Edge::Ur)]);
/// assert!(found.ways[0].cube.is_solved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reassemble(stickers: &Stickers, limit: usize) -> Option<Reassembly> {
    let cube = Cube::from_stickers(stickers.faces())?;
    let (twist, flip, exchange) = ((3 - cube.twist_sum()) % 3, cube.flip_sum() == 1, !cube.has_equal_parities());
    let mut ways: Vec<(Vec<Action>, Cube)> = vec![(Vec::new(), cube)];
    if twist != 0 {
        let turn = if twist == 1 { Action::TwistClockwise } else { Action::TwistCounterClockwise };
        extend(&mut ways, &Corner::ALL.map(turn));
    }
    if flip {
        extend(&mut ways, &Edge::ALL.map(Action::Flip));
    }
    if exchange {
        let corners = pairs(&Corner::ALL).map(|(a, b)| Action::ExchangeCorners(a, b));
        let edges = pairs(&Edge::ALL).map(|(a, b)| Action::ExchangeEdges(a, b));
        extend(&mut ways, &corners.chain(edges).collect::<Vec<_>>());
    }
    let total = ways.len();
    ways.sort_by_cached_key(|(_, cube)| std::cmp::Reverse(at_home(cube)));
    ways.truncate(limit);
    let way = |(actions, cube)| Way { actions, cube, facelets: stickers.write(&cube) };
    Some(Reassembly { twist, flip, exchange, total, ways: ways.into_iter().map(way).collect() })
}

/// Continues every way with every one of the actions.
fn extend(ways: &mut Vec<(Vec<Action>, Cube)>, actions: &[Action]) {
    let one = |way: &(Vec<Action>, Cube)| {
        let (before, cube) = way.clone();
        actions.iter().map(move |&action| ([before.as_slice(), &[action]].concat(), apply(&cube, action)))
    };
    *ways = ways.iter().flat_map(one).collect();
}

fn pairs<P: Copy>(all: &[P]) -> impl Iterator<Item = (P, P)> {
    all.iter().enumerate().flat_map(|(i, &a)| all[i + 1..].iter().map(move |&b| (a, b)))
}

fn apply(cube: &Cube, action: Action) -> Cube {
    let (mut corners, mut twists) = (*cube.corners(), *cube.twists());
    let (mut edges, mut flips) = (*cube.edges(), *cube.flips());
    let mut twist = |slot: Corner, by: u8| twists[slot.index()] = (twists[slot.index()] + by) % 3;
    match action {
        Action::TwistClockwise(slot) => twist(slot, 1),
        Action::TwistCounterClockwise(slot) => twist(slot, 2),
        Action::Flip(slot) => flips[slot.index()] ^= 1,
        Action::ExchangeCorners(a, b) => {
            corners.swap(a.index(), b.index());
            twists.swap(a.index(), b.index());
        }
        Action::ExchangeEdges(a, b) => {
            edges.swap(a.index(), b.index());
            flips.swap(a.index(), b.index());
        }
    }
    Cube::assemble(corners, twists, edges, flips)
}

/// Returns the number of pieces at home in their right orientation.
fn at_home(cube: &Cube) -> usize {
    let corners = (0..Corner::COUNT).filter(|&i| cube.corners()[i].index() == i && cube.twists()[i] == 0);
    let edges = (0..Edge::COUNT).filter(|&i| cube.edges()[i].index() == i && cube.flips()[i] == 0);
    corners.count() + edges.count()
}
