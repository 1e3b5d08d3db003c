//! The routes of a machine: from each state, the cheapest ways to make each turn.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::LazyLock;

use super::{Action, Cost};
use crate::control::{Cancelled, Clock, Control};
use superflip_cube::{Axis, Face, Holding, Move};

/// Greatest number of routes of a machine. They bound its memory, and the time to find them and to execute moves.
pub const MAX_ROUTES: usize = 50_000;

/// A state and a holding: `state * 24 + holding`.
pub(super) type Node = u16;

/// Number of keys: single turns, then turns of two opposite faces.
const KEYS: usize = 18 + Axis::COUNT * 9;

/// Marks a node that cannot be reached.
const UNREACHABLE: u64 = u64::MAX;

/// A sequence of actions. Only the last action turns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Route {
    pub(super) cost: u64,
    /// Node in the end, if the holding was [`Holding::HOME`] at the start.
    end: Node,
    /// Numbers of the actions.
    pub(super) actions: Box<[u16]>,
}

/// The routes of all states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Routes {
    nodes: usize,
    /// Cost of the way from a state in the holding [`Holding::HOME`] to a node without a turn, by state and node.
    free: Vec<u64>,
    /// Routes by state and key, the cheapest first. None is as cheap as another one and the way from its end.
    by_key: Vec<Vec<Route>>,
    /// Actions as seen from their states, for [`Routes::missing`].
    edges: Vec<Vec<Edge>>,
}

/// An action from one state.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Edge {
    action: u16,
    turns: Vec<Move>,
    to: usize,
    rotation: usize,
    cost: u64,
}

/// How holdings compose, and what they do to moves. Holdings are numbered as in [`Holding::ALL`].
struct Holdings {
    then: [[u8; Holding::COUNT]; Holding::COUNT],
    /// Rotation that leads from one holding to another.
    between: [[u8; Holding::COUNT]; Holding::COUNT],
    /// Move in the machine that makes a move of the cube.
    in_machine: [[Move; 18]; Holding::COUNT],
}

static HOLDINGS: LazyLock<Holdings> = LazyLock::new(|| {
    let mut then = [[0; Holding::COUNT]; Holding::COUNT];
    let mut between = then;
    for (before, held) in Holding::ALL.into_iter().enumerate() {
        for (rotation, by) in Holding::ALL.into_iter().enumerate() {
            let after = held.then(by).index();
            then[before][rotation] = after as u8;
            between[before][after] = rotation as u8;
        }
    }
    let moved = |held: Holding| Move::ALL.map(|mv| renamed(mv, held.places()));
    Holdings { then, between, in_machine: Holding::ALL.map(moved) }
});

/// Returns the move of the face to which the table maps the face of a move.
pub(super) fn renamed(mv: Move, table: [Face; Face::COUNT]) -> Move {
    // Of one to three quarter turns, there is a move.
    Move::of(table[mv.face().index()], mv.quarters()).unwrap_or(mv)
}

/// Returns the key of one turn, or of two of opposite faces.
fn key(turns: [Option<Move>; 2]) -> usize {
    match turns {
        [Some(a), Some(b)] => {
            let (first, second) = if a.face() < b.face() { (a, b) } else { (b, a) };
            18 + first.face().axis().index() * 9 + (first.quarters() - 1) * 3 + second.quarters() - 1
        }
        [turn, other] => turn.or(other).map_or(0, Move::index),
    }
}

fn pair(turns: &[Move]) -> [Option<Move>; 2] {
    [turns.first().copied(), turns.get(1).copied()]
}

/// The nearest nodes without a turn, from one state.
struct Ways {
    cost: Vec<u64>,
    /// Node before, and action.
    parent: Vec<(Node, u16)>,
}

