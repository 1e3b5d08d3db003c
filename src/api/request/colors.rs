//! Reads `colors`: 54 samples in any of its shapes, and the cube that explains them best.

use serde_json::{Map, Value};

use super::scan::{conditions, impossible};
use crate::api::problem::{Code, Problem, ScanCandidate};
use crate::api::request::read::short;
use crate::api::types::{ChannelOrder, Colors, Scan, ScanDetails, ScannedFaces};
use superflip_cube::Cube;
use superflip_cube::geometry::FACELETS;
use superflip_scan::Arrangement;
use superflip_scan::colours::{
    CERTAIN, ColourReading, Likely, MAX_NOISE, Rgb, Samples, read_colours, read_colours_in_any_order,
    read_colours_in_any_rotation,
};
use superflip_scan::repair::Scanned;

/// Probability from which a cube is listed as a candidate.
const LIKELY: f64 = 0.01;

/// What one sample looks like.
const SAMPLE: &str = "three numbers from 0 to 255, or `#` and six hexadecimal digits";

/// Reads the most likely legal cube. `scanned` says what is unknown of the faces. It takes some milliseconds.
///
/// # Errors
/// Returns an error if the colours are not 54 samples, or do not decide between several cubes.
pub(crate) fn read(
    colors: &Colors,
    order: Option<ChannelOrder>,
    scanned: Option<Scanned>,
) -> Result<(Cube, ScanDetails), Problem> {
    let samples = samples(colors)?;
    let samples = if order == Some(ChannelOrder::Bgr) { samples.bgr() } else { samples };
    let reading = match scanned {
        None => read_colours(&samples),
        Some(Scanned { unknown_order: false, .. }) => read_colours_in_any_rotation(&samples),
        Some(Scanned { unknown_rotations: false, .. }) => read_colours_in_any_order(&samples),
        Some(_) => {
            let detail = "For `colors`, only one of `face_order` and `face_rotations` may be `unknown`. Scan the faces in the order U R F D \
                          L B, or each in its usual rotation.";
            return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("face_order"));
        }
    };
    if reading.is_ambiguous {
        return Err(ambiguous(&reading, scanned));
    }
    if scanned.is_some_and(|scanned| scanned.unknown_order) && reading.has_mirrored_colours() {
        let message = "The colours fit a cube only with white, red, green, yellow, orange and blue arranged as in a mirror. Turn off the \
                       mirroring of the camera. If the colours of your cube are mirrored, give the faces in the order U R F D L B, without \
                       `face_order`.";
        return Err(impossible("mirrored_scan", message).in_field("colors"));
    }
    let scan = Scan::from(&reading);
    let Arrangement { order, turns, .. } = reading.arrangement;
    let faces = scanned.map(|_| ScannedFaces::new(scan.facelets.clone(), order, turns));
    Ok((reading.cube, ScanDetails { scan: Some(Box::new(scan)), faces: faces.map(Box::new) }))
}

/// Reads what is seen after moves, from the field `seen_colors`. It takes some milliseconds.
///
/// # Errors
/// Returns the errors of [`read`] for that field.
pub(crate) fn read_seen(colors: &Colors, order: Option<ChannelOrder>) -> Result<Cube, Problem> {
    let of_seen = |problem: Problem| {
        problem.with(|document| {
            document.field = document.field.take().map(|field| format!("seen_{field}"));
            document.detail = document.detail.replace("`colors", "`seen_colors").replace(IN_ANY_ROTATION, "");
        })
    };
    read(colors, order, None).map(|(cube, _)| cube).map_err(of_seen)
}

/// Advice that does not apply to `seen_colors`.
const IN_ANY_ROTATION: &str = ", or send `\"face_rotations\": \"unknown\"`";

