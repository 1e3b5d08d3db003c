//! rob-twophase through its prompt: `solve FACELETS` is answered by the time, the solutions if any, and `Ready!`.

use std::path::PathBuf;
use std::time::Duration;

use superflip_cube::Moves;

use crate::child::Child;
use crate::{Answer, Ask, Engine, PATIENCE, Position, Running};

/// rob-twophase as an engine.
pub(crate) struct Rob {
    /// Path of its program.
    pub(crate) program: PathBuf,
}

impl Engine for Rob {
    fn name(&self) -> String {
        "rob-twophase".into()
    }

    fn start<'e>(&'e self, ask: Ask, threads: usize) -> Option<Box<dyn Running + 'e>> {
        let (length, time) = match ask {
            Ask::AtMost(length) => (i32::from(length), PATIENCE),
            Ask::Many => (20, PATIENCE),
            // No length ends the search before its time limit.
            Ask::Within(time) => (-1, time),
        };
        let options = [("-l", length.to_string()), ("-m", time.as_millis().to_string()), ("-t", threads.to_string())];
        let arguments = options.map(|(name, value)| [name.to_owned(), value]).concat();
        let child = Child::start(&self.program, &arguments);
        until_ready(&child);
        Some(Box::new(Prompt(child)))
    }
}

/// Reads the lines up to the next prompt.
fn until_ready(child: &Child) -> Vec<String> {
    std::iter::repeat_with(|| child.line().1).take_while(|line| line != "Ready!").collect()
}

struct Prompt(Child);

impl Running for Prompt {
    fn solve(&mut self, positions: &[Position]) -> Vec<Answer> {
        let answers = positions.iter().map(|position| {
            self.0.write(&format!("solve {}\n", position.facelets));
            let lines = until_ready(&self.0);
            let millis = lines.first().and_then(|line| line.strip_suffix("ms")).expect("a time");
            let time = Duration::from_secs_f64(millis.parse::<f64>().expect("milliseconds") / 1e3);
            let moves = lines.get(1).and_then(|line| line.split('(').next());
            Answer { time, moves: moves.map(|moves| moves.trim().parse::<Moves>().expect("moves").into()) }
        });
        answers.collect()
    }
}
