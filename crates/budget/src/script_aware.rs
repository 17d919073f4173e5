//! A token estimate that depends on the kind of text.

use throughline_conversation::TokenCounter;

use crate::script_table::{FIRST, class, weight};

/// Estimates tokens from the kinds of neighbouring bytes: further letters are cheap, a change of kind starts a token,
/// runs of blanks cost next to nothing, and each script has its own price per character.
///
/// One pass without allocation. Fitted to OpenAI's encodings `cl100k_base` and `o200k_base` (their mean): the
/// figure for source code, prose and JSON is within about 5 % of it, for other scripts within about 20 %, where
/// the two encodings themselves differ by more. Low for long runs of random letters (base64: about 12 %) and of
/// one repeated letter. Tokenizers of other providers differ by a factor, which the meter learns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScriptAwareEstimator;

impl TokenCounter for ScriptAwareEstimator {
    fn text(&self, text: &str) -> u64 {
        if text.is_empty() {
            return 0;
        }
        let mut before = FIRST;
        let mut thousandths: u64 = 0;
        for byte in text.bytes() {
            let now = class(byte);
            thousandths += weight(before, now);
            before = now;
        }
        // To the nearest, so that many short texts are not all rounded the same way.
        ((thousandths + 500) / 1000).max(1)
    }
}
