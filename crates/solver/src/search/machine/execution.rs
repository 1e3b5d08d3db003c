//! The cheapest execution of a maneuver.

use std::ops::Range;

use super::Machine;
use super::action::Cost;
use super::description::{ActionDescription, MAX_ACTIONS, MAX_STATES, MachineDescription};
use super::routes::{self, Node, Route, parts, renamed, start_node};
use superflip_cube::metric::runs;
use superflip_cube::{Holding, Move, TurnSet};

/// What a machine does to make a maneuver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution<'m> {
    /// Cost of all steps.
    pub cost: Cost,
    /// The actions, in order. The last one makes a turn.
    pub steps: Vec<ExecutionStep<'m>>,
}

/// One action of an execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExecutionStep<'m> {
    /// Name of the action.
    pub action: &'m str,
    /// Turns, named by places in the machine before the action: none, one, or two of opposite faces.
    pub turns: &'m [Move],
    /// The same turns as moves of the maneuver, named by the places of the faces at the start. A half turn may be made as two quarter turns.
    pub moves: Vec<Move>,
    /// State after the action.
    pub state: &'m str,
    /// Holding of the cube after the action.
    pub holding: Holding,
    /// Cost of the action.
    pub cost: Cost,
    /// Cost so far.
    pub total: Cost,
}

impl Execution<'_> {
    /// Returns the cost of each move of the maneuver: of the actions that make it and those since the turn before it. Of two moves that are
    /// made at once, the first one has the cost.
    #[must_use]
    pub fn costs_by_move(&self, moves: &[Move]) -> Vec<Cost> {
        let mut costs = vec![Cost::ZERO; moves.len()];
        let mut prepared = Cost::ZERO;
        // Quarter turns that were made of each move, counted from 4 if it was made.
        let mut made = vec![0; moves.len()];
        for step in &self.steps {
            prepared = prepared + step.cost;
            for mv in &step.moves {
                // Moves of opposite faces may be made in another order, but not two of one face.
                let next = (0..moves.len()).find(|&index| made[index] < 4 && moves[index].face() == mv.face());
                let Some(index) = next else { continue };
                costs[index] = costs[index] + std::mem::take(&mut prepared);
                // A half turn may be made as two quarter turns.
                made[index] += if *mv == moves[index] { 4 } else { 2 };
            }
        }
        costs
    }
}

/// Greatest memory of a machine in bytes, as its description tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MachineBytes {
    /// Of the machine and its executions.
    pub kept: u64,
    /// In addition, while its routes are found.
    pub work: u64,
}

impl MachineDescription {
    /// Returns the greatest memory of the machine, if it is not refused, and of an execution of so many moves.
    #[must_use]
    pub fn bytes(&self, moves: usize) -> MachineBytes {
        /// A name, the turns and the list of states, without its entries.
        const ACTION: u64 = 256;
        /// A node at a position.
        const NODE: u64 = size_of::<Reached<'_>>() as u64;
        let states = self.states.len().min(MAX_STATES) as u64;
        let from = |action: &ActionDescription| action.from.as_ref().map_or(states, |from| from.names().len() as u64);
        let [mut edges, mut turning] = [0; 2];
        for action in &self.actions {
            edges += from(action);
            turning += action.turn.as_ref().map_or(0, |_| from(action));
        }
        let actions = self.actions.len().min(MAX_ACTIONS) as u64;
        let executed = moves as u64 * states * Holding::COUNT as u64 * NODE;
        let (routes, work) = routes::bytes(states, edges.min(MAX_ACTIONS as u64), turning);
        // The description is read once more than it is kept.
        MachineBytes { kept: actions * ACTION + routes + executed, work: actions * ACTION + work }
    }
}

/// A node at a position in the maneuver, and how it was reached.
struct Reached<'m> {
    node: Node,
    cost: u64,
    /// Index of the node before, and the route from it; `None` at the start.
    from: Option<(usize, &'m Route)>,
}

impl Machine {
    /// Returns the cost of the cheapest execution; `None` if the machine cannot make the moves.
    #[must_use]
    pub fn cost(&self, moves: &[Move]) -> Option<Cost> {
        let mut layers = Layers::new(self);
        let last = layers.walk(moves);
        layers.cheapest(last).map(|index| Cost::of_millionths(layers.reached[index].cost))
    }

    /// Returns the cheapest execution; `None` if the machine cannot make the moves.
    #[must_use]
    pub fn execute(&self, moves: &[Move]) -> Option<Execution<'_>> {
        let mut layers = Layers::new(self);
        let last = layers.walk(moves);
        let mut index = layers.cheapest(last)?;
        let mut actions = Vec::new();
        while let Some((before, route)) = layers.reached[index].from {
            let (state, _) = parts(layers.reached[before].node);
            actions.extend(self.routes.actions(state, route));
            index = before;
        }
        let (mut state, mut holding) = parts(start_node(self.start));
        let mut total = Cost::ZERO;
        let mut steps = Vec::new();
        for action in actions.into_iter().rev() {
            let action = &self.actions[usize::from(action)];
            let moves = action.turns.iter().map(|mv| renamed(*mv, holding.centres())).collect();
            state = action.state_after(state);
            holding = holding.then(action.rotation);
            total = total + action.cost;
            let (name, turns, state) = (&*action.name, &*action.turns, &*self.states[state]);
            steps.push(ExecutionStep { action: name, turns, moves, state, holding, cost: action.cost, total });
        }
        Some(Execution { cost: total, steps })
    }
}

