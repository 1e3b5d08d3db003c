//! Suggestions for misspelt names.

/// Returns the candidate most similar to `name`, or `None` if none is similar.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Minimum Jaro-Winkler similarity. Below it, names have little in common.
    const MIN_SIMILARITY: f64 = 0.8;
    // Maximum length in bytes: twice that of any candidate. A longer name is not a typing error, so it is not compared.
    const MAX_LENGTH: usize = 64;
    if name.len() > MAX_LENGTH {
        return None;
    }
    let name = name.to_lowercase();
    let similar = candidates.into_iter().map(|candidate| (strsim::jaro_winkler(&name, candidate), candidate));
    let similar = similar.filter(|(similarity, _)| *similarity >= MIN_SIMILARITY);
    similar.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, candidate)| candidate)
}
