//! Where the next request marks the ends of its cacheable prefixes.
//!
//! A provider that takes markers writes the prefix that ends at each of them, and finds a prefix again only at a
//! marker or a few blocks before one (Anthropic documentation, "Prompt caching": 20 blocks, the marker's own
//! included). So the last message's marker is set once more in the next request, where a read is certain, however
//! many blocks one step with parallel tools has added since. Where it looks at markers alone (OpenAI documentation,
//! "Prompt caching"), that marker is what a read needs at all.

mod rolling;

use throughline_completion::CacheRules;
use throughline_conversation::{CacheBreakpoint, Entry, Place, SectionText, TokenCounter};

use rolling::Rolling;

/// A section of the system prompt, as the planner sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SectionFigures {
    /// Its tokens.
    pub tokens: u64,
    /// Whether the prefix that ends with it may be cached.
    pub cacheable: bool,
}

impl SectionFigures {
    /// The figures of a system prompt. Worth keeping as long as the prompt stays the same.
    #[must_use]
    pub fn of(system: &[SectionText], counter: &dyn TokenCounter) -> Vec<Self> {
        let figures = |section: &SectionText| Self {
            tokens: counter.text(&section.text),
            cacheable: section.cacheable,
        };
        system.iter().map(figures).collect()
    }
}

/// The request to be marked. All figures are tokens by one counter.
#[derive(Debug, Clone, Copy)]
pub struct PlanInput<'a> {
    /// Rules of the model's cache.
    pub rules: CacheRules,
    /// Number of tools.
    pub tools: usize,
    /// Tokens of all tools.
    pub tools_tokens: u64,
    /// The system prompt's sections, in order.
    pub system: &'a [SectionFigures],
    /// The messages, without notes at the tail, which follow every marker.
    pub entries: &'a [Entry],
    /// Tokens of all messages.
    pub conversation_tokens: u64,
    /// The view's epoch. While it stays the same, messages only come at the end.
    pub epoch: u64,
}

/// Plans markers for one request after the other of a session.
///
/// It remembers where it marked the last message of the request before, and nothing else. A new planner is
/// therefore safe at any time: it costs at most one read. Planning costs what is new since the last plan, and
/// planning the same request again gives the same plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BreakpointPlanner {
    rolling: Option<Rolling>,
}

impl BreakpointPlanner {
    /// Creates a planner without an earlier request. All markers of a request have the TTL of its rules.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The markers, in the order of the wire; at most as many as the rules allow, none in front of too few
    /// tokens.
    ///
    /// When there are too few for all, these come first: the last message, the last message of the request
    /// before, the end of the stable system prompt, the end of the tools. What is left goes between the two
    /// message markers when they are far apart, then to the ends of the other stable sections.
    pub fn plan(&mut self, input: &PlanInput<'_>) -> Vec<CacheBreakpoint> {
        let most = input.rules.max_breakpoints;
        if most == 0 {
            return Vec::new();
        }
        self.rolling = Rolling::next(self.rolling, input);
        let mut sections = stable_sections(input);
        let system_end = sections.pop();

        let rolling = self.rolling;
        let mut places: Vec<Place> = Vec::new();
        places.extend(rolling.map(|rolling| Place::Message(rolling.newest)));
        places.extend(rolling.and_then(|rolling| rolling.before).map(Place::Message));
        places.extend(system_end);
        places.extend(tools_end(input));
        if places.len() < most {
            places.extend(rolling.and_then(|rolling| rolling.between(input)).map(Place::Message));
        }
        places.extend(sections.into_iter().rev());
        places.truncate(most);
        places.sort_unstable();
        places.into_iter().map(|place| CacheBreakpoint { place, ttl: input.rules.ttl() }).collect()
    }
}

/// The end of the tools, when they alone are worth caching.
fn tools_end(input: &PlanInput<'_>) -> Option<Place> {
    let last = input.tools.checked_sub(1).filter(|_| input.rules.marks_tools)?;
    (input.tools_tokens >= input.rules.min_tokens).then_some(Place::Tool(last))
}

/// Ends of the cacheable prefixes within the system prompt, shortest first.
fn stable_sections(input: &PlanInput<'_>) -> Vec<Place> {
    let mut places = Vec::new();
    let mut prefix = input.tools_tokens;
    for (index, section) in input.system.iter().enumerate() {
        prefix = prefix.saturating_add(section.tokens);
        if section.cacheable && prefix >= input.rules.min_tokens {
            places.push(Place::Section(index));
        }
    }
    places
}

#[cfg(test)]
mod laws;
#[cfg(test)]
mod tests;
