//! The prefixes that requests have left in the caches of their models.

use std::collections::BTreeMap;

use throughline_completion::CacheRules;
use throughline_conversation::{Place, Usage};

use super::NextRequest;
use super::places::{Places, PrefixEnd};

/// A report may differ by this part of a prefix from its estimate and still be about it.
const PLAUSIBLE: u64 = 8;
/// Prefixes up to which expired ones are remembered, too.
const MOST_EXPIRED: usize = 512;
/// What a report about new messages keeps of its weight with each later one.
const FADING: f64 = 0.95;
/// Tokens of new messages for one of the counter. Beyond them a report is not about these messages.
const FACTORS: (f64, f64) = (0.25, 4.0);

/// All prefixes that are cached or whose size is known.
#[derive(Debug, Clone, Default)]
pub(super) struct StoredPrefixes {
    prefixes: BTreeMap<u64, StoredPrefix>,
    /// How much new messages have counted, by model: what precedes the messages has another ratio.
    growth: BTreeMap<String, Growth>,
    /// What tools and system prompt had by the count of the last model: the first guess for another one.
    front: Option<f64>,
    /// The model that has answered last.
    last_model: Option<String>,
    /// Models whose server reads what the rules exclude.
    unbound: BTreeMap<String, Unbound>,
}

/// Limits of a provider that caches by itself which a report has shown not to hold: a server of the user's own often caches any
/// prefix, to the token.
#[derive(Debug, Clone, Copy, Default)]
struct Unbound {
    /// Less than the smallest prefix was read.
    min_tokens: bool,
    /// What was read is no multiple of the step.
    step_tokens: bool,
}

/// Tokens of new messages by the provider and by the counter, later ones with more weight. Sums, because a short message
/// is mostly the provider's frame around it.
#[derive(Debug, Clone, Copy, Default)]
struct Growth {
    tokens: f64,
    raw: f64,
}

#[derive(Debug, Clone, Copy)]
struct StoredPrefix {
    /// When it leaves the cache, in milliseconds since the epoch.
    until: i64,
    /// Its tokens by the provider's own count, where that is known.
    tokens: Option<u64>,
    /// It ends before the messages.
    front: bool,
}

/// A prefix of a request, and its tokens.
#[derive(Debug, Clone, Copy)]
struct Sized {
    end: PrefixEnd,
    tokens: u64,
}

/// A request, and which prefix it finds.
#[derive(Debug, Clone)]
pub(super) struct Sent {
    model: String,
    found: Option<Sized>,
    /// The longest prefix that the provider has counted, cached or not.
    known: Option<Sized>,
    /// The prefixes that it stores, shortest first.
    written: Vec<PrefixEnd>,
    explicit: bool,
    /// The rules, as far as reports have not shown others.
    rules: CacheRules,
    growth: f64,
    /// Tokens of the notes behind all prefixes.
    tail: u64,
}

impl StoredPrefixes {
    /// The longest prefix of the request that is cached.
    pub(super) fn find(&self, next: &NextRequest<'_>, places: &Places) -> Sent {
        let explicit = next.rules.max_breakpoints > 0;
        let ends = places.all();
        let marked = next.breakpoints.iter().filter_map(|marker| places.at(marker.place));
        let marked: Vec<usize> = if explicit { marked.collect() } else { (0..ends.len()).collect() };
        let reach = if explicit { next.rules.lookback_blocks } else { 1 };
        let mut found = marked.iter().rev().filter_map(|place| self.found_before(next, ends, *place, reach));
        let found = if explicit { found.max_by_key(|end| end.blocks) } else { found.next() };
        let growth = self.growth_of(next.model).unwrap_or(next.scale);
        let counted = |end: &PrefixEnd| Some(Sized { end: *end, tokens: self.counted(end)? });
        let known = ends.iter().rev().find_map(counted).or_else(|| self.guess_front(ends));
        let in_system = next.system.len() > next.section_tokens.len();
        let mut sent = Sent {
            model: next.model.to_owned(),
            found: None,
            known,
            written: marked.into_iter().filter_map(|place| ends.get(place).copied()).collect(),
            explicit,
            rules: self.rules(next),
            growth,
            tail: if in_system { 0 } else { next.scaled(next.tail_tokens) },
        };
        sent.found = found.map(|end| Sized { end: *end, tokens: self.tokens(next, &sent, end) });
        sent
    }

