//! The history of messages that leave the window: gathered from them and from the summaries among them.

use std::borrow::Cow;

use throughline_conversation::{ContentBlock, Entry, EntryKind, TokenCounter};
use throughline_ledger::{Ledger, section};

use crate::index::NameIndex;
use crate::notice::is_notice;
use crate::prose_parts::{IN_PART, ProseSummary};
use crate::stub::refs;
use crate::words::{fit, unquote};

/// Heading of the user's words in a summary.
pub(crate) const SAID: &str = "What the user said";

/// Separates the progress of one summary from that of the next.
const BETWEEN: &str = "\n\n";

/// The facts of a range of messages that its summary repeats.
#[derive(Debug, Default)]
pub(crate) struct RangeFacts<'t> {
    /// The user's own words, oldest first.
    pub(crate) words: Vec<String>,
    /// The progress of each summary, oldest first.
    pub(crate) progress: Vec<&'t str>,
    /// Files, commands and errors.
    pub(crate) ledger: Ledger,
    /// Names.
    pub(crate) names: NameIndex<'t>,
    /// Where the full text of earlier ranges is, oldest first.
    pub(crate) earlier: Vec<&'t str>,
}

impl<'t> RangeFacts<'t> {
    /// Gathers it, in order.
    pub(crate) fn gather(entries: &'t [Entry]) -> Self {
        let mut history = Self { ledger: Ledger::of(entries), ..Self::default() };
        for entry in entries {
            history.names.next_message();
            match entry.kind {
                EntryKind::Summary => entry.own_texts().for_each(|text| history.merge(text)),
                EntryKind::User => history.words.push(user_words(entry)),
                EntryKind::Assistant | EntryKind::Results | EntryKind::Notice => history.add_names(entry),
            }
        }
        // Requests before an earlier summary are known from that summary's quotes.
        history.ledger.requests.clear();
        history.ledger.named.clear();
        history.words.iter().for_each(|text| history.ledger.request(text));
        history
    }

    /// Copies the parts of an earlier summary. A summary in another form counts as progress.
    fn merge(&mut self, summary: &'t str) {
        let ProseSummary { prose, words, request } = ProseSummary::parse(summary);
        if let Some(request) = request {
            self.words.extend(words);
            self.words.push(request.to_owned());
            self.progress.extend(Some(prose).filter(|prose| *prose != IN_PART && !prose.trim().is_empty()));
            self.earlier.extend(refs(summary));
            return;
        }
        let part = |name| section(summary, name).unwrap_or_default();
        self.words.extend(unquote(part(SAID)));
        self.progress.extend(progress_of(summary));
        self.names.merge(part("Names"));
        self.earlier.extend(refs(section(summary, "Reading back").unwrap_or(summary)));
    }

    /// The progress of all earlier summaries.
    pub(crate) fn previous(&self) -> Option<String> {
        (!self.progress.is_empty()).then(|| self.progress.join(BETWEEN))
    }

    /// The same within this many tokens. The newest is complete; the tokens that it leaves are for those before it, of
    /// which the older are cut first.
    pub(crate) fn previous_within(&self, tokens: u64, counter: &dyn TokenCounter) -> String {
        let mut newest_first = self.progress.iter().rev();
        let mut progress = newest_first.next().map(|text| (*text).to_owned()).unwrap_or_default();
        for older in newest_first {
            let behind = format!("{BETWEEN}{progress}");
            let older = fit(older, tokens.saturating_sub(counter.text(&behind)), counter);
            if older.is_empty() {
                break;
            }
            progress = older + &behind;
        }
        progress
    }

    fn add_names(&mut self, entry: &'t Entry) {
        for block in &entry.message.content {
            match block {
                ContentBlock::Text { text } => self.names.add(text),
                ContentBlock::ToolCall(call) => strings(&call.input).for_each(|text| self.names.add(text)),
                ContentBlock::ToolResult(result) => self.names.add(&result.content),
                ContentBlock::Thinking(_) | ContentBlock::Image(_) => {}
            }
        }
    }
}

/// The progress of an earlier summary; of a summary in another form, all of it.
pub(crate) fn progress_of(summary: &str) -> Option<&str> {
    let progress = section(summary, "Progress").or_else(|| (!has_sections(summary)).then_some(summary));
    progress.filter(|text| !text.trim().is_empty())
}

/// Returns true if a summary has the sections of the rolling summary, or is a notice.
pub(crate) fn has_sections(summary: &str) -> bool {
    section(summary, "Reading back").is_some() || is_notice(summary)
}

fn user_words(entry: &Entry) -> String {
    let images = entry.message.content.iter().filter(|block| matches!(block, ContentBlock::Image(_))).count();
    let text: Cow<'_, str> = entry.message.text().into();
    if images == 0 { text.into_owned() } else { format!("{text}\n[{images} image(s)]") }
}

/// All strings inside a JSON value, in order.
pub(crate) fn strings(value: &serde_json::Value) -> Box<dyn Iterator<Item = &str> + '_> {
    match value {
        serde_json::Value::String(text) => Box::new(std::iter::once(text.as_str())),
        serde_json::Value::Array(values) => Box::new(values.iter().flat_map(strings)),
        serde_json::Value::Object(map) => Box::new(map.values().flat_map(strings)),
        _ => Box::new(std::iter::empty()),
    }
}

#[cfg(test)]
mod tests;
