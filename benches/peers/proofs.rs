//! Compares proofs of optimality with other engines, cube by cube in turns.
//!
//! `cargo bench --bench peers -- --scrambles FILE --vcube PROGRAM --nxopt PROGRAM --cube48opt MODULE` prints one Markdown table, with a
//! row per file. Time is the CPU time of all threads of a program from the question to its answer, so that other work on the machine
//! counts as little as possible. Every engine proves on one thread, after a first question that loads its table. All must find the same
//! length, and every solution that they print is replayed. The number in brackets is the time multiplied by the memory in GB: the bytes
//! of the table, or the peak memory of a program that does not say them.
//!
//! This engine asks for pages of 2 MiB. vcube uses them only if the kernel has reserved some: `sysctl vm.nr_hugepages=1300` for its table 112.
//!
//! The last columns are the elapsed times of this engine on one thread and on two, for exhausting the length below the optimal one. The
//! number of nodes does not depend on their order, so that luck plays no part.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use superflip_cube::metric::Metric;
use superflip_cube::{Cube, Move, Moves, TurnSet};
use superflip_solver::{Control, Goal, SetKey, Size, SolveError, Solver, TableSet};

use crate::child::Child;
use crate::ours;

/// Longest time for a proof; a peer that takes longer hangs.
const PATIENCE: Duration = Duration::from_mins(30);

/// Arguments of the comparison of proofs
#[derive(clap::Args)]
pub(crate) struct Proofs {
    /// Cubes for proofs, as scrambles or 54 facelets, one per line; one row per file
    #[arg(long, value_name = "FILE")]
    scrambles: Vec<PathBuf>,
    /// Number of cubes of each file
    #[arg(long, default_value_t = 1000)]
    most: usize,
    /// The program vc-optimal of vcube, beside its tables
    #[arg(long, value_name = "PROGRAM")]
    vcube: Option<PathBuf>,
    /// Its table
    #[arg(long, default_value = "112")]
    vcube_table: String,
    /// A program nxopt of cube20src, beside its table
    #[arg(long, value_name = "PROGRAM")]
    nxopt: Option<PathBuf>,
    /// A module of cubeopt-wasm, such as cube48opt3.mjs; it runs in node
    #[arg(long, value_name = "MODULE")]
    cube48opt: Option<PathBuf>,
    /// Sizes of this engine's tables for proofs
    #[arg(long, value_delimiter = ',', default_value = "l")]
    sizes: Vec<String>,
    /// Folder of these tables [default: beside those of the tests]
    #[arg(long, value_name = "DIR")]
    tables_dir: Option<PathBuf>,
}

/// A proof: the optimal length, and a solution unless the program prints none.
struct Proof {
    length: usize,
    moves: Option<Vec<Move>>,
}

/// A cube and a scramble that leads to it.
struct Question {
    cube: Cube,
    scramble: Vec<Move>,
}

/// Proves that solutions are shortest.
trait Prover {
    fn name(&self) -> String;
    fn prove(&mut self, question: &Question) -> Proof;
    /// CPU seconds that it has used so far.
    fn seconds(&self) -> f64;
    /// Memory of its table, or the peak of its process so far.
    fn gigabytes(&self) -> f64;
}

impl Proofs {
    /// Whether there is anything to prove.
    pub(crate) fn is_wanted(&self) -> bool {
        !self.scrambles.is_empty()
    }