impl Ways {
    fn new(state: usize, edges: &[Vec<Edge>], clock: &mut Clock<'_>) -> Result<Self, Cancelled> {
        let nodes = edges.len() * Holding::COUNT;
        let mut cost = vec![UNREACHABLE; nodes];
        let mut parent = vec![(0, 0); nodes];
        let start = state * Holding::COUNT + Holding::HOME.index();
        let mut open = BinaryHeap::from([Reverse((0, start))]);
        cost[start] = 0;
        while let Some(Reverse((so_far, node))) = open.pop() {
            if so_far > cost[node] {
                continue;
            }
            for edge in edges[node / Holding::COUNT].iter().filter(|edge| edge.turns.is_empty()) {
                clock.tick()?;
                let next = after(edge, node % Holding::COUNT);
                let total = so_far + edge.cost;
                if total < cost[next] {
                    (cost[next], parent[next]) = (total, (node as Node, edge.action));
                    open.push(Reverse((total, next)));
                }
            }
        }
        Ok(Self { cost, parent })
    }

    /// Returns the actions that lead to a node, and one more.
    fn path(&self, mut node: usize, last: u16) -> Box<[u16]> {
        let mut actions = vec![last];
        while self.cost[node] > 0 {
            let (before, action) = self.parent[node];
            actions.push(action);
            node = before.into();
        }
        actions.reverse();
        actions.into()
    }
}

/// Returns the node after an action.
fn after(edge: &Edge, holding: usize) -> usize {
    edge.to * Holding::COUNT + usize::from(HOLDINGS.then[holding][edge.rotation])
}

impl Routes {
    /// Computes the routes. Returns the number of the first states and that of their routes if these are more than [`MAX_ROUTES`].
    pub(super) fn new(
        states: usize,
        actions: &[Action],
        control: &Control,
    ) -> Result<Result<Self, (usize, usize)>, Cancelled> {
        let mut clock = Clock::new(control);
        let edge = |state: usize, (number, action): (usize, &Action)| Edge {
            action: number as u16,
            turns: action.turns.clone(),
            to: action.state_after(state),
            rotation: action.rotation.index(),
            cost: action.cost.millionths(),
        };
        let edges: Vec<Vec<Edge>> = (0..states)
            .map(|state| {
                let possible = actions.iter().enumerate().filter(|(_, action)| action.from.contains(&state));
                possible.map(|action| edge(state, action)).collect()
            })
            .collect();
        let ways = (0..states).map(|state| Ways::new(state, &edges, &mut clock)).collect::<Result<Vec<_>, _>>()?;
        let free = ways.iter().flat_map(|ways| ways.cost.iter().copied()).collect();
        let mut routes = Self { nodes: states * Holding::COUNT, free, by_key: Vec::new(), edges: Vec::new() };
        let mut count = 0;
        for (state, ways) in ways.iter().enumerate() {
            let by_key = routes.of_state(ways, &edges, &mut clock)?;
            count += by_key.iter().map(Vec::len).sum::<usize>();
            if count > MAX_ROUTES {
                return Ok(Err((state + 1, count)));
            }
            routes.by_key.extend(by_key);
        }
        routes.edges = edges;
        Ok(Ok(routes))
    }

    /// Returns the routes from one state by key.
    fn of_state(&self, ways: &Ways, edges: &[Vec<Edge>], clock: &mut Clock<'_>) -> Result<Vec<Vec<Route>>, Cancelled> {
        // Cost, end, node before the turn and action, by key.
        let mut found = vec![Vec::new(); KEYS];
        for (node, &cost) in ways.cost.iter().enumerate().filter(|(_, cost)| **cost != UNREACHABLE) {
            let held = Holding::ALL[node % Holding::COUNT];
            for edge in edges[node / Holding::COUNT].iter().filter(|edge| !edge.turns.is_empty()) {
                clock.tick()?;
                let turns = pair(&edge.turns).map(|turn| turn.map(|mv| renamed(mv, held.centres())));
                found[key(turns)].push((cost + edge.cost, after(edge, node % Holding::COUNT), node, edge.action));
            }
        }
        let mut kept = |mut found: Vec<(u64, usize, usize, u16)>| {
            found.sort_unstable();
            let mut kept = Vec::<Route>::new();
            let mut is_known = vec![false; self.nodes];
            for (cost, end, node, action) in found {
                if std::mem::replace(&mut is_known[end], true) {
                    continue;
                }
                let mut is_reached = false;
                for other in &kept {
                    clock.tick()?;
                    if self.reaches((other.end, other.cost), (end as Node, cost)) {
                        is_reached = true;
                        break;
                    }
                }
                if !is_reached {
                    kept.push(Route { cost, end: end as Node, actions: ways.path(node, action) });
                }
            }
            Ok(kept)
        };
        found.into_iter().map(&mut kept).collect()
    }

