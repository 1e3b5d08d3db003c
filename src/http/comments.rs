//! Leaves comments out of scripts and style sheets.

/// Returns a script or a style sheet without its comments and its indentation, which are a third of what a browser would load.
///
/// It reads the forms that the sources in `web/` have: comments that begin a line, and casts `/** ... */` within a line. A test checks
/// that no string of them looks like one.
pub(crate) fn without_comments(source: &str) -> String {
    let mut result = String::with_capacity(source.len());
    let mut in_comment = false;
    for line in source.lines() {
        let begin = result.len();
        let mut rest = line.trim();
        while !rest.is_empty() {
            if in_comment {
                let (_, after) = rest.split_once("*/").unwrap_or(("", ""));
                in_comment = !rest.contains("*/");
                rest = after.trim_start();
            } else if rest.starts_with("//") {
                rest = "";
            } else if let Some(comment) = rest.strip_prefix("/*") {
                (in_comment, rest) = (true, comment);
            } else {
                let (code, comment) = rest.split_once("/**").unwrap_or((rest, ""));
                result.push_str(code);
                (in_comment, rest) = (code.len() < rest.len(), comment);
            }
        }
        if result.len() > begin {
            result.push('\n');
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::without_comments;

    #[test]
    fn code_stays_and_comments_go() {
        let source = "// one\n/** two\n * three */ let a = /** @type {X} */ (b); /* kept */\n\n  if (a) /** four\n five */ c(\"http://x/*\");\n";
        assert_eq!(without_comments(source), "let a = (b); /* kept */\nif (a) \nc(\"http://x/*\");\n");
        assert_eq!(without_comments("/* a */ b { /* c */ }\n"), "b { /* c */ }\n");
        assert_eq!(without_comments("const d = /\\/*/; // e\n"), "const d = /\\/*/; // e\n");
    }
}
