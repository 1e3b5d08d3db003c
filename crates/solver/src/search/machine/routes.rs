//! The routes of a machine: from each state, the cheapest ways to make each turn.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::LazyLock;

use super::action::{Action, Cost};
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

/// A sequence of actions. Only the last action turns. [`Routes::actions`] finds those before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Route {
    pub(super) cost: u64,
    /// Node in the end, if the holding was [`Holding::HOME`] at the start.
    end: Node,
    /// Node before the last action.
    node: Node,
    /// Number of the last action.
    action: u16,
}

/// The routes of all states, in few large arrays: a block of memory for each route would take three times as much.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Routes {
    nodes: usize,
    /// The ways from each state.
    ways: Vec<Ways>,
    /// The routes from each state.
    states: Vec<StateRoutes>,
    /// Actions as seen from their states, for [`Routes::missing`].
    edges: Vec<Vec<Edge>>,
}

/// The routes from one state by key, the cheapest first. None is as cheap as another one of its key and the way from its end.
#[derive(PartialEq, Eq, Debug)]
struct StateRoutes {
    routes: Box<[Route]>,
    /// Index of the first route of each key, and the number of all routes.
    starts: [u32; KEYS + 1],
}

/// An action from one state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Edge {
    cost: u64,
    turns: [Option<Move>; 2],
    action: u16,
    to: u8,
    rotation: u8,
}

impl Edge {
    fn turns_nothing(&self) -> bool {
        self.turns[0].is_none()
    }
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

/// The ways without a turn from a state in the holding [`Holding::HOME`].
#[derive(PartialEq, Eq, Debug)]
struct Ways {
    /// Cost of the way to each node.
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
            for edge in edges[node / Holding::COUNT].iter().filter(|edge| edge.turns_nothing()) {
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
}

/// Returns the node after an action.
fn after(edge: &Edge, holding: usize) -> usize {
    usize::from(edge.to) * Holding::COUNT + usize::from(HOLDINGS.then[holding][usize::from(edge.rotation)])
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
            cost: action.cost.millionths(),
            turns: pair(&action.turns),
            action: number as u16,
            to: action.state_after(state) as u8,
            rotation: action.rotation.index() as u8,
        };
        let edges: Vec<Vec<Edge>> = (0..states)
            .map(|state| {
                let possible = actions.iter().enumerate().filter(|(_, action)| action.from.contains(&state));
                possible.map(|action| edge(state, action)).collect()
            })
            .collect();
        let ways = (0..states).map(|state| Ways::new(state, &edges, &mut clock)).collect::<Result<Vec<_>, _>>()?;
        let mut routes = Self { nodes: states * Holding::COUNT, ways, states: Vec::with_capacity(states), edges };
        let mut found = vec![(UNREACHABLE, 0, 0); KEYS * routes.nodes];
        let mut count = 0;
        for state in 0..states {
            let of_state = routes.of_state(state, &mut found, &mut clock)?;
            count += of_state.routes.len();
            if count > MAX_ROUTES {
                return Ok(Err((state + 1, count)));
            }
            routes.states.push(of_state);
        }
        Ok(Ok(routes))
    }

    /// Returns the routes from one state. `found` has an entry for each key and node.
    fn of_state(
        &self,
        state: usize,
        found: &mut [(u64, Node, u16)],
        clock: &mut Clock<'_>,
    ) -> Result<StateRoutes, Cancelled> {
        // Cost, node before the turn and action of the cheapest way to each end.
        found.fill((UNREACHABLE, 0, 0));
        let ways = &self.ways[state];
        for (node, &cost) in ways.cost.iter().enumerate().filter(|(_, cost)| **cost != UNREACHABLE) {
            let held = Holding::ALL[node % Holding::COUNT];
            for edge in self.edges[node / Holding::COUNT].iter().filter(|edge| !edge.turns_nothing()) {
                clock.tick()?;
                let turns = edge.turns.map(|turn| turn.map(|mv| renamed(mv, held.centres())));
                let cheapest = &mut found[key(turns) * self.nodes + after(edge, node % Holding::COUNT)];
                *cheapest = (*cheapest).min((cost + edge.cost, node as Node, edge.action));
            }
        }
        let (mut kept, mut starts) = (Vec::<Route>::new(), [0; KEYS + 1]);
        let mut of_key = Vec::new();
        for (key, found) in found.chunks_exact(self.nodes).enumerate() {
            let reached = found.iter().enumerate().filter(|(_, (cost, ..))| *cost != UNREACHABLE);
            of_key.extend(reached.map(|(end, &(cost, node, action))| Route { cost, end: end as Node, node, action }));
            of_key.sort_unstable_by_key(|route| (route.cost, route.end));
            let start = kept.len();
            for route in of_key.drain(..) {
                let mut is_reached = false;
                for other in &kept[start..] {
                    clock.tick()?;
                    if self.reaches((other.end, other.cost), (route.end, route.cost)) {
                        is_reached = true;
                        break;
                    }
                }
                if !is_reached {
                    kept.push(route);
                }
            }
            starts[key + 1] = kept.len() as u32;
        }
        Ok(StateRoutes { routes: kept.into(), starts })
    }

    /// Returns the numbers of the actions of a route from a state, the last one first.
    pub(super) fn actions(&self, state: usize, route: &Route) -> Vec<u16> {
        let (ways, mut node) = (&self.ways[state], usize::from(route.node));
        let mut actions = vec![route.action];
        while ways.cost[node] > 0 {
            let (before, action) = ways.parent[node];
            actions.push(action);
            node = before.into();
        }
        actions
    }

    /// Returns whether a node that is reached at a cost leads without a turn to another one, at no higher cost than its own.
    pub(super) fn reaches(&self, (from, cost): (Node, u64), (to, most): (Node, u64)) -> bool {
        let (from, to) = (usize::from(from), usize::from(to));
        let rotation = usize::from(HOLDINGS.between[from % Holding::COUNT][to % Holding::COUNT]);
        let end = to / Holding::COUNT * Holding::COUNT + rotation;
        self.ways[from / Holding::COUNT].cost[end].saturating_add(cost) <= most
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
        let StateRoutes { routes, starts } = &self.states[state];
        routes[starts[key] as usize..starts[key + 1] as usize].iter().map(move |route| {
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
                let is_made = edge.turns.iter().flatten().all(|mv| turns.contains(&renamed(*mv, held.centres())));
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

/// Returns the greatest memory of routes in bytes, and what the search for them needs in addition, if there are so many states, so many pairs
/// of an action and a state before it, and so many of these that turn.
pub(super) fn bytes(states: u64, edges: u64, turning: u64) -> (u64, u64) {
    let nodes = states * Holding::COUNT as u64;
    // From each state, each turning action may be the last of a route in each holding.
    let routes = (states * turning * Holding::COUNT as u64).min(MAX_ROUTES as u64);
    let ways = states * nodes * (size_of::<u64>() + size_of::<(Node, u16)>()) as u64;
    let of_states = states * size_of::<StateRoutes>() as u64;
    let kept = ways + of_states + edges * size_of::<Edge>() as u64 + routes * size_of::<Route>() as u64;
    // The routes of one state are found in a list that grows, which has room for up to twice as many.
    let ends = KEYS as u64 * nodes;
    let of_state = (turning * Holding::COUNT as u64).min(ends) * 2 * size_of::<Route>() as u64;
    (kept, ends * size_of::<(u64, Node, u16)>() as u64 + of_state)
}

impl Route {
    /// Returns the cost.
    pub(super) const fn cost(&self) -> Cost {
        Cost::of_millionths(self.cost)
    }
}