    /// Measures and prints.
    pub(crate) fn run(&self) {
        let two_phase = ours::solver("standard", TurnSet::ALL);
        let size = |name: &String| Size::ALL.into_iter().find(|size| size.name() == name).expect("s, m, l or xl");
        let folder = self.tables_dir.clone().unwrap_or_else(ours::folder);
        let open = |size| {
            let table = TableSet::open(SetKey::proofs(Metric::Htm, size), &folder, &Control::new()).expect("a table");
            two_phase.clone().with([table])
        };
        let with_tables: Vec<Solver> = self.sizes.iter().map(size).map(open).collect();
        let mut provers: Vec<Box<dyn Prover + '_>> = Vec::new();
        provers.extend(with_tables.iter().map(|solver| Box::new(Ours(solver.clone())) as Box<dyn Prover>));
        if let Some(program) = &self.vcube {
            let arguments = ["-c", &self.vcube_table, "-w", "1", "--ordered"].map(str::to_owned);
            let name = format!("vcube {}", self.vcube_table);
            let child = Child::start(program, &arguments);
            provers.push(Box::new(Peer { name, child, table: None, written: counted, read: read_vcube }));
        }
        if let Some(program) = &self.nxopt {
            let name = program.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let child = Child::start(program, &["-t", "1", "-"].map(str::to_owned));
            provers.push(Box::new(Peer { name, child, table: None, written: counted, read: read_nxopt }));
        }
        if let Some(module) = &self.cube48opt {
            let name = module.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let module = module.canonicalize().expect("a module of cubeopt-wasm");
            let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers/cube48opt.mjs");
            let child = Child::start(&script, &[module.to_str().expect("a path in UTF-8").to_owned()]);
            let (_, line) = child.line_within(PATIENCE);
            let table = line.strip_prefix("table ").and_then(|bytes| bytes.parse().ok());
            let table = Some(table.expect("the bytes of the table"));
            provers.push(Box::new(Peer {
                name,
                child,
                table,
                written: |moves| Moves::from(moves).to_string(),
                read: read_length,
            }));
        }
        let first = Question::new(&two_phase, "R U F");
        for prover in &mut provers {
            assert_eq!(prover.prove(&first).length, 3, "{}", prover.name());
        }
        let named = provers.iter().map(|prover| format!("{}, {:.3} GB", prover.name(), prover.gigabytes()));
        let names: Vec<String> = named.collect();
        println!("CPU seconds a cube, mean (times GB)\n");
        println!("| cubes | {} | lengths | 1 thread, s | 2 threads, s | ratio |", names.join(" | "));
        println!("| --- {}| --- | ---: | ---: | ---: |", "| ---: ".repeat(names.len()));
        for path in &self.scrambles {
            let text = std::fs::read_to_string(path).expect("a file of cubes");
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(self.most);
            let questions: Vec<Question> = lines.map(|line| Question::new(&two_phase, line)).collect();
            let (mut used, mut lengths) = (vec![0.0; provers.len()], Vec::new());
            let mut by_clock = [Duration::ZERO; 2];
            for question in &questions {
                let mut length = None;
                for (prover, used) in provers.iter_mut().zip(&mut used) {
                    let before = prover.seconds();
                    let proof = prover.prove(question);
                    let seconds = prover.seconds() - before;
                    *used += seconds;
                    eprintln!("{} {} moves, {seconds:.3} s", prover.name(), proof.length);
                    if let Some(moves) = proof.moves {
                        assert!(question.cube.after(&moves).is_solved(), "{} is wrong", prover.name());
                    }
                    assert_eq!(*length.get_or_insert(proof.length), proof.length, "{} differs", prover.name());
                }
                let length = length.expect("an engine");
                if lengths.len() <= length {
                    lengths.resize(length + 1, 0);
                }
                lengths[length] += 1;
                for (threads, time) in [1, 2].into_iter().zip(&mut by_clock) {
                    *time += exhaust(&with_tables[0], question, length - 1, threads);
                }
            }
            #[allow(clippy::cast_precision_loss)] // few cubes
            let count = questions.len() as f64;
            let means = provers.iter().zip(&used).map(|(prover, used)| {
                let mean = used / count;
                format!("{mean:.3} ({:.2})", mean * prover.gigabytes())
            });
            let means: Vec<String> = means.collect();
            let met = lengths.iter().enumerate().filter(|(_, count)| **count > 0);
            let lengths: Vec<String> = met.map(|(length, count)| format!("{count} of {length}")).collect();
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let [one, two] = by_clock.map(|time| time.as_secs_f64() / count);
            let ratio = one / two;
            println!("| {name} | {} | {} | {one:.3} | {two:.3} | {ratio:.2} |", means.join(" | "), lengths.join(", "));
        }
    }
}

impl Question {
    fn new(solver: &Solver, line: &str) -> Self {
        if let Ok(cube) = Cube::from_facelets(line) {
            let outcome = solver.solve(&cube, &Goal::default()).expect("a solution");
            return Self { cube, scramble: outcome.moves.inverse().into() };
        }
        let cube = Cube::from_scramble(line).expect("a scramble or facelets");
        Self { cube, scramble: line.parse::<Moves>().expect("moves").into() }
    }
}

/// Elapsed time of a proof that no solution has at most this many moves.
fn exhaust(prover: &Solver, question: &Question, length: usize, threads: usize) -> Duration {
    let max_length = Some(u8::try_from(length).expect("few moves"));
    let goal = Goal::proof().threads(threads).max_length(max_length);
    let start = Instant::now();
    let refused = prover.solve(&question.cube, &goal);
    assert!(matches!(refused, Err(SolveError::NoneWithin { .. })), "{refused:?}");
    start.elapsed()
}