    /// Returns whether a node that is reached at a cost leads without a turn to another one, at no higher cost than its own.
    pub(super) fn reaches(&self, (from, cost): (Node, u64), (to, most): (Node, u64)) -> bool {
        let (from, to) = (usize::from(from), usize::from(to));
        let rotation = usize::from(HOLDINGS.between[from % Holding::COUNT][to % Holding::COUNT]);
        let end = to / Holding::COUNT * Holding::COUNT + rotation;
        self.free[from / Holding::COUNT * self.nodes + end].saturating_add(cost) <= most
    }

    /// Returns the number of nodes.
    pub(super) const fn nodes(&self) -> usize {
        self.nodes
    }

    /// Returns the routes from a node that make one turn of the cube, or two of opposite faces at once, and the node after each.
    pub(super) fn from(&self, node: Node, turns: [Option<Move>; 2]) -> impl Iterator<Item = (&Route, Node)> {
        let (state, holding) = (usize::from(node) / Holding::COUNT, usize::from(node) % Holding::COUNT);
        let in_machine = &HOLDINGS.in_machine[holding];
        let key = key(turns.map(|turn| turn.map(|mv| in_machine[mv.index()])));
        self.by_key[state * KEYS + key].iter().map(move |route| {
            let end = usize::from(route.end);
            let held = usize::from(HOLDINGS.then[holding][end % Holding::COUNT]);
            (route, (end / Holding::COUNT * Holding::COUNT + held) as Node)
        })
    }

    /// Returns the nodes that the machine reaches while it makes turns of a list, and from which it cannot make one of them: for each
    /// state the first such holding and turn.
    pub(super) fn missing(&self, start: usize, turns: &[Move]) -> Vec<(usize, Move, Holding)> {
        let mut missing: Vec<(usize, Move, Holding)> = Vec::new();
        let mut is_known = vec![false; self.nodes];
        let first = start * Holding::COUNT + Holding::HOME.index();
        let mut open = vec![first];
        is_known[first] = true;
        while let Some(node) = open.pop() {
            let (state, held) = (node / Holding::COUNT, Holding::ALL[node % Holding::COUNT]);
            if missing.iter().all(|(known, ..)| *known != state) {
                let is_missing = |mv: &&Move| self.from(node as Node, [Some(**mv), None]).next().is_none();
                missing.extend(turns.iter().find(is_missing).map(|mv| (state, *mv, held)));
            }
            for edge in &self.edges[state] {
                let is_made = edge.turns.iter().all(|mv| turns.contains(&renamed(*mv, held.centres())));
                let next = after(edge, node % Holding::COUNT);
                if is_made && !is_known[next] {
                    is_known[next] = true;
                    open.push(next);
                }
            }
        }
        missing.sort_by_key(|(state, ..)| *state);
        missing
    }
}

/// Returns the node in which a machine starts.
pub(super) fn start_node(state: usize) -> Node {
    (state * Holding::COUNT + Holding::HOME.index()) as Node
}

/// Returns the state and the holding of a node.
pub(super) fn parts(node: Node) -> (usize, Holding) {
    (usize::from(node) / Holding::COUNT, Holding::ALL[usize::from(node) % Holding::COUNT])
}

impl Route {
    /// Returns the cost.
    pub(super) const fn cost(&self) -> Cost {
        Cost::of_millionths(self.cost)
    }
}