fn ambiguous(reading: &ColourReading, scanned: Option<Scanned>) -> Problem {
    let best = Likely { cube: reading.cube, probability: reading.probability, arrangement: reading.arrangement };
    let others = reading.runners_up.iter().filter(|other| other.probability >= LIKELY);
    let mut candidates: Vec<ScanCandidate> =
        std::iter::once(&best).chain(others).map(|likely| ScanCandidate::new(likely, scanned)).collect();
    let differs = |at: usize| {
        let letter = |candidate: &ScanCandidate| candidate.facelets.as_bytes().get(at).copied();
        candidates.iter().any(|other| letter(other) != letter(&candidates[0]))
    };
    let doubtful: Vec<u8> = (0..FACELETS).filter(|&at| differs(at)).filter_map(|at| u8::try_from(at).ok()).collect();
    let misplaced = reading.misplaced.iter().filter(|misplaced| misplaced.probability >= LIKELY);
    candidates.extend(misplaced.map(|misplaced| ScanCandidate::new(misplaced, scanned)));
    candidates.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    Problem::new(Code::AmbiguousScan, detail(reading, scanned))
        .in_field("colors")
        .with(|document| (document.candidates, document.doubtful) = (Some(candidates), Some(doubtful)))
}

/// Says why the colours do not decide, and what to do.
fn detail(reading: &ColourReading, scanned: Option<Scanned>) -> String {
    let ColourReading { probability, unexplained, noise, .. } = *reading;
    let advised: Vec<Arrangement> = reading.advised().iter().map(|other| other.arrangement).collect();
    if !advised.is_empty() {
        return misplaced_faces(probability, &advised);
    }
    let is_equal = |other: &&Likely| other.arrangement != reading.arrangement && other.probability >= probability;
    let equal = u8::try_from(reading.runners_up.iter().filter(is_equal).count()).unwrap_or(u8::MAX - 1);
    let (unknown, option) = match scanned {
        Some(Scanned { unknown_order: true, .. }) => ("order of the faces is", "face_order"),
        _ => ("rotations of the faces are", "face_rotations"),
    };
    if equal > 0 && f64::from(equal + 1) * probability >= CERTAIN {
        // Together they are certain: the colours are clear, only the arrangement is not.
        return format!(
            "The colours fit {} cubes equally well, because the {unknown} unknown. Choose one of `candidates`, or scan the faces as \
             documented, without `{option}`.",
            equal + 1
        );
    }
    if noise > MAX_NOISE || unexplained > 0.5 {
        let ways = match scanned {
            None => "as given, with faces turned, in another order, or mirrored",
            Some(Scanned { unknown_order: true, .. }) => "in any order of the faces",
            Some(_) => "in any rotation of the faces",
        };
        let spread = if noise > MAX_NOISE {
            format!(": even those of the most likely one differ by {noise:.0} of 255 (standard deviation)")
        } else {
            ", although most stickers of one colour look alike".to_owned()
        };
        return format!(
            "The colours fit no cube {ways}{spread}. Check that each face is in its place, as seen from outside, and that the samples are of \
             stickers, or scan again in better light."
        );
    }
    format!(
        "The colours fit several cubes; the most likely one has a probability of {:.0} %. Check the stickers in `doubtful`, or scan again \
         in better light.",
        100.0 * probability
    )
}

/// Says in which arrangements of the faces the colours fit, and what to do. `probability` is that of the best cube as given.
fn misplaced_faces(probability: f64, arrangements: &[Arrangement]) -> String {
    let start = if probability < LIKELY {
        "The colours fit no cube as given. They fit one".to_owned()
    } else {
        format!(
            "As given, the colours fit a cube with a probability of {:.0} % only. They fit better",
            100.0 * probability
        )
    };
    let remedy = match arrangements {
        [Arrangement { is_mirrored: true, .. }] => "Give each face as seen from outside, row by row.",
        [only] if only.order == Arrangement::AS_GIVEN.order => {
            "Scan them again, turn their samples, or send `\"face_rotations\": \"unknown\"`."
        }
        _ => {
            "The colours do not tell which of these is the case. Find out how the faces were scanned, and give them in the order U R F D L B, \
             each row by row as seen from outside."
        }
    };
    format!("{start} if {}. {remedy}", conditions(arrangements))
}

