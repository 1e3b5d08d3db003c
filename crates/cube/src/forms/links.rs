//! Reads and writes links to alg.cubing.net, alpha.twizzle.net and cubedb.net.
//!
//! | page | moves that prepare the cube | moves that the page plays | the setup is at the end if |
//! | --- | --- | --- | --- |
//! | alg.cubing.net | `setup` | `alg` | `type` is `alg` or `reconstruction-end-with-setup` |
//! | alpha.twizzle.net/edit and /explore | `setup-alg`, or the older `experimental-setup-alg` | `alg` | `setup-anchor` is `end` |
//! | cubedb.net | `scramble` | `alg` | never |
//!
//! The cube is what the page shows first: the setup applied to the solved cube, followed by the inverse of `alg` if the
//! setup is at the end. Sources: `alg.cubing.net.js` and `twisty.js` of cubing/alg.cubing.net; `url-params.ts` and
//! `AnchorTransformationProp.ts` of cubing/cubing.js. cubedb.net has no public source; its parameters and escapes are
//! read off the addresses of programs that link to it.

use form_urlencoded::{byte_serialize, parse};

use super::codec::{Codec, Recognised};
use super::error::{FormError, shown};
use crate::cubie::Cube;
use crate::holding::Holding;
use crate::notation::{parse_held, without_comments};

/// A page that shows a cube and turns it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Site {
    /// <https://alg.cubing.net>
    AlgCubingNet,
    /// <https://alpha.twizzle.net>
    Twizzle,
    /// <https://cubedb.net>
    CubeDb,
}

/// What a link contains.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Link {
    /// The page.
    pub site: Site,
    /// Moves that prepare the cube; may be empty.
    pub setup: String,
    /// Moves that the page plays; may be empty.
    pub alg: String,
    /// Whether the setup describes the cube after `alg`. The cube of the link is then the setup followed by the inverse of
    /// `alg`.
    pub setup_is_at_end: bool,
}

/// Links to pages that show a scramble and its solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Links {
    /// Link to alg.cubing.net.
    pub alg_cubing_net: String,
    /// Link to alpha.twizzle.net.
    pub twizzle: String,
    /// Link to cubedb.net.
    pub cubedb: String,
}

impl Links {
    /// Writes the links. The texts are written as they are; moves in them should be in WCA notation.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::forms::Links;
    ///
    /// let links = Links::of("R U F", Some("F' U' R'"));
    /// assert_eq!(links.alg_cubing_net, "https://alg.cubing.net/?setup=R_U_F&alg=F-_U-_R-");
    /// assert_eq!(links.twizzle, "https://alpha.twizzle.net/edit/?setup-alg=R+U+F&alg=F%27+U%27+R%27");
    /// ```
    pub fn of(scramble: &str, solution: Option<&str>) -> Self {
        let query = |setup: &str, escape: fn(&str) -> String| {
            let given = [(setup, Some(scramble)), ("alg", solution)];
            let pairs = given.into_iter().filter_map(|(key, text)| Some(format!("{key}={}", escape(text?))));
            pairs.collect::<Vec<_>>().join("&")
        };
        Self {
            alg_cubing_net: format!("https://alg.cubing.net/?{}", query("setup", escape)),
            twizzle: format!("https://alpha.twizzle.net/edit/?{}", query("setup-alg", encode)),
            cubedb: format!("https://cubedb.net/?puzzle=3&{}", query("scramble", escape)),
        }
    }
}

fn encode(text: &str) -> String {
    byte_serialize(text.as_bytes()).collect()
}

/// Escapes as alg.cubing.net does: a space is `_`, an apostrophe `-`; `_`, `+` and `-` themselves are character
/// references.
fn escape(text: &str) -> String {
    let text = text.replace('_', "&#95;").replace(' ', "_").replace('+', "&#2b;");
    encode(&text.replace('-', "&#45;").replace('\'', "-"))
}

/// Undoes the escapes of alg.cubing.net. A plus sign is a space, because many programs encode spaces so.
fn unescape(text: &str) -> String {
    let text = text.replace('-', "'").replace("&#45;", "-").replace('+', " ").replace("&#2b;", "+");
    text.replace('_', " ").replace("&#95;", "_")
}

const HOSTS: [(&str, Site); 4] = [
    ("alg.cubing.net", Site::AlgCubingNet),
    ("alpha.twizzle.net", Site::Twizzle),
    ("twizzle.net", Site::Twizzle),
    ("cubedb.net", Site::CubeDb),
];

/// Most characters of a value that a message quotes.
const QUOTED: usize = 40;

/// The form.
pub(crate) const CODEC: Codec = Codec {
    name: "link",
    title: "a link",
    recognised: Recognised::Certainly(is_alike),
    alphabet: "",
    read: |text, _| read(text).map(|(cube, holding, _)| (cube, holding)),
    write: None,
};

