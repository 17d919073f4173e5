//! What messages that leave the window amount to: gathered from them and from the summaries among them.

use std::borrow::Cow;

use throughline_conversation::{ContentBlock, Entry, EntryKind, TokenCounter};
use throughline_ledger::{Ledger, section};

use crate::index::NameIndex;
use crate::reference::refs;
use crate::stand_in::is_notice;
use crate::words::{fit, unquote};

/// What stands between the progress of one summary and of the next.
const BETWEEN: &str = "\n\n";

/// What is known of a stretch of messages.
#[derive(Debug, Default)]
pub(crate) struct History<'t> {
    /// The user's own words, oldest first.
    pub(crate) words: Vec<String>,
    /// The progress as each summary told it, oldest first.
    pub(crate) progress: Vec<&'t str>,
    /// Files, commands and errors.
    pub(crate) ledger: Ledger,
    /// Names.
    pub(crate) names: NameIndex<'t>,
    /// Where the full text of earlier stretches is, oldest first.
    pub(crate) earlier: Vec<&'t str>,
}

impl<'t> History<'t> {
    /// Gathers it, in order.
    pub(crate) fn gather(entries: &'t [Entry]) -> Self {
        let mut history = Self { ledger: Ledger::of(entries), ..Self::default() };
        for entry in entries {
            history.names.next_message();
            match entry.kind {
                EntryKind::Summary => entry.message.texts().for_each(|text| history.merge(text)),
                EntryKind::User => history.words.push(user_words(entry)),
                EntryKind::Assistant | EntryKind::Results | EntryKind::Notice => history.add_names(entry),
            }
        }
        // What the user asked for before an earlier summary is known from that summary's quotes.
        history.ledger.requests.clear();
        history.ledger.named.clear();
        history.words.iter().for_each(|text| history.ledger.request(text));
        history
    }

    /// Takes over what an earlier summary knew. One in another form is taken as progress.
    fn merge(&mut self, summary: &'t str) {
        let part = |name| section(summary, name).unwrap_or_default();
        self.words.extend(unquote(part("What the user said")));
        self.progress.extend(progress_of(summary));
        self.names.merge(part("Names"));
        self.earlier.extend(refs(section(summary, "Reading back").unwrap_or(summary)));
    }

    /// All that earlier summaries told of the progress.
    pub(crate) fn previous(&self) -> Option<String> {
        (!self.progress.is_empty()).then(|| self.progress.join(BETWEEN))
    }

    /// The same within so many tokens. The newest is given as it is; what it leaves is for those before it, of which
    /// the older are cut first.
    pub(crate) fn previous_within(&self, tokens: u64, counter: &dyn TokenCounter) -> String {
        let mut newest_first = self.progress.iter().rev();
        let mut told = newest_first.next().map(|text| (*text).to_owned()).unwrap_or_default();
        for older in newest_first {
            let behind = format!("{BETWEEN}{told}");
            let older = fit(older, tokens.saturating_sub(counter.text(&behind)), counter);
            if older.is_empty() {
                break;
            }
            told = older + &behind;
        }
        told
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

/// What an earlier summary told of the progress. One in another form is all taken for it.
pub(crate) fn progress_of(summary: &str) -> Option<&str> {
    let told = section(summary, "Progress").or_else(|| (!is_engines(summary)).then_some(summary));
    told.filter(|text| !text.trim().is_empty())
}

/// Whether a summary has the form that the engine itself gives it.
pub(crate) fn is_engines(summary: &str) -> bool {
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
