//! The parts of a summary of free prose: prose, the user's words, and the last request.

use crate::words::unquote;

pub(crate) const WORDS: &str = "\n\n## What the user said\n";
pub(crate) const FULL: &str = "\n\n[Full text of these messages: ";
pub(crate) const FULL_END: &str = " (use \"read_result\").]";
pub(crate) const COUNT: &str = "[Summary of ";
pub(crate) const COUNT_END: &str = " earlier messages]\n";
/// Introduces the user's last request where it does not stay a message of its own.
pub(crate) const LAST_REQUEST: &str = "\n\nLast request from user was: ";

/// What a request that is shown in part is introduced by.
pub(crate) const IN_PART: &str = "The user's last message is shown in part.";

/// A summary of free prose, read from its text.
#[derive(Debug, PartialEq, Eq)]
pub struct ProseSummary<'t> {
    /// Its prose; the whole text when it has another form.
    pub prose: &'t str,
    /// The user's words that it quotes.
    pub words: Vec<String>,
    /// The user's last request, where the summary ends with it.
    pub request: Option<&'t str>,
}

impl<'t> ProseSummary<'t> {
    /// Reads the text of a summary. Any text is one.
    #[must_use]
    pub fn parse(text: &'t str) -> Self {
        let quoted = |text: &str| text.split_once(WORDS).map_or_else(Vec::new, |(_, said)| unquote(said));
        let Some((said, rest)) = text.split_once(FULL) else {
            return Self { prose: text, words: quoted(text), request: None };
        };
        let prose = said.split_once(WORDS).map_or(said, |(prose, _)| prose);
        let behind = rest.split_once(FULL_END).map_or("", |(_, behind)| behind);
        Self { prose, words: quoted(said), request: behind.strip_prefix(LAST_REQUEST) }
    }
}