/// Returns whether the text looks like an address.
pub(crate) fn is_alike(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim();
    // A scramble may have a comment that contains an address.
    let has_scheme =
        text.split_once("://").is_some_and(|(scheme, _)| scheme.chars().all(|c| c.is_ascii_alphanumeric()));
    let bare = after(text, &["www."]);
    has_scheme || HOSTS.iter().any(|(host, _)| after(bare, &[host]).len() < bare.len())
}

/// Returns the text behind the first of the prefixes that it has, in upper or lower case, or the whole text.
fn after<'a>(text: &'a str, prefixes: &[&str]) -> &'a str {
    let behind = |prefix: &&str| {
        let (start, rest) = text.split_at_checked(prefix.len())?;
        start.eq_ignore_ascii_case(prefix).then_some(rest)
    };
    prefixes.iter().find_map(behind).unwrap_or(text)
}

/// Reads a link, with its parts.
pub(crate) fn read(text: &str) -> Result<(Cube, Option<Holding>, Link), FormError> {
    let address = text.trim_start_matches('\u{feff}').trim();
    let start = text.chars().take_while(|c| c.is_whitespace() || *c == '\u{feff}').count();
    let bare = after(after(address, &["https://", "http://"]), &["www."]);
    let host_at = start + address.chars().count() - bare.chars().count();
    let host = bare.split(['/', '?', '#']).next().unwrap_or_default();
    let site =
        HOSTS.iter().find(|(known, _)| known.eq_ignore_ascii_case(host)).map(|(_, site)| *site).ok_or_else(|| {
            let message =
                "expected a link to alg.cubing.net, alpha.twizzle.net or cubedb.net; other pages are not supported";
            FormError::at(host_at, message)
        })?;
    let query = bare.split_once('?').map_or("", |(_, query)| query.split('#').next().unwrap_or_default());
    let place = |key: &str| {
        let keyed = |at: usize| bare[..at].ends_with(['?', '&']) && bare[at + key.len()..].starts_with('=');
        let at = bare.match_indices(key).map(|(at, _)| at).find(|at| keyed(*at));
        at.map_or(host_at, |at| host_at + bare[..at].chars().count())
    };
    let value = |key: &str| parse(query.as_bytes()).find(|(name, _)| name == key).map(|(_, value)| value.into_owned());
    let puzzles: &[&str] = &["", "3", "3x3", "3x3x3"];
    if let Some(other) = value("puzzle").filter(|puzzle| !puzzles.contains(&puzzle.as_str())) {
        let message = format!("`puzzle` is `{}`, expected the 3x3x3 cube", quoted(&other));
        return Err(FormError::at(place("puzzle"), message));
    }
    let (setup_keys, escapes): (&[&'static str], fn(&str) -> String) = match site {
        Site::AlgCubingNet => (&["setup"], unescape),
        Site::Twizzle => (&["setup-alg", "experimental-setup-alg"], str::to_owned),
        Site::CubeDb => (&["scramble", "setup"], unescape),
    };
    let setup_key = setup_keys.iter().copied().find(|key| value(key).is_some()).unwrap_or(setup_keys[0]);
    let [setup, alg] = [setup_key, "alg"].map(|key| value(key).map_or_else(String::new, |text| escapes(&text)));
    let anchor = value("setup-anchor").or_else(|| value("experimental-setup-anchor"));
    let kind = value("type");
    let setup_is_at_end = match site {
        Site::AlgCubingNet => matches!(kind.as_deref(), Some("alg" | "reconstruction-end-with-setup")),
        Site::Twizzle => anchor.as_deref() == Some("end"),
        Site::CubeDb => false,
    };
    let fault = |key: &'static str| {
        let at = place(key);
        move |error: FormError| match error {
            FormError::Unreadable { position, message, .. } => {
                FormError::at(at, format!("in the moves of `{key}`, at character {}: {message}", position + 1))
            }
            other => other,
        }
    };
    // The moves that the page plays must be moves, even where they do not change the cube.
    parse_held(&without_comments(&alg)).map_err(fault("alg"))?;
    let moves = if setup_is_at_end {
        format!("{}\n({}\n)'", without_comments(&setup), without_comments(&alg))
    } else {
        without_comments(&setup)
    };
    let moves = if setup_is_at_end && is_blank(&alg) { without_comments(&setup) } else { moves };
    let (cube, holding) = parse_held(&moves).map_err(fault(setup_key))?;
    let link = Link { site, setup, alg, setup_is_at_end };
    Ok((cube, Some(holding), link))
}

fn quoted(text: &str) -> String {
    text.chars().take(QUOTED).map(shown).collect()
}

/// Returns whether the text has no moves.
fn is_blank(text: &str) -> bool {
    let text = without_comments(text);
    text.lines().all(|line| {
        let line = line.split("//").next().unwrap_or_default();
        line.chars().all(|c| c.is_whitespace() || c == '.')
    })
}
