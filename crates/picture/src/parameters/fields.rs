//! Reads each parameter.
#![allow(clippy::cast_possible_truncation)] // numbers are checked against their limits before

use std::str::FromStr as _;

use superflip_cube::Axis;

use super::given::{MAX_PIXELS, MAX_ROTATIONS, MAX_SIZE, ParameterError, ParameterFault, Parameters, Reading, View};
use crate::arrow::{Arrow, MAX_ARROWS};
use crate::colour::{self, EXPECTED, Paint, Rgb, Scheme};
use crate::geometry::Rotation;
use crate::moves::{self, LayerMove, MoveError};
use crate::stickers::{Stage, Sticker, solved};

/// The parameters, and how they are read.
pub(crate) struct Fields<'a> {
    pub(crate) given: &'a Parameters<'a>,
    pub(crate) reading: Reading,
}

type Read<T> = Result<T, ParameterError>;

/// Definition of the stickers.
pub(crate) enum Definition<'a> {
    /// `fc`: letters of colours.
    Colours(&'a str),
    /// `fd`: letters of faces.
    Faces(&'a str),
    /// Neither: the solved cube.
    Solved,
}

impl Fields<'_> {
    fn is_strict(&self) -> bool {
        self.reading == Reading::Strict
    }

    /// Returns `value`, or the error of a strict reading, or the default of a forgiving one.
    fn or_refuse<T>(&self, value: Option<T>, error: impl FnOnce() -> ParameterError) -> Read<Option<T>> {
        if value.is_none() && self.is_strict() { Err(error()) } else { Ok(value) }
    }

    /// Reads a whole number from `least` to `most`. A forgiving reading accepts any number, and clamps it if `clamps`.
    fn number(
        &self,
        parameter: &'static str,
        text: Option<&str>,
        least: u32,
        most: u32,
        clamps: bool,
    ) -> Read<Option<u32>> {
        let Some(text) = given(text) else { return Ok(None) };
        if !self.is_strict() {
            let number =
                numeric(text).map(|number| if clamps { number.clamp(least.into(), most.into()) } else { number });
            let is_valid =
                |number: &f64| number.fract() == 0.0 && (f64::from(least)..=f64::from(most)).contains(number);
            return Ok(number
                .map(|number| if clamps { number.round() } else { number })
                .filter(is_valid)
                .map(|n| n as u32));
        }
        let expected = format!("a whole number from {least} to {most}");
        if let Some(number) = whole(text).filter(|number| (least..=most).contains(number)) {
            return Ok(Some(number));
        }
        let is_whole = whole(text).is_some() || numeric(text).is_some_and(|number| number.fract() == 0.0);
        let error = if is_whole { ParameterError::unexpected } else { ParameterError::no_number };
        Err(error(parameter, text, &expected))
    }

    /// Returns the number of layers.
    pub(crate) fn size(&self) -> Read<usize> {
        let size = self.number("pzl", self.given.pzl, 1, MAX_SIZE as u32, false)?;
        Ok(size.unwrap_or(3) as usize)
    }

    pub(crate) fn pixels(&self) -> Read<Option<u32>> {
        self.number("size", self.given.size, 0, MAX_PIXELS, true)
    }

    pub(crate) fn distance(&self) -> Read<Option<f64>> {
        let Some(text) = given(self.given.dist) else { return Ok(None) };
        let distance = numeric(text);
        if !self.is_strict() {
            return Ok(distance.map(|distance| distance.clamp(1.0, 100.0)));
        }
        let expected = "a number from 1 to 100";
        match distance {
            Some(distance) if (1.0..=100.0).contains(&distance) => Ok(Some(distance)),
            Some(_) => Err(ParameterError::unexpected("dist", text, expected)),
            None => Err(ParameterError::no_number("dist", text, expected)),
        }
    }

    pub(crate) fn view(&self) -> Read<View> {
        let Some(text) = given(self.given.view) else { return Ok(View::Normal) };
        let view = match text {
            "plan" => Some(View::Plan),
            "trans" => Some(View::Transparent),
            _ => None,
        };
        let view = self.or_refuse(view, || ParameterError::unexpected("view", text, "`plan` or `trans`"))?;
        Ok(view.unwrap_or(View::Normal))
    }

    /// Reads an opacity. `VisualCube` accepts one or two digits.
    pub(crate) fn opacity(&self, parameter: &'static str, text: Option<&str>) -> Read<Option<u8>> {
        if self.is_strict() {
            return Ok(self.number(parameter, text, 0, 100, false)?.and_then(|percent| u8::try_from(percent).ok()));
        }
        Ok(given(text).filter(|text| text.len() <= 2).and_then(whole).and_then(|percent| u8::try_from(percent).ok()))
    }

    /// Reads a colour that is not transparent.
    pub(crate) fn colour(&self, parameter: &'static str, text: Option<&str>) -> Read<Option<Rgb>> {
        let Some(text) = given(text) else { return Ok(None) };
        self.or_refuse(colour::parse(text).flatten(), || ParameterError::unexpected(parameter, text, EXPECTED))
    }

    /// Reads the background, which may be transparent.
    pub(crate) fn background(&self) -> Read<Option<Paint>> {
        let Some(text) = given(self.given.bg) else { return Ok(None) };
        let expected = || format!("`t` (transparent), {EXPECTED}");
        self.or_refuse(colour::parse(text), || ParameterError::unexpected("bg", text, &expected()))
    }

    /// Reads the scheme, and returns it with the scheme of the stickers that `fc` leaves out: the letters in `sch`, if it has letters.
    pub(crate) fn scheme(&self, default: Scheme) -> Read<(Scheme, Scheme)> {
        let Some(text) = given(self.given.sch) else { return Ok((default, Scheme::VISUALCUBE)) };
        if let Some(scheme) = Scheme::of_letters(text) {
            return Ok((scheme, scheme));
        }
        let expected = format!("six letters of `ndlswyrogbmpt`, or six colours separated by commas, each {EXPECTED}");
        let scheme = self.or_refuse(Scheme::of_list(text), || ParameterError::unexpected("sch", text, &expected))?;
        Ok((scheme.unwrap_or(default), Scheme::VISUALCUBE))
    }

    pub(crate) fn rotations(&self) -> Read<Vec<Rotation>> {
        let Some(text) = given(self.given.r) else { return Ok(Rotation::DEFAULT.to_vec()) };
        let expected = "axes and degrees of one to three digits, such as `y45x-34`";
        let unexpected = || ParameterError::unexpected("r", text, expected);
        let mut rotations = Vec::new();
        let mut rest = text;
        while let Some(letter) = rest.chars().next() {
            rest = &rest[letter.len_utf8()..];
            let sign = usize::from(rest.starts_with('-'));
            let digits = rest[sign..].bytes().take(3).take_while(u8::is_ascii_digit).count();
            let axis = match letter {
                'x' => Some(Axis::Rl),
                'y' => Some(Axis::Ud),
                'z' => Some(Axis::Fb),
                _ => None,
            };
            let degrees = i32::from_str(&rest[..sign + digits]).ok();
            let rotation = axis.zip(degrees).filter(|_| digits > 0);
            if let Some((axis, degrees)) = self.or_refuse(rotation, unexpected)? {
                rotations.push(Rotation { axis, degrees: f64::from(degrees) });
                rest = &rest[sign + digits..];
            }
            if rotations.len() > MAX_ROTATIONS {
                let message = format!("has more than {MAX_ROTATIONS} rotations; write fewer");
                return Err(ParameterError::new("r", ParameterFault::Range, message));
            }
        }
        Ok(if rotations.is_empty() { Rotation::DEFAULT.to_vec() } else { rotations })
    }

    /// Reads moves.
    pub(crate) fn moves(&self, parameter: &'static str, text: Option<&str>, size: usize) -> Read<Vec<LayerMove>> {
        let Some(text) = given(text) else { return Ok(Vec::new()) };
        let moves = if self.is_strict() { moves::read(text, size) } else { moves::read_forgiving(text, size) };
        moves.map_err(|error| moves_error(parameter, &error))
    }

    /// Returns for each sticker of the solved cube whether `stage` shows it.
    pub(crate) fn mask(&self, size: usize) -> Read<Option<Vec<bool>>> {
        let Some(text) = given(self.given.stage) else { return Ok(None) };
        let (name, rotation) = text.rsplit_once('-').unwrap_or((text, ""));
        let stage = Stage::from_name(name);
        let names = || Stage::ALL.map(Stage::name).join(", ");
        let expected = || format!("one of {}, optionally followed by `-` and moves such as `x2`", names());
        let stage = self.or_refuse(stage, || ParameterError::unexpected("stage", text, &expected()))?;
        let fits = stage.filter(|stage| stage.is_for(size));
        let Some(stage) = fits else {
            if self.is_strict() {
                let message = format!(
                    "{name} does not exist for a cube of {size} layers: all stages are for `pzl=3`, and fl, ll and oll also for `pzl=2`"
                );
                return Err(ParameterError::new("stage", ParameterFault::Conflict, message));
            }
            return Ok(None);
        };
        let mut shown = stage.shown(size);
        moves::apply(&mut shown, &self.moves("stage", Some(rotation), size)?, size);
        Ok(Some(shown))
    }

    pub(crate) fn stickers(&self, size: usize) -> Read<Definition<'_>> {
        let (fc, fd) = (given(self.given.fc), given(self.given.fd));
        if self.is_strict() && fc.is_some() && fd.is_some() {
            let message = "and `fd` both define the stickers; give one of them";
            return Err(ParameterError::new("fc", ParameterFault::Conflict, message));
        }
        let most = 6 * size * size;
        let check = |parameter: &'static str, text: &str, is_known: fn(char) -> bool, letters: &str| {
            let count = text.chars().count();
            if self.is_strict() && count > most {
                let message = format!("has {count} letters; a cube of {size} layers has {most} stickers");
                return Err(ParameterError::new(parameter, ParameterFault::Range, message));
            }
            let expected = format!("letters of `{letters}`, one for each sticker");
            let is_readable = text.chars().all(is_known).then_some(());
            self.or_refuse(is_readable, || ParameterError::unexpected(parameter, text, &expected))
        };
        // A text in `fc` that cannot be read hides `fd` all the same.
        if let Some(fc) = fc {
            let is_readable = check("fc", fc, |c| colour::of_letter(c).is_some(), "ndlswyrobgmpt")?.is_some();
            return Ok(if is_readable { Definition::Colours(fc) } else { Definition::Solved });
        }
        let Some(fd) = fd else { return Ok(Definition::Solved) };
        let is_readable = check("fd", fd, |c| Sticker::of_letter(c).is_some(), "udlrfbnot")?.is_some();
        Ok(if is_readable { Definition::Faces(fd) } else { Definition::Solved })
    }

    pub(crate) fn arrows(&self, size: usize) -> Read<Vec<Arrow>> {
        let Some(text) = given(self.given.arw) else { return Ok(Vec::new()) };
        let expected = "arrows separated by commas, such as `U0U2` or `R6R2R0-s8-i5-yellow`: from, to, via, then length, bend and colour";
        let mut arrows = Vec::new();
        for part in text.split(',') {
            let arrow = Arrow::read(part, size, !self.is_strict());
            arrows.extend(self.or_refuse(arrow, || ParameterError::unexpected("arw", part, expected))?);
            if arrows.len() > MAX_ARROWS {
                let message = format!("has more than {MAX_ARROWS} arrows; draw fewer");
                return Err(ParameterError::new("arw", ParameterFault::Range, message));
            }
        }
        Ok(arrows)
    }

    /// Refuses parameters that contradict a cube.
    pub(crate) fn check_beside_cube(&self) -> Read<()> {
        let others = [("fd", self.given.fd), ("fc", self.given.fc), ("case", self.given.case)];
        if let Some((name, _)) = others.into_iter().find(|(_, text)| given(*text).is_some()) {
            let message = "and `cube` both define the stickers; give one of them";
            return Err(ParameterError::new(name, ParameterFault::Conflict, message));
        }
        if self.size()? != 3 {
            let message = "must be 3 with `cube`, which is a cube of 3 layers; remove `pzl`";
            return Err(ParameterError::new("pzl", ParameterFault::Conflict, message));
        }
        Ok(())
    }
}

