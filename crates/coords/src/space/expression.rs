//! Expressions for composed coordinates: `comp(twist,flip)`, `sym(flip_slice,UD16)`,
//! `symcomp(sym(corner_perm,UD16),twist)`.
//!
//! ```text
//! expression = name
//!            | "comp(" expression { "," expression } ")"           digits, the first the least significant
//!            | "sym(" expression "," group ")"                     classes under a group of symmetries
//!            | "symcomp(" sym { "," expression } ")"               a sym, and others seen through the same symmetry
//! ```
//!
//! If the first argument of `symcomp(...)` is a named coordinate, it stands for its classes under its group in the
//! catalogue: `symcomp(flip_slice,twist)` is `symcomp(sym(flip_slice,UD16),twist)`.
//!
//! `comp`, `sym` and `symcomp` are Nissy's. [`plan`] parses an expression into a [`Plan`]. The *first part* of a plan
//! is the coordinate that a group reduces to classes, or the whole coordinate if there is no group. The *second part*
//! is the other coordinates of `symcomp(...)`.

use super::catalogue;
use super::catalogue::Entry;
use super::reduction::group;
use super::reduction::group::{GROUPS, Group};
use superflip_cube::Move;
use superflip_solver::coord::index_cube::INDEX_CUBE;
use superflip_solver::coord::{Descriptor, Validity};

/// Greatest length of an expression in bytes.
pub const MAX_BYTES: usize = 200;
/// Greatest number of raw coordinates in an expression.
pub const MAX_PARTS: usize = 6;
const MAX_DEPTH: usize = 8;

/// Why an expression is rejected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExpressionError {
    /// No coordinate or group has this name.
    #[error("no {what} is called `{name}`")]
    Unknown {
        /// `coordinate` or `group`.
        what: &'static str,
        /// The unknown name.
        name: String,
    },
    /// The text is not an expression.
    #[error("at character {}: {message}", .position + 1)]
    Syntax {
        /// Position in characters, counted from 0. The message counts from 1.
        position: usize,
        /// Expected and found text.
        message: String,
    },
    /// The expression is well-formed but meaningless.
    #[error("{0}")]
    Senseless(String),
}

/// A parsed expression: the raw coordinates of both parts, and the group that reduces the first part.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Canonical text: without white space, groups in capitals, aliases resolved.
    pub label: String,
    /// Catalogue entry, if the coordinate is a named one.
    pub entry: Option<&'static Entry>,
    /// Raw coordinates of the first part, the least significant first.
    pub base: Vec<&'static Descriptor>,
    /// Group that reduces the first part.
    pub group: Option<&'static Group>,
    /// Whether a value includes the symmetry: `order * class + symmetry`.
    pub packed: bool,
    /// Raw coordinates of the second part, conjugated by the symmetry that maps the first part to its representative.
    pub rest: Vec<&'static Descriptor>,
}

fn product(parts: &[&'static Descriptor]) -> u64 {
    parts.iter().map(|part| u64::from(part.size)).fold(1, u64::saturating_mul)
}

impl Plan {
    /// Returns whether the expression contains a coordinate of `IndexCube`.
    pub fn is_of_index_cube(&self) -> bool {
        self.base.iter().chain(&self.rest).any(|part| INDEX_CUBE.contains(part))
    }

    /// Returns the number of values of the first part before reduction.
    pub fn base_size(&self) -> u64 {
        product(&self.base)
    }

    /// Returns the number of values of the second part; 1 if there is none.
    pub fn rest_size(&self) -> u64 {
        product(&self.rest)
    }

    /// Returns the moves after which the coordinate has a value: all 18, or the ten of phase 2.
    pub fn moves(&self) -> &'static [Move] {
        let in_phase_two = self.base.iter().chain(&self.rest).any(|part| part.validity == Validity::PhaseTwo);
        if in_phase_two { &Move::PHASE_TWO } else { &Move::ALL }
    }
}