/// Returns the stages of the moves of one face: the stages before each, with the turn that leads from there. The first stage is before
/// all moves and the last one after them. Half of a half turn is a stage, if `quarters` has the quarter turn.
fn stages<'a>(moves: impl Iterator<Item = &'a Move>, quarters: TurnSet) -> Vec<Vec<(usize, Move)>> {
    let mut stages = vec![Vec::new()];
    for &mv in moves {
        let before = stages.len() - 1;
        let mut last = vec![(before, mv)];
        let directions = [1, 3].into_iter().filter(|_| mv.quarters() == 2);
        for quarter in directions.filter_map(|turn| Move::of(mv.face(), turn)).filter(|turn| quarters.contains(*turn)) {
            last.push((stages.len(), quarter));
            stages.push(vec![(before, quarter)]);
        }
        stages.push(last);
    }
    stages
}

/// The nodes at each position.
struct Layers<'m> {
    machine: &'m Machine,
    reached: Vec<Reached<'m>>,
    /// Index of each node in `candidates`, plus one; 0 for none.
    places: Vec<usize>,
    candidates: Vec<Reached<'m>>,
}

impl<'m> Layers<'m> {
    fn new(machine: &'m Machine) -> Self {
        let start = Reached { node: start_node(machine.start), cost: 0, from: None };
        let places = vec![0; machine.routes.nodes()];
        Self { machine, reached: vec![start], places, candidates: Vec::new() }
    }

    /// Makes all moves. Returns the nodes at the end.
    fn walk(&mut self, moves: &[Move]) -> Range<usize> {
        runs(moves).fold(0..1, |layer, run| self.walk_run(layer, run))
    }

    /// Makes the moves of a run, whose faces commute: a position is a stage of each face.
    fn walk_run(&mut self, start: Range<usize>, run: &[Move]) -> Range<usize> {
        let of_first = |mv: &&Move| mv.face() == run[0].face();
        let first = stages(run.iter().filter(of_first), self.machine.quarters);
        let second = stages(run.iter().filter(|mv| !of_first(mv)), self.machine.quarters);
        let width = second.len();
        let mut layers = vec![start];
        for position in 1..first.len() * width {
            let (i, j) = (position / width, position % width);
            for &(before, mv) in &first[i] {
                self.turn(&layers[before * width + j], [Some(mv), None]);
            }
            for &(before, mv) in &second[j] {
                self.turn(&layers[i * width + before], [Some(mv), None]);
            }
            for &(of_first, a) in &first[i] {
                for &(of_second, b) in &second[j] {
                    self.turn(&layers[of_first * width + of_second], [Some(a), Some(b)]);
                }
            }
            layers.push(self.keep());
        }
        layers.swap_remove(layers.len() - 1)
    }

    /// Adds the nodes that one turn, or two at once, reach from the nodes of a layer.
    fn turn(&mut self, layer: &Range<usize>, turns: [Option<Move>; 2]) {
        for index in layer.clone() {
            let Reached { node, cost, .. } = self.reached[index];
            for (route, end) in self.machine.routes.from(node, turns) {
                let reached = Reached { node: end, cost: cost + route.cost().millionths(), from: Some((index, route)) };
                match &mut self.places[usize::from(end)] {
                    place @ 0 => {
                        self.candidates.push(reached);
                        *place = self.candidates.len();
                    }
                    place if reached.cost < self.candidates[*place - 1].cost => self.candidates[*place - 1] = reached,
                    _ => {}
                }
            }
        }
    }

    /// Makes a layer of the nodes that were added, without those that another one reaches at no higher cost.
    fn keep(&mut self) -> Range<usize> {
        let start = self.reached.len();
        self.candidates.sort_unstable_by_key(|reached| (reached.cost, reached.node));
        for candidate in self.candidates.drain(..) {
            self.places[usize::from(candidate.node)] = 0;
            let is_reached = |kept: &Reached<'_>| {
                self.machine.routes.reaches((kept.node, kept.cost), (candidate.node, candidate.cost))
            };
            if !self.reached[start..].iter().any(is_reached) {
                self.reached.push(candidate);
            }
        }
        start..self.reached.len()
    }

    /// Returns the index of the cheapest node of a layer.
    fn cheapest(&self, layer: Range<usize>) -> Option<usize> {
        layer.min_by_key(|&index| self.reached[index].cost)
    }
}