    /// The longest cached prefix that ends at this place or less than `reach` blocks before it.
    fn found_before<'e>(
        &self,
        next: &NextRequest<'_>,
        ends: &'e [PrefixEnd],
        place: usize,
        reach: usize,
    ) -> Option<&'e PrefixEnd> {
        let marker = ends.get(place)?;
        let near = |end: &&PrefixEnd| marker.blocks.saturating_sub(end.blocks) < reach.max(1);
        let is_warm =
            |end: &&PrefixEnd| self.prefixes.get(&end.key).is_some_and(|stored| stored.until >= next.now.0);
        ends.get(..=place)?.iter().rev().take_while(near).find(is_warm)
    }

    /// The rules of the model's cache, without the limits that its reports contradict.
    fn rules(&self, next: &NextRequest<'_>) -> CacheRules {
        let unbound = self.unbound.get(next.model).copied().unwrap_or_default();
        let held = |tokens: u64, unbound: bool| if unbound { 0 } else { tokens };
        CacheRules {
            min_tokens: held(next.rules.min_tokens, unbound.min_tokens),
            step_tokens: held(next.rules.step_tokens, unbound.step_tokens),
            ..next.rules
        }
    }

    fn counted(&self, end: &PrefixEnd) -> Option<u64> {
        self.prefixes.get(&end.key).and_then(|stored| stored.tokens)
    }

    /// Tokens of a prefix: as the provider counted it, or estimated.
    fn tokens(&self, next: &NextRequest<'_>, sent: &Sent, end: &PrefixEnd) -> u64 {
        self.counted(end).unwrap_or_else(|| sent.estimate(next, end.raw))
    }

    /// Stores what the request leaves in the cache, and renews what it reads. One that the rules find too short is stored, too:
    /// a report may show that the server has another rule. Of prefixes that have expired the sizes stay
    /// known, while they are few.
    pub(super) fn store(&mut self, next: &NextRequest<'_>, sent: &Sent) {
        let idle = i64::try_from(next.rules.idle_ms).unwrap_or(i64::MAX);
        let until = next.now.0.saturating_add(idle);
        let few = self.prefixes.len() <= MOST_EXPIRED;
        self.prefixes.retain(|_, stored| {
            stored.until >= next.now.0 || stored.tokens.is_some() && (few || stored.front)
        });
        let found = sent.found.map(|found| found.end);
        for end in sent.written.iter().copied().chain(found) {
            let tokens = self.counted(&end);
            let front = !matches!(end.place, Place::Message(_));
            self.prefixes.insert(end.key, StoredPrefix { until, tokens, front });
        }
    }

    /// Takes over the provider's count of the longest prefix, and works out that of the shorter ones from it.
    pub(super) fn learn(&mut self, sent: &Sent, reported: &Usage) {
        self.learn_rules(sent, reported.cache_read);
        let Some(last) = sent.written.last() else { return };
        let counted = sent.left(reported);
        if counted == 0 {
            return;
        }
        self.learn_growth(sent, last, counted);
        self.set(last, counted);
        let growth = self.growth_of(&sent.model).unwrap_or(sent.growth);
        for end in sent.written.iter().filter(|end| !matches!(end.place, Place::Message(_))) {
            let behind = (last.raw.saturating_sub(end.raw) as f64 * growth).round() as u64;
            let tokens = counted.checked_sub(behind).filter(|tokens| *tokens > 0);
            if let Some(tokens) = tokens.filter(|_| self.counted(end).is_none()) {
                self.set(end, tokens);
            }
            if let Some(tokens) = self.counted(end).filter(|_| end.raw > 0) {
                self.front = Some(tokens as f64 / end.raw as f64);
            }
        }
        self.last_model = Some(sent.model.clone());
        if let Some(found) = sent.found.filter(|_| sent.explicit)
            && found.tokens.abs_diff(reported.cache_read) <= found.tokens / PLAUSIBLE
        {
            self.set(&found.end, reported.cache_read);
        }
    }

    /// What was read shows which limits the server does not have.
    fn learn_rules(&mut self, sent: &Sent, read: u64) {
        if sent.explicit || read == 0 {
            return;
        }
        let unbound = self.unbound.entry(sent.model.clone()).or_default();
        unbound.min_tokens |= read < sent.rules.min_tokens;
        unbound.step_tokens |= !read.is_multiple_of(sent.rules.step_tokens.max(1));
    }

    /// What came behind a known prefix shows how many tokens the messages of this session have.
    fn learn_growth(&mut self, sent: &Sent, last: &PrefixEnd, counted: u64) {
        let Some(known) = sent.known else { return };
        let (raw, tokens) = (last.raw.saturating_sub(known.end.raw), counted.saturating_sub(known.tokens));
        let sample = tokens as f64 / raw.max(1) as f64;
        if raw > 0 && (FACTORS.0..=FACTORS.1).contains(&sample) {
            let growth = self.growth.entry(sent.model.clone()).or_default();
            growth.tokens = growth.tokens * FADING + tokens as f64;
            growth.raw = growth.raw * FADING + raw as f64;
        }
    }

    /// Tokens of new messages for one of the counter: of this model, or of the one before it.
    fn growth_of(&self, model: &str) -> Option<f64> {
        let other = || self.growth.get(self.last_model.as_ref()?);
        self.growth.get(model).or_else(other).map(|growth| growth.tokens / growth.raw)
    }

    /// Tools and system prompt with the ratio that they had for the model before.
    fn guess_front(&self, ends: &[PrefixEnd]) -> Option<Sized> {
        let end = ends.iter().rev().find(|end| !matches!(end.place, Place::Message(_)))?;
        Some(Sized { end: *end, tokens: (end.raw as f64 * self.front?).round() as u64 })
    }

    fn set(&mut self, end: &PrefixEnd, tokens: u64) {
        if let Some(stored) = self.prefixes.get_mut(&end.key) {
            stored.tokens = Some(tokens);
        }
    }
}