/// CPU seconds of the threads of a process, from the scheduler's statistics.
fn seconds_of(process: &str) -> f64 {
    let tasks = std::fs::read_dir(Path::new("/proc").join(process).join("task")).expect("the threads of a process");
    let nanos = tasks.flatten().filter_map(|task| {
        let line = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        line.split(' ').next()?.parse::<f64>().ok()
    });
    nanos.sum::<f64>() / 1e9
}

/// This engine with one table, on one thread.
struct Ours(Solver);

impl Prover for Ours {
    fn name(&self) -> String {
        format!("superflip {}", self.0.proving(Metric::Htm).expect("a table").size().name())
    }

    fn prove(&mut self, question: &Question) -> Proof {
        let outcome = self.0.solve(&question.cube, &Goal::proof()).expect("a solution");
        assert!(outcome.is_optimal());
        Proof::of(outcome.moves.into())
    }

    fn seconds(&self) -> f64 {
        seconds_of("self")
    }

    fn gigabytes(&self) -> f64 {
        let size = self.0.proving(Metric::Htm).expect("a table").size();
        in_gigabytes(SetKey::proofs(Metric::Htm, size).file_bytes())
    }
}

/// A program that answers one scramble per line.
struct Peer {
    name: String,
    child: Child,
    /// Bytes of its table, if the program says them.
    table: Option<u64>,
    /// Writes a scramble as the program reads it.
    written: fn(&[Move]) -> String,
    /// Parses the proof in a line, if any.
    read: fn(&str) -> Option<Proof>,
}

impl Prover for Peer {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn prove(&mut self, question: &Question) -> Proof {
        self.child.write(&format!("{}\n", (self.written)(&question.scramble)));
        loop {
            let (_, line) = self.child.line_within(PATIENCE);
            if let Some(proof) = (self.read)(&line) {
                return proof;
            }
        }
    }

    fn seconds(&self) -> f64 {
        seconds_of(&self.child.id().to_string())
    }

    fn gigabytes(&self) -> f64 {
        in_gigabytes(self.table.unwrap_or_else(|| peak_memory(self.child.id())))
    }
}

impl Proof {
    fn of(moves: Vec<Move>) -> Self {
        Self { length: moves.len(), moves: Some(moves) }
    }
}

#[allow(clippy::cast_precision_loss)] // three digits are printed
fn in_gigabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e9
}

/// Most bytes that a process has used at any time, and its reserved huge pages, which the former do not include.
fn peak_memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("a process");
    let kilobytes = |name| {
        let line = status.lines().find_map(|line: &str| line.strip_prefix(name));
        line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0_u64)
    };
    1024 * (kilobytes("VmHWM:") + kilobytes("HugetlbPages:"))
}

/// Formats moves as vcube and nxopt read and write them: `U1R2F3`.
fn counted(moves: &[Move]) -> String {
    let counted = |mv: &Move| match mv.to_string().as_str() {
        quarter if quarter.len() == 1 => format!("{quarter}1"),
        mv => mv.replace('\'', "3"),
    };
    moves.iter().map(counted).collect()
}

/// Parses moves such as `R1 F3 D2`.
fn uncounted(text: &str) -> Option<Vec<Move>> {
    text.replace('1', "").replace('3', "'").parse().ok().filter(|moves: &Moves| !moves.is_empty()).map(Vec::from)
}

/// Reads a line with number of the cube, seconds, length and moves.
fn read_vcube(line: &str) -> Option<Proof> {
    let mut words = line.split_whitespace();
    words.next()?.parse::<usize>().ok()?;
    words.next()?.parse::<f64>().ok()?;
    words.next()?.parse::<usize>().ok()?;
    uncounted(&words.collect::<Vec<_>>().join(" ")).map(Proof::of)
}

/// Reads a line that consists of moves.
fn read_nxopt(line: &str) -> Option<Proof> {
    let is_move = |word: &str| {
        word.len() == 2 && word.starts_with(|c| "URFDLB".contains(c)) && word.ends_with(|c| "123".contains(c))
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.is_empty() || !words.iter().all(|word| is_move(word)) {
        return None;
    }
    uncounted(line).map(Proof::of)
}

/// Reads a line that is a number of moves.
fn read_length(line: &str) -> Option<Proof> {
    Some(Proof { length: line.parse().ok()?, moves: None })
}