/// Reads 54 samples in any of the three shapes.
fn samples(Colors(colors): &Colors) -> Result<Samples, Problem> {
    match colors {
        Value::Object(numbered) => numbered_samples(numbered),
        Value::Array(faces) if faces.len() == 6 => {
            let mut samples = Vec::with_capacity(FACELETS);
            for (face, rows) in faces.iter().enumerate() {
                for (row, columns) in three(rows, &format!("colors[{face}]"), "three rows")?.iter().enumerate() {
                    let path = format!("colors[{face}][{row}]");
                    for (column, value) in three(columns, &path, "three samples")?.iter().enumerate() {
                        samples.push(sample(value, || format!("{path}[{column}]"))?);
                    }
                }
            }
            in_order(samples)
        }
        Value::Array(list) if list.len() == FACELETS => {
            let samples = list.iter().enumerate().map(|(at, value)| sample(value, || format!("colors[{at}]")));
            in_order(samples.collect::<Result<_, _>>()?)
        }
        Value::Array(list) => Err(invalid(
            Code::OptionOutOfRange,
            "colors",
            &format!(
                "expected a list of 54 samples, or of six matrices of three rows of three samples, found a list of length {}",
                list.len()
            ),
        )),
        other => Err(mismatch(true, "colors", "a list or an object of 54 samples", other)),
    }
}

/// Reads the samples numbered from 1 to 54 in the order U L F R B D.
fn numbered_samples(numbered: &Map<String, Value>) -> Result<Samples, Problem> {
    let is_number = |name: &str| (1..=FACELETS).any(|number| number.to_string() == name);
    if let Some(name) = numbered.keys().find(|name| !is_number(name)) {
        // These names are data, as the length of a list is, not fields of the contract.
        let message = format!("expected the names `1` to `54`, found `{}`", short(name));
        return Err(invalid(Code::OptionOutOfRange, "colors", &message));
    }
    let read = |number: usize| {
        let value = numbered.get(&number.to_string());
        let missing = || {
            let message = format!("expected the names `1` to `54`, but `{number}` is missing");
            invalid(Code::OptionOutOfRange, "colors", &message)
        };
        sample(value.ok_or_else(missing)?, || format!("colors.{number}"))
    };
    in_order((1..=FACELETS).map(read).collect::<Result<_, _>>()?).map(Samples::reordered_from_ulfrbd)
}

fn in_order(samples: Vec<Rgb>) -> Result<Samples, Problem> {
    let channels = || samples.iter().flatten();
    if channels().all(|channel| *channel <= 1.0) && channels().any(|channel| channel.fract() != 0.0) {
        let message = "every channel is at most 1, but channels go from 0 to 255; multiply them by 255";
        return Err(invalid(Code::OptionOutOfRange, "colors", message));
    }
    let samples = samples.try_into().ok().and_then(|samples| Samples::of_means(&samples));
    samples.ok_or_else(Problem::internal)
}

fn three<'a>(value: &'a Value, path: &str, expected: &str) -> Result<&'a [Value], Problem> {
    let list = value.as_array().filter(|list| list.len() == 3);
    list.map(Vec::as_slice).ok_or_else(|| mismatch(!value.is_array(), path, &format!("a list of {expected}"), value))
}

/// Reads one sample. `path` names it in errors.
fn sample(value: &Value, path: impl Fn() -> String) -> Result<Rgb, Problem> {
    let channels = match value {
        Value::String(text) => hexadecimal(text),
        Value::Array(channels) => {
            let channels: Option<Vec<f64>> = channels.iter().map(channel).collect();
            channels.and_then(|channels| channels.try_into().ok())
        }
        _ => None,
    };
    let has_type = value.is_string() || value.as_array().is_some_and(|channels| channels.iter().all(Value::is_number));
    channels.ok_or_else(|| mismatch(!has_type, &path(), SAMPLE, value))
}

/// Returns a number from 0 to 255.
fn channel(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| (0.0..=255.0).contains(number))
}

fn hexadecimal(text: &str) -> Option<Rgb> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let is_digits = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok().filter(|_| is_digits)?.to_be_bytes();
    Some([red, green, blue].map(f64::from))
}

/// Returns the problem for a value that has a wrong type, or is not allowed.
fn mismatch(has_wrong_type: bool, path: &str, expected: &str, found: &Value) -> Problem {
    let code = if has_wrong_type { Code::InvalidField } else { Code::OptionOutOfRange };
    invalid(code, path, &format!("expected {expected}, found `{}`", short(&found.to_string())))
}

fn invalid(code: Code, path: &str, message: &str) -> Problem {
    Problem::new(code, format!("`{path}`: {message}.")).in_field(path)
}
