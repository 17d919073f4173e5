//! How fast a model answers.

use throughline_conversation::{ModelUse, Origin};

/// The answers of a model in this run: how long they took and how many tokens they had.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pace {
    model: Option<Origin>,
    answers: u64,
    ms: u64,
    output: u64,
    /// Tokens of output of its last summary.
    summary: Option<u64>,
}

impl Pace {
    /// Notes an answer. Those of another model are forgotten.
    pub(crate) fn note(&mut self, model: &Origin, ms: u64, output: u64) {
        if self.model.as_ref() != Some(model) {
            *self = Self { model: Some(model.clone()), ..Self::default() };
        }
        self.answers += 1;
        self.ms = self.ms.saturating_add(ms);
        self.output = self.output.saturating_add(output);
    }

    /// Notes what requests for a summary have used.
    pub(crate) fn note_summaries(&mut self, used: &[ModelUse]) {
        let own = used.iter().find(|used| Some(&used.origin) == self.model.as_ref());
        self.summary = own.and_then(|used| used.usage.output.checked_div(used.requests)).or(self.summary);
    }

    /// Tokens of output of the last summary, with its thinking; `None`: it has written none.
    pub(crate) fn summary(&self) -> Option<u64> {
        self.summary
    }

    /// Milliseconds that this many tokens take; `None` while no answer has shown it.
    pub(crate) fn ms_of(&self, output: u64) -> Option<u64> {
        self.ms.saturating_mul(output).checked_div(self.output)
    }

    /// The same in mean answers; 0 while that is not known.
    pub(crate) fn steps(&self, output: u64) -> f64 {
        self.ms_of(output).map_or(0.0, |ms| self.steps_of(ms))
    }

    /// A time in mean answers; 0 while no answer has shown how long one takes.
    pub(crate) fn steps_of(&self, ms: u64) -> f64 {
        let mean = self.ms.checked_div(self.answers).filter(|mean| *mean > 0);
        mean.map_or(0.0, |mean| ms as f64 / mean as f64)
    }
}

#[cfg(test)]
mod tests;
