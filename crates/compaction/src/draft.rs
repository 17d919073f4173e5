//! The working copy of a view during a compaction.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;
use throughline_conversation::{
    Action, Degradation, Edit, EditReason, Entry, Image, ResultRef, SessionId, Span, SummaryNote,
    TokenCounter, Unit, View, ViewError, units,
};

use crate::blob::{full_text, pictures_in};
use crate::goal::CompactionJob;
use crate::name_log::NameLog;
use crate::outcome::ClearedResult;
use crate::stub::refs;
use crate::summarizer::Prose;

/// The view after a compaction, and the actions that lead to it.
///
/// Operations only collect. [`Draft::settle`] rebuilds the view by the same rules by which a resume reads the edit; it
/// costs the length of the view, so a strategy settles once, or a few times.
#[derive(Debug, Clone)]
pub struct Draft<'a> {
    session: &'a SessionId,
    base: &'a View,
    counter: &'a dyn TokenCounter,
    names: Option<&'a NameLog>,
    view: View,
    results: BTreeMap<String, (String, ResultRef)>,
    inputs: BTreeMap<String, (Value, ResultRef)>,
    covers: Vec<(Span, String, Option<SummaryNote>)>,
    kept: BTreeMap<ResultRef, ClearedResult>,
    progress: Vec<(Span, Prose)>,
    degraded: Vec<Degradation>,
    notes: Vec<String>,
}

impl<'a> Draft<'a> {
    /// A draft of the job's view, with nothing changed yet.
    #[must_use]
    pub fn new(job: &CompactionJob<'a>) -> Self {
        Self {
            session: job.session,
            base: job.view,
            counter: job.counter,
            names: job.names,
            view: job.view.clone(),
            results: BTreeMap::new(),
            inputs: BTreeMap::new(),
            covers: Vec::new(),
            kept: BTreeMap::new(),
            progress: Vec::new(),
            degraded: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The view after the last [`Draft::settle`].
    #[must_use]
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Its entries, oldest first.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        self.view.entries()
    }

    /// Its units, in order.
    #[must_use]
    pub fn units(&self) -> Vec<Unit> {
        units(self.view.entries())
    }

    /// Its tokens.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.view.tokens()
    }

