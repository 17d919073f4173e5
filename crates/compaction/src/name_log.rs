//! The names of a whole session, for the index of its summaries, and the values of its short results.

mod name_use;
mod series;

use std::collections::{BTreeMap, HashMap, HashSet};

use throughline_conversation::{ContentBlock, Entry, EntryKind, Seq};
use throughline_ledger::section;
use throughline_text::{cut_end, path_tail};

use crate::history::strings;
use crate::index::earlier_names;
use crate::names::names;
use crate::values::Values;
use name_use::NameUse;
use series::Series;

/// Names with their use over a whole session. It grows with each compaction by what came since, so no name is lost by the
/// summaries in between.
#[derive(Debug, Clone, Default)]
pub struct NameLog {
    names: HashMap<Box<str>, NameUse>,
    /// Messages so far.
    messages: u32,
    /// The newest record that is counted.
    upto: Option<Seq>,
    values: Values,
    /// Names of what a preview leaves out, with their number, by the call whose result it is.
    unseen: HashMap<String, Vec<(Box<str>, u32)>>,
}

/// Bytes between two names of the index: a blank, which is a part of the next token where a comma is one more.
const SEPARATOR: usize = 1;

/// More names are not remembered: those of one old message are forgotten first.
const MAX_NAMES: usize = 100_000;

impl NameLog {
    /// Counts the names of the entries that are new since the last time.
    pub fn note(&mut self, entries: &[Entry]) {
        for entry in entries {
            if self.upto.is_some_and(|upto| entry.span.last <= upto) {
                continue;
            }
            self.upto = Some(entry.span.last);
            self.messages += 1;
            self.values.note(entry);
            if entry.kind == EntryKind::Summary {
                entry.message.texts().for_each(|text| self.merge(text));
            } else {
                entry.message.content.iter().for_each(|block| self.add_block(block));
            }
        }
        if self.names.len() > MAX_NAMES {
            let old = self.messages / 2;
            self.names.retain(|_, known| known.messages > 1 || known.last > old);
        }
    }

    /// Remembers the names of a result of which the conversation will have a preview only: they count where the preview does.
    pub fn note_whole(&mut self, call_id: &str, whole: &str) {
        let mut places: BTreeMap<&str, u32> = BTreeMap::new();
        for name in names(whole) {
            *places.entry(name).or_default() += 1;
        }
        let unseen = places.into_iter().map(|(name, count)| (name.into(), count)).collect();
        self.unseen.insert(call_id.to_owned(), unseen);
    }

    /// The values of the session, with their keys.
    pub(crate) fn values(&self) -> &Values {
        &self.values
    }

    /// The names that are not visible elsewhere and most likely needed again, within this many bytes.
    pub(crate) fn render(&self, visible: &HashSet<&str>, bytes: usize) -> String {
        let mut list = self.chosen(visible, bytes);
        list.sort_unstable();
        cut_end(&list.join(" "), bytes).to_owned()
    }

    /// The names that a text does not have and that are most likely needed again, the likeliest first, within this many bytes.
    #[must_use]
    pub fn likely(&self, shown: &str, bytes: usize) -> Vec<String> {
        self.chosen(&names(shown).collect(), bytes)
    }

    fn chosen(&self, visible: &HashSet<&str>, bytes: usize) -> Vec<String> {
        let found = self.hidden(visible);
        let series = Series::of(found.iter().map(|(name, _)| *name));
        let mut left = bytes;
        let mut list = Vec::new();
        // What is a part of another name can be read there.
        let mut parts: HashSet<&str> = visible.iter().flat_map(|name| parts(name)).collect();
        for (name, _) in found {
            if parts.contains(name) {
                continue;
            }
            let item = series.item(name);
            let cost = item.len() + SEPARATOR;
            if cost <= left {
                left -= cost;
                parts.insert(name);
                parts.extend(series.members(name));
                parts.extend(self::parts(name));
                list.push(item.into_owned());
            } else if left < 8 {
                break;
            }
        }
        list
    }

    /// The names that are not visible elsewhere, in their listed form, the most worth first.
    fn hidden(&self, visible: &HashSet<&str>) -> Vec<(&str, f64)> {
        let mut found = Vec::new();
        for (name, known) in self.names.iter().filter(|(name, _)| !visible.contains(&***name)) {
            // A value is listed with its key, or not at all.
            if known.messages == 1 && self.values.has_value(name) {
                continue;
            }
            let name = path_tail(name);
            found.push((name, known.worth(self.messages, name)));
        }
        found.sort_unstable_by(|left, right| right.1.total_cmp(&left.1).then_with(|| left.0.cmp(right.0)));
        found
    }

    /// The names of an earlier summary, which were counted in another run.
    fn merge(&mut self, summary: &str) {
        for (name, messages) in earlier_names(section(summary, "Names").unwrap_or_default()) {
            let last = self.messages;
            let known = self.names.entry(name.into()).or_default();
            known.messages += u32::try_from(messages).unwrap_or(u32::MAX);
            known.last = last;
        }
    }

    fn add_block(&mut self, block: &ContentBlock) {
        match block {
            ContentBlock::Text { text } => self.add(text, false),
            ContentBlock::ToolCall(call) => strings(&call.input).for_each(|text| self.add(text, true)),
            ContentBlock::ToolResult(result) => match self.unseen.remove(&result.call_id) {
                Some(whole) => whole.iter().for_each(|(name, places)| self.count(name, *places, false)),
                None => self.add(&result.content, false),
            },
            ContentBlock::Thinking(_) | ContentBlock::Image(_) => {}
        }
    }

    fn add(&mut self, text: &str, call: bool) {
        names(text).for_each(|name| self.count(name, 1, call));
    }

    /// Counts places of a name in the newest message.
    fn count(&mut self, name: &str, places: u32, call: bool) {
        let known = match self.names.get_mut(name) {
            Some(known) => known,
            None => self.names.entry(name.into()).or_default(),
        };
        known.places = known.places.saturating_add(places);
        if known.last != self.messages || known.messages == 0 {
            known.messages += 1;
            known.calls += u32::from(call);
            known.last = self.messages;
        }
    }
}

/// Each part of a name that stands alone in it, and each end of a path.
fn parts(name: &str) -> impl Iterator<Item = &str> {
    let ends = name.match_indices('/').filter_map(|(at, _)| name.get(at + 1..));
    ends.chain(name.split(['/', '.', ':', '@', '-', '\\'])).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests;
