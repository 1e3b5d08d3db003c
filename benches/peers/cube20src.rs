//! The two-phase program of cube20src: one position per line, answered by a line `Solution ...` and a line of moves.

use std::path::PathBuf;
use std::time::Instant;

use superflip_cube::geometry::{CORNER_FACELETS, EDGE_FACELETS};
use superflip_cube::{Corner, Edge, Face, Moves};

use crate::child::Child;
use crate::{Answer, Ask, Engine, Position, Running};

/// Singmaster's order of the slots, with the order of the faces in each.
const SLOTS: &str = "UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR";

/// cube20src as an engine.
pub(crate) struct Cube20src {
    /// Path of its program.
    pub(crate) program: PathBuf,
}

impl Engine for Cube20src {
    fn name(&self) -> String {
        "cube20src".into()
    }

    /// It has no time limit, and its threads solve different cubes.
    fn start<'e>(&'e self, ask: Ask, threads: usize) -> Option<Box<dyn Running + 'e>> {
        if threads > 1 || matches!(ask, Ask::Within(_)) {
            return None;
        }
        Some(Box::new(Lines(Child::start(&self.program, &["-s".into(), ask.at_most().to_string()]))))
    }
}

struct Lines(Child);

impl Running for Lines {
    fn solve(&mut self, positions: &[Position]) -> Vec<Answer> {
        let lines: String = positions.iter().map(|position| singmaster(&position.facelets) + "\n").collect();
        let mut last = Instant::now();
        self.0.write(&lines);
        let answers = positions.iter().map(|_| {
            while !self.0.line().1.starts_with("Solution ") {}
            let (now, moves) = self.0.line();
            let time = now.duration_since(last);
            last = now;
            // It answers with the maneuver from the solved cube.
            Answer { time, moves: Some(moves.parse::<Moves>().expect("moves").inverse().into()) }
        });
        answers.collect()
    }
}

/// The cube in Singmaster's notation: for each slot, the stickers on its faces.
fn singmaster(facelets: &str) -> String {
    let symbols = facelets.as_bytes();
    let slots = SLOTS.split(' ').map(|slot| {
        let at = |letter| symbols[facelet(slot, Face::from_letter(letter).expect("a face"))] as char;
        slot.chars().map(at).collect::<String>()
    });
    slots.collect::<Vec<_>>().join(" ")
}

/// Index of the facelet of a slot on a face.
fn facelet(slot: &str, face: Face) -> usize {
    let is_it = |faces: &[Face]| faces.len() == slot.len() && faces.iter().all(|face| slot.contains(face.letter()));
    let corners = Corner::ALL.iter().map(|corner| (corner.faces().to_vec(), CORNER_FACELETS[corner.index()].to_vec()));
    let edges = Edge::ALL.iter().map(|edge| (edge.faces().to_vec(), EDGE_FACELETS[edge.index()].to_vec()));
    let (faces, facelets) = corners.chain(edges).find(|(faces, _)| is_it(faces)).expect("a slot");
    facelets[faces.iter().position(|&other| other == face).expect("a face of the slot")]
}
