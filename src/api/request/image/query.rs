//! Queries of pictures: strict ones, and those of `VisualCube`.

use crate::api::problem::{Code, Problem};
use crate::api::request::read::{parse_query, short};
use crate::api::types::ImageQuery;

/// Format of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImageFormat {
    /// SVG.
    Svg,
    /// PNG.
    Png,
}

impl ImageFormat {
    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }

    /// Returns the media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Png => "image/png",
        }
    }

    /// Reads `fmt` of a query of `VisualCube`.
    ///
    /// # Errors
    /// Returns an error that names the supported formats.
    pub fn read(name: &str) -> Result<Self, Problem> {
        [Self::Svg, Self::Png].into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let detail = format!("`fmt` is `{}`; this server draws `svg` and `png`.", short(name));
            Problem::new(Code::UnsupportedMediaType, detail).in_field("fmt")
        })
    }

    /// Checks that `fmt`, if given, is the format of the path.
    ///
    /// # Errors
    /// Returns an error if it is another one.
    pub fn check(self, fmt: Option<&str>) -> Result<(), Problem> {
        let Some(other) = fmt.filter(|fmt| !fmt.is_empty() && *fmt != self.name()) else { return Ok(()) };
        let detail = format!(
            "`fmt` is `{}`, but the path asks for `{}`; remove `fmt`, or use `/image.svg` or `/image.png`.",
            short(other),
            self.name()
        );
        Err(Problem::new(Code::OptionOutOfRange, detail).in_field("fmt"))
    }
}

/// Reads a query as `VisualCube` does: the last of several equal names counts, and unknown names are ignored.
///
/// # Errors
/// Returns an error for a parameter of the cube that cannot be read.
pub fn of_visualcube(parameters: &[(String, String)]) -> Result<ImageQuery, Problem> {
    let last = |name: &&str| parameters.iter().rev().find(|(known, _)| known == name).cloned();
    let known: Vec<(String, String)> = ImageQuery::NAMES.iter().filter_map(last).collect();
    parse_query(&known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_duplicate_counts_and_unknown_names_are_ignored() {
        let pairs = [("co", "30"), ("nocache", "1"), ("co", "12"), ("fmt", "svg")];
        let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let query = of_visualcube(&pairs).unwrap();
        assert_eq!((query.co.as_deref(), query.fmt.as_deref()), (Some("12"), Some("svg")));
    }

    /// Each name is a field: a query that has it alone can be read.
    #[test]
    fn every_name_is_a_parameter() {
        for name in ImageQuery::NAMES {
            let value = match name {
                "face_rotations" | "face_order" => "known",
                "format" => "facelets",
                _ => "x",
            };
            let pairs = [(name.to_owned(), value.to_owned())];
            assert!(parse_query::<ImageQuery>(&pairs).is_ok(), "{name}");
        }
    }
}
