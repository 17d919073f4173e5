//! Measures of the requests that a recorded model answered.

use throughline_completion::{CompletionRequest, CountedFront, PrefixUse};
use throughline_conversation::{Components, TokenCounter};

use crate::bill::BilledRequest;
use crate::costs::ByComponent;
use crate::figures::Figures;
use crate::recall::Looked;

/// The most fault texts to collect; further ones repeat them.
const FAULTS: usize = 5;

/// Measures over all requests that were answered from the recording.
#[derive(Debug, Clone, Default)]
pub struct ReplayMeasures {
    /// Cost, regret and recall.
    pub figures: Figures,
    /// Requests that break a rule of the provider.
    pub invalid: u64,
    /// The first faults.
    pub faults: Vec<String>,
    /// Requests rejected as too long.
    pub over_window: u64,
    /// Requests for which the recording had no answer.
    pub unrecorded: u64,
    pub(crate) components: ByComponent,
}

impl ReplayMeasures {
    pub(super) fn judge(&mut self, faults: &[String]) {
        self.invalid += u64::from(!faults.is_empty());
        let room = FAULTS.saturating_sub(self.faults.len());
        self.faults.extend(faults.iter().take(room).cloned());
    }

    /// Counts a request, its parts by the counter, and what its answer needed.
    pub(super) fn count(&mut self, request: &BilledRequest, parts: Components, looked: &Looked, factor: f64) {
        self.figures.add(request, looked);
        let Components { system, skills, tools, conversation } = parts;
        self.components.add(Components {
            system: scaled(system, factor),
            skills: scaled(skills, factor),
            tools: scaled(tools, factor),
            conversation: scaled(conversation, factor),
        });
    }
}

/// A provider's tokens for the counter's.
#[must_use]
pub fn scaled(tokens: u64, factor: f64) -> u64 {
    (tokens as f64 * factor).round() as u64
}

pub(crate) fn scaled_use(split: PrefixUse, factor: f64) -> PrefixUse {
    let PrefixUse { read, write, uncached } = split;
    PrefixUse { read: scaled(read, factor), write: scaled(write, factor), uncached: scaled(uncached, factor) }
}

/// Tokens of a request by component, by the counter's own figures.
pub(super) fn raw_components(
    request: &CompletionRequest,
    front: &CountedFront,
    counter: &dyn TokenCounter,
) -> Components {
    let mut parts = Components::default();
    for (section, tokens) in front.sections() {
        let part = if section.skill { &mut parts.skills } else { &mut parts.system };
        *part = part.saturating_add(tokens);
    }
    parts.tools = front.tools_tokens();
    let entries = request.transcript.entries().iter().map(|entry| entry.tokens);
    let tail = request.tail.iter().map(|note| counter.text(note));
    parts.conversation = entries.chain(tail).fold(0, u64::saturating_add);
    parts
}
