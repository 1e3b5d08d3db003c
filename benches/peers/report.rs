//! The measurements and their table.

use std::fmt;

use crate::Answer;

/// Answers of one engine in one row.
#[derive(Default)]
pub(crate) struct Row {
    /// Milliseconds by cube and repeat.
    times: Vec<Vec<f64>>,
    moves: usize,
    answered: usize,
    unanswered: usize,
}

impl Row {
    /// Adds an answer for a cube.
    pub(crate) fn add(&mut self, cube: usize, answer: &Answer) {
        if self.times.len() <= cube {
            self.times.resize_with(cube + 1, Vec::new);
        }
        self.times[cube].push(answer.time.as_secs_f64() * 1e3);
        match &answer.moves {
            Some(moves) => {
                self.answered += 1;
                self.moves += moves.len();
            }
            None => self.unanswered += 1,
        }
    }

    /// Median milliseconds of the cubes, in ascending order.
    fn sorted(&self) -> Vec<f64> {
        let mut medians: Vec<_> = self.times.iter().map(|repeats| median(repeats)).collect();
        medians.sort_by(f64::total_cmp);
        medians
    }

    fn mean(&self) -> f64 {
        let times = self.sorted();
        times.iter().sum::<f64>() / count(times.len())
    }

    /// Cubes per second of the median repeat.
    fn throughput(&self) -> f64 {
        let repeats = self.times[0].len();
        let totals: Vec<f64> = (0..repeats).map(|r| self.times.iter().map(|cube| cube[r]).sum()).collect();
        count(self.times.len()) / median(&totals) * 1e3
    }

    /// A cell with the number of searches without a solution.
    fn cell(&self, text: String) -> String {
        if self.unanswered == 0 { text } else { format!("{text} ({} without)", self.unanswered) }
    }
}

#[allow(clippy::cast_precision_loss)] // thousands of cubes
fn count(number: usize) -> f64 {
    number as f64
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Formats with about three significant digits.
fn short(value: f64) -> String {
    let decimals = match value {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 1.0 => 2,
        _ => 3,
    };
    format!("{value:.decimals$}")
}

/// The table. Each row is also written to standard error when it is measured.
pub(crate) struct Table {
    engines: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
}

impl Table {
    /// Returns an empty table.
    pub(crate) fn new(engines: Vec<String>) -> Self {
        Self { engines, rows: Vec::new() }
    }

    fn add(&mut self, name: String, measured: &[Option<Row>], cell: impl Fn(&Row) -> String) {
        let cells = measured.iter().map(|row| row.as_ref().map_or_else(|| "-".into(), &cell)).collect();
        self.push(name, cells);
    }

    fn push(&mut self, name: String, cells: Vec<String>) {
        eprintln!("{name}: {}", cells.join(", "));
        self.rows.push((name, cells));
    }

    /// Adds rows of times to solutions of at most this many moves.
    pub(crate) fn add_times(&mut self, length: u8, measured: &[Option<Row>]) {
        self.add(format!("ms to <= {length}, mean"), measured, |row| row.cell(short(row.mean())));
        for (name, percent) in [("p50", 50), ("p99", 99), ("max", 100)] {
            self.add(format!("ms to <= {length}, {name}"), measured, |row| {
                let times = row.sorted();
                short(times[(times.len() * percent / 100).min(times.len() - 1)])
            });
        }
    }

    /// Adds a row of mean lengths after this many milliseconds.
    pub(crate) fn add_lengths(&mut self, millis: u64, measured: &[Option<Row>]) {
        self.add(format!("mean length after {millis} ms"), measured, |row| {
            row.cell(format!("{:.3}", count(row.moves) / count(row.answered)))
        });
    }

    /// Adds a row of cubes per second and core.
    pub(crate) fn add_throughput(&mut self, measured: &[Option<Row>]) {
        self.add("many to <= 20, cubes/s per core".into(), measured, |row| {
            row.cell(format!("{:.0}", row.throughput()))
        });
    }

    /// Adds rows that compare two threads with one.
    pub(crate) fn add_speed_up(&mut self, one: &[Option<Row>], two: &[Option<Row>]) {
        self.add("ms to <= 19, mean, 2 threads".into(), two, |row| row.cell(short(row.mean())));
        let ratio = one.iter().zip(two).map(|pair| match pair {
            (Some(one), Some(two)) => format!("{:.2}", one.mean() / two.mean()),
            _ => "-".into(),
        });
        self.push("speed-up of 2 threads".into(), ratio.collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| | {} |", self.engines.join(" | "))?;
        writeln!(f, "| --- {}|", "| ---: ".repeat(self.engines.len()))?;
        for (name, cells) in &self.rows {
            writeln!(f, "| {name} | {} |", cells.join(" | "))?;
        }
        Ok(())
    }
}
