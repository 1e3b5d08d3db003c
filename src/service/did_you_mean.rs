//! The known name that an unknown one most likely stands for.

/// The candidate most like `name`, or `None` when none is like it.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Below this similarity the two words have little more than their length in common.
    const ALIKE: f64 = 0.8;
    // Twice as long as any name here: no slip, and not worth comparing with each of them.
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return None;
    }
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&name.to_lowercase(), candidate), candidate))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_recognised_and_nonsense_is_not() {
        let known = ["facelets", "scramble", "time_limit_ms"];
        assert_eq!(nearest("facelet", known), Some("facelets"));
        assert_eq!(nearest("Scrambel", known), Some("scramble"));
        assert_eq!(nearest("time_limit", known), Some("time_limit_ms"));
        assert_eq!(nearest("zzz", known), None);
        assert_eq!(nearest(&"facelets".repeat(100), ["facelets".repeat(100).as_str()]), None);
    }
}