/// Parses an expression.
///
/// # Examples
/// ```
/// use superflip_coords::space::expression::plan;
///
/// let plan = plan("comp( twist , flip )")?;
/// assert_eq!(plan.label, "comp(twist,flip)");
/// assert_eq!(plan.base_size(), 2187 * 2048);
/// # Ok::<(), superflip_coords::space::expression::ExpressionError>(())
/// ```
///
/// # Errors
/// When the text cannot be parsed, contains an unknown name, or is meaningless.
pub fn plan(text: &str) -> Result<Plan, ExpressionError> {
    if text.len() > MAX_BYTES {
        let message = format!("the expression has {} bytes; the limit is {MAX_BYTES}", text.len());
        return Err(ExpressionError::Senseless(message));
    }
    let mut parser = ExpressionParser { text, at: 0 };
    let plan = parser.expression(0)?;
    parser.skip_space();
    if parser.at < text.len() {
        return Err(parser.expected("the end"));
    }
    if plan.base.len() + plan.rest.len() > MAX_PARTS {
        let parts = plan.base.len() + plan.rest.len();
        return Err(ExpressionError::Senseless(format!("it has {parts} parts; the limit is {MAX_PARTS}")));
    }
    Ok(plan)
}

struct ExpressionParser<'a> {
    text: &'a str,
    at: usize,
}

impl ExpressionParser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn expected(&self, what: &str) -> ExpressionError {
        let found = self.rest().chars().next().map_or("the end".into(), |c| format!("`{c}`"));
        let position = self.text[..self.at].chars().count();
        ExpressionError::Syntax { position, message: format!("expected {what}, found {found}") }
    }

    fn take(&mut self, wanted: char) -> bool {
        self.skip_space();
        let there = self.rest().starts_with(wanted);
        if there {
            self.at += wanted.len_utf8();
        }
        there
    }

    fn word(&mut self, what: &str) -> Result<String, ExpressionError> {
        self.skip_space();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.' || c == '-';
        let word: String = self.rest().chars().take_while(|&c| is_part(c)).collect();
        if word.is_empty() {
            return Err(self.expected(what));
        }
        self.at += word.len();
        Ok(word)
    }

    fn expression(&mut self, depth: usize) -> Result<Plan, ExpressionError> {
        if depth > MAX_DEPTH {
            return Err(ExpressionError::Senseless(format!("it nests deeper than {MAX_DEPTH} levels")));
        }
        let word = self.word("the name of a coordinate, or comp, sym or symcomp")?;
        if !self.take('(') {
            let entry = catalogue::find(&word);
            return entry.map(named).ok_or(ExpressionError::Unknown { what: "coordinate", name: word });
        }
        match word.to_ascii_lowercase().as_str() {
            "comp" => {
                let parts = self.parts(depth)?;
                self.close()?;
                comp(parts)
            }
            "sym" => {
                let base = self.expression(depth + 1)?;
                if !self.take(',') {
                    return Err(self.expected("a comma and the group, such as UD16"));
                }
                let name = self.word("the name of a group, such as UD16")?;
                let group = group::named(&name).ok_or(ExpressionError::Unknown { what: "group", name })?;
                self.close()?;
                sym(&base, group)
            }
            "symcomp" => {
                let first = self.expression(depth + 1)?;
                if !self.take(',') {
                    return Err(self.expected("a comma and a second coordinate"));
                }
                let rest = self.parts(depth)?;
                self.close()?;
                symcomp(first, rest)
            }
            _ => Err(ExpressionError::Unknown { what: "construction", name: word }),
        }
    }

    fn parts(&mut self, depth: usize) -> Result<Vec<Plan>, ExpressionError> {
        let mut parts = vec![self.expression(depth + 1)?];
        while self.take(',') {
            parts.push(self.expression(depth + 1)?);
        }
        Ok(parts)
    }

    fn close(&mut self) -> Result<(), ExpressionError> {
        if self.take(')') { Ok(()) } else { Err(self.expected("`)`")) }
    }
}

/// Returns the plan of a named coordinate.
pub fn named(entry: &'static Entry) -> Plan {
    Plan {
        label: entry.name.to_owned(),
        entry: Some(entry),
        base: entry.parts(),
        group: if entry.is_sym() { group::named(entry.group) } else { None },
        packed: entry.is_sym(),
        rest: Vec::new(),
    }
}

/// Returns the raw coordinates of a part that tables can hold.
fn raw(part: &Plan, construction: &str) -> Result<Vec<&'static Descriptor>, ExpressionError> {
    if part.group.is_some() {
        let hint = match construction {
            "sym" => "it already consists of classes",
            _ => "a coordinate of classes can only come first in symcomp(...)",
        };
        let message = format!("`{}` cannot be used in {construction}(...): {hint}", part.label);
        return Err(ExpressionError::Senseless(message));
    }
    if part.entry.is_some_and(Entry::is_untabled) {
        let message = format!("`{}` has {} values, too many to compose it with others", part.label, part.base_size());
        return Err(ExpressionError::Senseless(message));
    }
    Ok(part.base.clone())
}

