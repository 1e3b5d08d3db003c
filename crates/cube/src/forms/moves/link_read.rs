//! Reads links to alg.cubing.net, alpha.twizzle.net and cubedb.net.
//!
//! | page | turns that prepare the cube | turns that the page plays | the setup is at the end if |
//! | --- | --- | --- | --- |
//! | alg.cubing.net | `setup` | `alg` | `type` is `alg` or `reconstruction-end-with-setup` |
//! | alpha.twizzle.net/edit and /explore | `setup-alg`, or the older `experimental-setup-alg` | `alg` | `setup-anchor` is `end` |
//! | cubedb.net | `scramble` | `alg` | never |
//!
//! The cube is what the page shows first: the setup applied to the solved cube, followed by the inverse of `alg` if the
//! setup is at the end. Sources: `alg.cubing.net.js` and `twisty.js` of cubing/alg.cubing.net; `url-params.ts` and
//! `AnchorTransformationProp.ts` of cubing/cubing.js. cubedb.net has no public source; its parameters and escapes are
//! those of programs that link to it.

use form_urlencoded::parse;

use super::link::{Link, Site, unescape};
use super::plain::without_comments;
use crate::forms::error::Fault;
use crate::forms::found::{Found, Parsed};
use crate::forms::holding::Holding;
use crate::input::notation::parse_held;
use crate::input::{InputError, shown};

const HOSTS: [(&str, Site); 4] = [
    ("alg.cubing.net", Site::AlgCubingNet),
    ("alpha.twizzle.net", Site::Twizzle),
    ("twizzle.net", Site::Twizzle),
    ("cubedb.net", Site::CubeDb),
];

/// Most characters of a value that a message quotes.
const QUOTED: usize = 40;

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

/// Reads a link.
pub(crate) fn read(text: &str) -> Parsed {
    let address = text.trim_start_matches('\u{feff}').trim();
    let start = text.chars().take_while(|c| c.is_whitespace() || *c == '\u{feff}').count();
    let bare = after(after(address, &["https://", "http://"]), &["www."]);
    let host_at = start + address.chars().count() - bare.chars().count();
    let host = bare.split(['/', '?', '#']).next().unwrap_or_default();
    let site =
        HOSTS.iter().find(|(known, _)| known.eq_ignore_ascii_case(host)).map(|(_, site)| *site).ok_or_else(|| {
            let message =
                "expected a link to alg.cubing.net, alpha.twizzle.net or cubedb.net; other pages are not supported";
            Fault::at(host_at, message)
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
        return Err(Fault::at(place("puzzle"), message));
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
        move |error: InputError| match error {
            InputError::Notation { position, message } => {
                Fault::at(at, format!("in the turns of `{key}`, at character {position}: {message}"))
            }
            impossible @ InputError::Impossible(_) => impossible.into(),
        }
    };
    // The turns that the page plays must be turns, even where they do not change the cube.
    parse_held(&without_comments(&alg)).map_err(fault("alg"))?;
    let turns = if setup_is_at_end {
        format!("{}\n({}\n)'", without_comments(&setup), without_comments(&alg))
    } else {
        without_comments(&setup)
    };
    let turns = if setup_is_at_end && is_blank(&alg) { without_comments(&setup) } else { turns };
    let (cube, centres) = parse_held(&turns).map_err(fault(setup_key))?;
    let link = Link { site, setup, alg, setup_is_at_end };
    Ok(Found { cube, holding: Holding::from_centres(centres), link: Some(link) })
}

fn quoted(text: &str) -> String {
    text.chars().take(QUOTED).map(shown).collect()
}

/// Returns whether the text has no turns.
fn is_blank(text: &str) -> bool {
    let text = without_comments(text);
    text.lines().all(|line| {
        let line = line.split("//").next().unwrap_or_default();
        line.chars().all(|c| c.is_whitespace() || c == '.')
    })
}