/// Stickers with the scheme that colours them, and the sticker in place of those that a stage hides.
pub(crate) struct ColouredStickers {
    pub(crate) stickers: Vec<Sticker>,
    pub(crate) scheme: Scheme,
    pub(crate) hidden: Sticker,
}

impl Definition<'_> {
    /// Returns the stickers of a cube of `size` layers. `letters` is the scheme of stickers that `fc` leaves out.
    pub(crate) fn coloured(self, size: usize, view: View, scheme: Scheme, letters: Scheme) -> ColouredStickers {
        let blank = if view == View::Transparent { Sticker::TRANSPARENT } else { Sticker::Blank };
        let count = 6 * size * size;
        match self {
            Self::Solved => ColouredStickers { stickers: solved(size), scheme, hidden: blank },
            Self::Faces(fd) => {
                let given = fd.chars().map(|letter| Sticker::of_letter(letter).unwrap_or(blank));
                let stickers = given.chain(std::iter::repeat(blank)).take(count).collect();
                ColouredStickers { stickers, scheme, hidden: blank }
            }
            Self::Colours(fc) => {
                let painted = |letter| colour::of_letter(letter).unwrap_or_default();
                let given = fc.chars().map(painted).take(count);
                let rest = solved(size).into_iter().skip(given.clone().count());
                let stickers = given.map(Sticker::Painted).chain(rest).collect();
                // `VisualCube` masks coloured stickers in another grey.
                let hidden = if view == View::Transparent { blank } else { Sticker::Oriented };
                ColouredStickers { stickers, scheme: letters, hidden }
            }
        }
    }
}

/// Returns the text unless it is empty.
fn given(text: Option<&str>) -> Option<&str> {
    text.filter(|text| !text.is_empty())
}

fn moves_error(parameter: &'static str, error: &MoveError) -> ParameterError {
    ParameterError::new(parameter, ParameterFault::Moves(error.position), error.to_string())
}

/// Parses a number as PHP does: with white space around it, a sign, decimals and an exponent.
fn numeric(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    if is_plain { text.parse().ok() } else { None }
}

/// Parses decimal digits.
fn whole(text: &str) -> Option<u32> {
    let is_number = text.bytes().all(|digit| digit.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}
