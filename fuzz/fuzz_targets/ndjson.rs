//! The body of a batch: however it is cut into chunks, it has the lines that a plain split finds, and each line is a request or a
//! problem.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::{Corpus, fuzz_target};
use superflip::operations::solve::batch::fuzzing::{lines, request};
use superflip::service::config::Config;
use superflip::service::config::load;

static CONFIG: LazyLock<Config> = LazyLock::new(|| load::load(None, [], &[]).expect("the defaults are valid"));

/// Maximum length of a line.
const LIMIT: usize = 256;

/// A line with its number; `None` if it is too long or not UTF-8.
type Numbered = (usize, Option<String>);

/// Splits the body in a simpler way.
fn split(body: &[u8]) -> Vec<Numbered> {
    let mut pieces: Vec<&[u8]> = body.split(|&byte| byte == b'\n').collect();
    if pieces.last().is_some_and(|last| last.is_empty()) {
        pieces.pop();
    }
    let numbered = pieces.into_iter().enumerate().map(|(index, piece)| {
        let piece = if piece.len() > LIMIT { None } else { Some(piece.strip_suffix(b"\r").unwrap_or(piece)) };
        let text = piece.and_then(|piece| std::str::from_utf8(piece).ok());
        (index + 1, text.map(|text| text.strip_prefix('\u{feff}').unwrap_or(text).to_owned()))
    });
    numbered.filter(|(_, text)| text.as_ref().is_none_or(|text| !text.trim().is_empty())).collect()
}

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Some((&step, body)) = bytes.split_first() else { return Corpus::Reject };
    let read = |chunks: Vec<Vec<u8>>| -> Vec<Numbered> {
        lines(chunks, LIMIT).into_iter().map(|(number, line)| (number, line.ok())).collect()
    };
    let whole = read(vec![body.to_vec()]);
    assert_eq!(whole, split(body));
    assert_eq!(whole, read(body.chunks(1 + usize::from(step)).map(<[u8]>::to_vec).collect()));
    for (number, text) in whole {
        if let Some(Err(problem)) = text.map(|text| request(number, &text, &CONFIG)) {
            let document = problem.document();
            assert!((400..500).contains(&document.status) && !document.detail.is_empty(), "{document:?}");
            assert!(document.line.is_none_or(|line| line == number), "{document:?}");
        }
    }
    Corpus::Keep
});
