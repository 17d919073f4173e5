//! A placeholder for the system prompt and the tool schemas that recordings lack.

use throughline_conversation::TokenCounter;

/// One line of it. Plain prose, so that counters treat it like a system prompt.
const LINE: &str = "Keep to the conventions of the project, and say in a few words what was done and why.";

/// Returns a text of at most this many tokens by the counter, and few less. Empty for 0.
///
/// Deterministic: the text is the beginning of every prefix.
pub(crate) fn filler(tokens: u64, counter: &dyn TokenCounter) -> String {
    let lines = |count: u64| -> String { (1..=count).map(|number| format!("{number}. {LINE}\n")).collect() };
    // Counts grow with the text: doubling finds a number of lines that is too large, halving the largest that fits.
    let mut high = 1;
    while high < tokens && counter.text(&lines(high)) <= tokens {
        high *= 2;
    }
    let (mut low, mut high) = (0, high.min(tokens));
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if counter.text(&lines(middle)) <= tokens {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    lines(low)
}

#[cfg(test)]
mod tests;
