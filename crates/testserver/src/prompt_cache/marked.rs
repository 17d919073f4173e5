//! Caches whose prefixes end where markers say.

use throughline_conversation::Usage;

use super::prompt::{Block, Prompt};
use super::{OPENAI_LEAST, PromptCache, tokens};

/// Blocks that Anthropic looks at for a stored prefix, that of the marker included.
const LOOKBACK: usize = 20;
/// Markers that OpenAI writes, and that it looks at, of those in one prompt.
const OPENAI_WRITTEN: usize = 4;
const OPENAI_MATCHED: usize = 80;

impl PromptCache {
    /// A prefix is found at a marker or up to 19 blocks before it.
    pub(super) fn anthropic(&mut self, prompt: &Prompt) -> Usage {
        let mut found: Option<usize> = None;
        for marker in markers(prompt) {
            let first = (marker + 1).saturating_sub(LOOKBACK);
            let place = (first..=marker).rev().find(|place| self.is_stored_at(prompt, *place));
            found = found.max(place);
        }
        self.settle(prompt, found, &markers(prompt), self.least)
    }

    /// A prefix is found at a marker alone. The latest markers are written.
    pub(super) fn explicit(&mut self, prompt: &Prompt) -> Usage {
        let all = markers(prompt);
        let latest = |most: usize| all.get(all.len().saturating_sub(most)..).unwrap_or_default();
        let found =
            latest(OPENAI_MATCHED).iter().rev().copied().find(|place| self.is_stored_at(prompt, *place));
        self.settle(prompt, found, latest(OPENAI_WRITTEN), OPENAI_LEAST)
    }

    fn is_stored_at(&self, prompt: &Prompt, place: usize) -> bool {
        prompt.blocks.get(place).is_some_and(|block| self.has(block.key))
    }

    /// Renews what was read, and stores the prefixes of the markers that are long enough.
    fn settle(&mut self, prompt: &Prompt, found: Option<usize>, written: &[usize], least: u64) -> Usage {
        let at = |place: usize| prompt.blocks.get(place).copied();
        let read = found.and_then(at).map_or(0, |block| tokens(block.bytes));
        if let Some(block) = found.and_then(at) {
            self.store(block.key, 0);
        }
        let mut cached = read;
        for Block { key, bytes, marker } in written.iter().copied().filter_map(at) {
            if tokens(bytes) >= least {
                self.store(key, marker.unwrap_or_default());
                cached = cached.max(tokens(bytes));
            }
        }
        Usage {
            input: tokens(prompt.bytes()).saturating_sub(cached),
            cache_read: read,
            cache_write: cached - read,
            output: 0,
            searches: 0,
        }
    }
}

/// The places with a marker, in order.
fn markers(prompt: &Prompt) -> Vec<usize> {
    let marked = prompt.blocks.iter().enumerate().filter(|(_, block)| block.marker.is_some());
    marked.map(|(place, _)| place).collect()
}
