//! Links to pages that show a cube: the type, and writing.

use form_urlencoded::byte_serialize;

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
    /// Turns that prepare the cube; may be empty.
    pub setup: String,
    /// Turns that the page plays; may be empty.
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
    /// Writes the links. The texts are written as they are; turns in them should be in WCA notation.
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
pub(crate) fn unescape(text: &str) -> String {
    let text = text.replace('-', "'").replace("&#45;", "-").replace('+', " ").replace("&#2b;", "+");
    text.replace('_', " ").replace("&#95;", "_")
}