fn labels(parts: &[Plan]) -> String {
    parts.iter().map(|part| part.label.as_str()).collect::<Vec<_>>().join(",")
}

fn comp(parts: Vec<Plan>) -> Result<Plan, ExpressionError> {
    let label = format!("comp({})", labels(&parts));
    let mut base = Vec::new();
    for part in parts {
        base.extend(raw(&part, "comp")?);
    }
    Ok(Plan { label, entry: None, base, group: None, packed: false, rest: Vec::new() })
}

fn sym(part: &Plan, group: &'static Group) -> Result<Plan, ExpressionError> {
    let base = raw(part, "sym")?;
    let label = format!("sym({},{})", part.label, group.name);
    Ok(Plan { label, entry: None, base, group: Some(group), packed: false, rest: Vec::new() })
}

fn symcomp(first: Plan, rest: Vec<Plan>) -> Result<Plan, ExpressionError> {
    let own_group = first.entry.filter(|_| first.group.is_none()).and_then(|entry| group::named(entry.group));
    let first = match own_group {
        Some(group) => sym(&first, group)?,
        None => first,
    };
    let label = format!("symcomp({},{})", first.label, labels(&rest));
    if first.group.is_none() || !first.rest.is_empty() {
        let (name, groups) = (&first.label, GROUPS.iter().map(|group| group.name).collect::<Vec<_>>().join(", "));
        return Err(ExpressionError::Senseless(format!(
            "the first part of symcomp(...) must be classes: write sym({name},UD16), or another group of {groups}"
        )));
    }
    let mut parts = Vec::new();
    for part in rest {
        parts.extend(raw(&part, "symcomp")?);
    }
    Ok(Plan { label, entry: None, base: first.base, group: first.group, packed: false, rest: parts })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_has_one_label() {
        let label = |text| plan(text).map(|plan| plan.label);
        assert_eq!(label(" COMP( twist , EdgeOriCoord )"), Ok("comp(twist,flip)".into()));
        assert_eq!(label("symcomp(sym(flip_slice,ud16),twist)"), Ok("symcomp(sym(flip_slice,UD16),twist)".into()));
        assert_eq!(label("symcomp(corner_class,twist)"), Ok("symcomp(corner_class,twist)".into()));
        // A named coordinate comes first with its own group.
        assert_eq!(label("symcomp(flip_slice,twist)"), Ok("symcomp(sym(flip_slice,UD16),twist)".into()));
        assert_eq!(label("symcomp(eofbepos,coud)"), Ok("symcomp(sym(flip_slice,UD16),twist)".into()));
        assert_eq!(label("symcomp(flip,twist)"), Ok("symcomp(sym(flip,FB16),twist)".into()));
        let plan = plan("comp(flip_slice,twist)").unwrap();
        assert_eq!(plan.base.iter().map(|part| part.name).collect::<Vec<_>>(), ["flip", "slice", "twist"]);
        assert_eq!(plan.base_size(), 2_217_093_120);
    }

    #[test]
    fn syntax_errors_carry_their_position() {
        let error = |text: &str| plan(text).unwrap_err().to_string();
        assert_eq!(error("comp(twist"), "at character 11: expected `)`, found the end");
        assert_eq!(
            error("comp(twist,)"),
            "at character 12: expected the name of a coordinate, or comp, sym or symcomp, found `)`"
        );
        assert_eq!(error("twist)"), "at character 6: expected the end, found `)`");
        assert_eq!(error("twits"), "no coordinate is called `twits`");
        assert_eq!(error("sym(twist,UD17)"), "no group is called `UD17`");
        assert!(error("symcomp(comp(twist,slice),flip)").contains("write sym(comp(twist,slice),UD16)"));
        assert!(error("comp(corner_class,flip)").contains("only come first in symcomp"));
        assert!(error("comp(edge_perm,flip)").contains("479001600"));
        assert!(error(&"comp(".repeat(20)).contains("nests deeper"));
        assert!(error(&"x".repeat(1000)).contains("1000 bytes"));
        assert!(error("comp(twist,twist,twist,twist,twist,twist,twist)").contains("7 parts"));
    }
}