    /// Counts what the view is counted with.
    #[must_use]
    pub fn counter(&self) -> &'a dyn TokenCounter {
        self.counter
    }

    /// The names of the whole session, where the policy lists them.
    pub(crate) fn names(&self) -> Option<&'a NameLog> {
        self.names
    }

    /// The entries of the view before the compaction.
    #[must_use]
    pub fn original(&self) -> &'a [Entry] {
        self.base.entries()
    }

    /// The entries of a span before the compaction.
    #[must_use]
    pub fn original_of(&self, span: Span) -> &'a [Entry] {
        let entries = self.base.entries();
        let first = entries.partition_point(|entry| entry.span.last < span.first);
        let end = entries.partition_point(|entry| entry.span.first <= span.last);
        entries.get(first..end).unwrap_or_default()
    }

    /// Keeps bytes to be stored, and returns their reference. Bytes that no text of the final edit names are dropped.
    pub fn keep(&mut self, tool: &str, bytes: &[u8]) -> ResultRef {
        let stored = ResultRef::of(self.session, bytes);
        let make = || ClearedResult { stored: stored.clone(), tool: tool.to_owned(), bytes: bytes.to_vec() };
        self.kept.entry(stored.clone()).or_insert_with(make);
        stored
    }

    /// Keeps a picture to be stored, and returns its reference.
    pub(crate) fn keep_picture(&mut self, tool: &str, image: &Image) -> ResultRef {
        self.keep(tool, image.to_data_url().as_bytes())
    }

    /// Keeps the full text of the messages of a span before the compaction, and their pictures.
    pub(crate) fn keep_messages(&mut self, span: Span) -> ResultRef {
        const TOOL: &str = "conversation";
        let entries = self.original_of(span);
        let text = full_text(entries, &mut |image| self.keep_picture(TOOL, image));
        self.keep(TOOL, text.as_bytes())
    }

    /// Replaces the result of a call by a text. `stored` is the reference of the result and should occur in the text. A
    /// result that is pinned as a whole stays.
    pub fn clear_result(&mut self, call_id: &str, text: String, stored: ResultRef) {
        if self.base.pins_result(call_id) {
            return;
        }
        self.results.insert(call_id.to_owned(), (text, stored));
    }

    /// Replaces the arguments of a call by a JSON object. `stored` is the reference of the arguments as JSON text.
    pub fn clip_input(&mut self, call_id: &str, input: Value, stored: ResultRef) {
        self.inputs.insert(call_id.to_owned(), (input, stored));
    }

    /// Covers a span with a text, and records how it was made. Earlier operations inside the span are forgotten. A span of
    /// nothing but pinned texts stays: there is no message in it.
    pub fn cover(&mut self, span: Span, summary: String, note: Option<SummaryNote>) {
        if self.original_of(span).iter().all(Entry::is_pinned_note) {
            return;
        }
        for entry in self.original_of(span) {
            for call in entry.message.tool_calls() {
                self.inputs.remove(&call.id);
            }
            for result in entry.message.tool_results() {
                self.results.remove(&result.call_id);
            }
        }
        self.covers.retain(|(old, ..)| !span.holds(*old));
        self.covers.push((span, summary, note));
        self.covers.sort_by_key(|(span, ..)| *span);
    }

    /// Remembers the progress that was written for a span, for a later strategy that covers more.
    pub(crate) fn remember_progress(&mut self, span: Span, progress: &Prose) {
        self.progress.push((span, progress.clone()));
    }

    /// Progress that was written for a span within this one.
    pub(crate) fn progress_of(&self, span: Span) -> Option<&Prose> {
        let mut found = self.progress.iter().rev().filter(|(written, _)| span.holds(*written));
        found.next().map(|(_, progress)| progress)
    }

    /// Records that a subsystem failed, and its fallback; once for the same cause.
    pub fn degrade(&mut self, subsystem: &str, fallback: &str, cause: String) {
        let (subsystem, fallback) = (subsystem.to_owned(), fallback.to_owned());
        let degradation = Degradation { subsystem, fallback, cause };
        if !self.degraded.contains(&degradation) {
            self.degraded.push(degradation);
        }
    }

    /// Adds a line for the log of the engine's decisions.
    pub fn note(&mut self, line: String) {
        self.notes.push(line);
    }

    /// The lines that were noted.
    pub(crate) fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Takes the degradations so far.
    pub(crate) fn take_degraded(&mut self) -> Vec<Degradation> {
        std::mem::take(&mut self.degraded)
    }

    /// Rebuilds the view from all operations so far.
    ///
    /// # Errors
    /// [`ViewError`] if an operation names something that is not in view. The draft is of no more use then.
    pub fn settle(&mut self) -> Result<(), ViewError> {
        let edit = self.edit(EditReason::Manual, Vec::new());
        self.view = self.base.edited(&edit, self.counter)?;
        Ok(())
    }

    /// The edit that all operations so far add up to.
    pub(crate) fn edit(&self, reason: EditReason, strategies: Vec<String>) -> Edit {
        let covers = self.covers.iter().map(|(span, summary, note)| Action::Cover {
            span: *span,
            summary: Some(summary.clone()),
            note: note.clone(),
        });
        let inputs = self.inputs.iter().map(|(call_id, (input, stored))| Action::ReplaceInput {
            call_id: call_id.clone(),
            input: input.clone(),
            stored: stored.clone(),
        });
        let results = self.results.iter().map(|(call_id, (text, stored))| Action::ReplaceResult {
            call_id: call_id.clone(),
            text: text.clone(),
            stored: stored.clone(),
        });
        Edit { reason, actions: covers.chain(inputs).chain(results).collect(), strategies }
    }

    /// The bytes that the edit names and the pictures that these name in turn, in the order of their names.
    pub(crate) fn into_kept(self) -> Vec<ClearedResult> {
        let mut named: HashSet<String> = HashSet::new();
        let mut look = |text: &str| named.extend(refs(text).map(str::to_owned));
        self.covers.iter().for_each(|(_, summary, _)| look(summary));
        for (text, stored) in self.results.values() {
            look(text);
            look(stored.as_str());
        }
        for (input, stored) in self.inputs.values() {
            look(&input.to_string());
            look(stored.as_str());
        }
        let texts = self.kept.values().filter(|kept| named.contains(kept.stored.as_str()));
        let pictures: Vec<String> = texts
            .filter_map(|kept| std::str::from_utf8(&kept.bytes).ok())
            .flat_map(pictures_in)
            .map(|picture| picture.as_str().to_owned())
            .collect();
        named.extend(pictures);
        self.kept.into_values().filter(|kept| named.contains(kept.stored.as_str())).collect()
    }
}

#[cfg(test)]
mod tests;
