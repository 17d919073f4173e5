//! Large pastes: the input shows a short marker, and the whole text is sent.

use std::ops::Range;
use std::sync::Arc;

/// Lines from which a paste is folded.
const LINES: usize = 8;
/// Bytes from which a paste is folded.
const BYTES: usize = 1_000;

/// The same for a text that was not pasted: one that is edited is seen as long as it can be.
const LARGE_LINES: usize = 100;
const LARGE_BYTES: usize = 10_000;
/// Maximum pastes of earlier inputs that are known.
const KNOWN: usize = 20;

/// The pastes that an input holds. Clones share the texts.
#[derive(Debug, Clone, Default)]
pub(super) struct Pastes(Vec<Paste>);

#[derive(Debug, Clone)]
struct Paste {
    mark: Arc<str>,
    text: Arc<str>,
}

impl Paste {
    /// Where it is in a text that came back. An editor leaves out the newline at the end.
    fn place_in(&self, text: &str) -> Option<Range<usize>> {
        if let Some(at) = text.find(&*self.text) {
            return Some(at..at + self.text.len());
        }
        let ended = self.text.trim_end_matches('\n');
        text.ends_with(ended).then(|| text.len() - ended.len()..text.len()).filter(|place| !place.is_empty())
    }
}

impl Pastes {
    /// The text to show for a paste: itself, or a marker.
    pub(super) fn fold(&mut self, text: &str, input: &str) -> String {
        let lines = text.lines().count();
        if lines < LINES && text.len() < BYTES {
            return text.to_owned();
        }
        self.add(text.into(), input)
    }

    /// The text to show for one that is put into an empty input: what was pasted in one of these is a mark again, and a very large
    /// rest makes one mark of all.
    pub(super) fn refold(&mut self, text: &str, known: &Self) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        loop {
            let places = known.0.iter().filter_map(|paste| paste.place_in(rest));
            let Some(place) = places.min_by_key(|place| (place.start, usize::MAX - place.len())) else {
                break;
            };
            out.push_str(rest.get(..place.start).unwrap_or_default());
            out.push_str(&self.add(rest.get(place.clone()).unwrap_or_default().into(), text));
            rest = rest.get(place.end..).unwrap_or_default();
        }
        out.push_str(rest);
        if out.lines().count() < LARGE_LINES && out.len() < LARGE_BYTES {
            return out;
        }
        *self = Self::default();
        self.add(text.into(), "")
    }

    /// Adds those of another input that it does not hold. The newest are known.
    pub(super) fn learn(&mut self, other: &Self) {
        for paste in &other.0 {
            if self.0.iter().all(|own| own.text != paste.text) {
                self.0.push(paste.clone());
            }
        }
        self.0.drain(..self.0.len().saturating_sub(KNOWN));
    }

    /// Stores a text. Returns a mark that is unique in the input.
    fn add(&mut self, text: Arc<str>, input: &str) -> String {
        let lines = text.lines().count();
        let size =
            if lines > 1 { format!("{lines} lines") } else { format!("{} characters", text.chars().count()) };
        let taken = |mark: &str| input.contains(mark) || self.0.iter().any(|paste| *paste.mark == *mark);
        let mut mark = format!("[pasted {size}]");
        let mut number = 2;
        while taken(&mark) {
            mark = format!("[pasted {size} #{number}]");
            number += 1;
        }
        self.0.push(Paste { mark: mark.as_str().into(), text });
        mark
    }

    /// A text from another input, with the pastes of that one, in the marks of this one.
    pub(super) fn adopt(&mut self, text: &str, pastes: &Self, input: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let rest = pastes.each(text, |before, paste| {
            out.push_str(before);
            match self.0.iter().find(|own| own.text == paste.text) {
                Some(own) => out.push_str(&own.mark),
                None => out.push_str(&self.add(Arc::clone(&paste.text), input)),
            }
        });
        out.push_str(rest);
        out
    }

    /// The ranges of the markers in a text, in order.
    pub(super) fn marks(&self, text: &str) -> Vec<Range<usize>> {
        let (mut marks, mut at) = (Vec::new(), 0);
        self.each(text, |before, paste| {
            let start = at + before.len();
            at = start + paste.mark.len();
            marks.push(start..at);
        });
        marks
    }

    /// Replaces every marker in the input by its paste.
    pub(super) fn unfold(&self, input: &str) -> String {
        let mut out = String::with_capacity(input.len());
        let rest = self.each(input, |before, paste| {
            out.push_str(before);
            out.push_str(&paste.text);
        });
        out.push_str(rest);
        out
    }

    /// Calls `take` for every mark in a text, with the text between it and the one before. Returns the text after the last
    /// mark.
    fn each<'t>(&self, text: &'t str, mut take: impl FnMut(&'t str, &Paste)) -> &'t str {
        let mut rest = text;
        loop {
            let places = self.0.iter().filter_map(|paste| rest.find(&*paste.mark).map(|at| (at, paste)));
            let Some((at, paste)) = places.min_by_key(|(at, _)| *at) else { return rest };
            take(rest.get(..at).unwrap_or_default(), paste);
            rest = rest.get(at + paste.mark.len()..).unwrap_or_default();
        }
    }
}
