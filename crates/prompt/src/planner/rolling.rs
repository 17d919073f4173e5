//! The markers that move along with the conversation.

use throughline_conversation::{ContentBlock, Entry};

use super::PlanInput;

/// The message markers of one request, as indices of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rolling {
    epoch: u64,
    /// The last message that can carry a marker.
    pub(super) newest: usize,
    /// The newest of the request before, where its prefix was written. Always less than `newest`.
    pub(super) before: Option<usize>,
}

impl Rolling {
    /// The markers of this request, given those of the previous one; `None` if everything is too short to cache.
    pub(super) fn next(last: Option<Self>, input: &PlanInput<'_>) -> Option<Self> {
        let newest = newest(input)?;
        // Another epoch has other messages at the same indices. Fewer messages in one epoch cannot be; a caller
        // who does it all the same loses a read and gets no marker at a wrong place.
        let last = last.filter(|last| last.epoch == input.epoch && last.newest <= newest);
        let before = match last {
            Some(last) if last.newest == newest => last.before,
            Some(last) => Some(last.newest),
            None => None,
        };
        Some(Self { epoch: input.epoch, newest, before })
    }

    /// A place about half way between the two markers, when so much was added at once that neither is within
    /// reach of it. It serves a later request that shares only a part of what was added.
    pub(super) fn between(self, input: &PlanInput<'_>) -> Option<usize> {
        if input.rules.lookback_blocks == 0 {
            // Markers are found at any distance.
            return None;
        }
        let first = self.before? + 1;
        let added = input.entries.get(first..=self.newest)?;
        let blocks: usize = added.iter().map(blocks).sum();
        if blocks <= input.rules.lookback_blocks.saturating_mul(2) {
            return None;
        }
        let mut so_far = 0;
        let distances = (first..self.newest).zip(added).map(|(index, entry)| {
            so_far += self::blocks(entry);
            (so_far.abs_diff(blocks / 2), index, entry)
        });
        distances
            .filter(|(_, _, entry)| carries(entry))
            .min_by_key(|(far, ..)| *far)
            .map(|(_, index, _)| index)
    }
}

/// The last entry that can carry a marker, when the prefix that ends with it is long enough. Looks at no more
/// entries than it skips, which does not happen in a valid request.
fn newest(input: &PlanInput<'_>) -> Option<usize> {
    let newest = input.entries.iter().rposition(carries)?;
    let behind = input.entries.iter().skip(newest + 1);
    let behind = behind.fold(0, |sum: u64, entry| sum.saturating_add(entry.tokens));
    let system = input.system.iter().fold(0, |sum: u64, section| sum.saturating_add(section.tokens));
    let fixed = input.tools_tokens.saturating_add(system);
    let prefix = fixed.saturating_add(input.conversation_tokens).saturating_sub(behind);
    (prefix >= input.rules.min_tokens).then_some(newest)
}

/// A marker is on a message's last block, which must not be thinking or empty text.
fn carries(entry: &Entry) -> bool {
    match entry.message.content.last() {
        None | Some(ContentBlock::Thinking(_)) => false,
        Some(ContentBlock::Text { text }) => !text.trim().is_empty(),
        Some(_) => true,
    }
}

fn blocks(entry: &Entry) -> usize {
    entry.message.content.len()
}