impl Sent {
    /// Tokens of a prefix of this many tokens by the counter, from the longest one that the provider has counted.
    fn estimate(&self, next: &NextRequest<'_>, raw: u64) -> u64 {
        let Some(known) = self.known else { return next.scaled(raw) };
        let grown = |raw: u64| (raw as f64 * self.growth).round() as u64;
        match raw.checked_sub(known.end.raw) {
            Some(behind) => known.tokens.saturating_add(grown(behind)),
            None => known.tokens.saturating_sub(grown(known.end.raw - raw)),
        }
    }

    /// The usage that is to be expected.
    pub(super) fn usage(&self, next: &NextRequest<'_>, places: &Places) -> Usage {
        let found = self.found.map_or(0, |found| found.tokens);
        let whole = places.all().last().map_or(0, |end| self.estimate(next, end.raw)).max(found);
        let prompt = whole.saturating_add(self.tail);
        if !self.explicit {
            let step = self.rules.step_tokens.max(1);
            let read = if found < self.rules.min_tokens { 0 } else { found - found % step };
            return Usage { input: prompt - read, cache_read: read, cache_write: 0, output: 0, searches: 0 };
        }
        let end = self.written.last().map_or(0, |end| self.estimate(next, end.raw)).max(found);
        Usage {
            input: prompt.saturating_sub(end),
            cache_read: found,
            cache_write: end - found,
            output: 0,
            searches: 0,
        }
    }

    /// Tokens that a request of this usage leaves in the cache.
    pub(super) fn left(&self, usage: &Usage) -> u64 {
        if self.explicit {
            usage.cache_read.saturating_add(usage.cache_write)
        } else {
            usage.prompt().saturating_sub(self.tail)
        }
    }
}
