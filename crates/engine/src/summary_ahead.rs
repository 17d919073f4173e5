//! Summaries that a model writes while the session works, so that no compaction waits for them.

use std::sync::{Arc, Mutex, PoisonError};

use throughline_compaction::{
    Compactor, Goal, RequestObserver, Spending, Summarizer, SummaryCollector, SummaryJob, WrittenSummary,
};
use throughline_conversation::{EditReason, ModelUse, SideAnswer, SideRequest};
use throughline_text::error_chain;

use crate::compacting::job;
use crate::event::Event;
use crate::operation::Operation;
use crate::summary_due::is_due;

/// A summary that will be needed, to be written while the session works. The loop runs it alongside the turn, and hands its end to
/// [`Operation::summary_written`].
#[derive(Debug)]
pub struct SummaryTask {
    number: u64,
    jobs: Vec<SummaryJob>,
    summarizer: Arc<dyn Summarizer>,
}

/// How a [`SummaryTask`] ended.
#[derive(Debug)]
pub struct SummaryEnd {
    number: u64,
    written: Vec<WrittenSummary>,
    failed: Option<String>,
    used: Vec<ModelUse>,
    requests: Vec<SideMoment>,
}

/// A request for a summary began or ended.
#[derive(Debug)]
enum SideMoment {
    Asked(SideRequest),
    Ended(SideAnswer),
}

/// Notes requests, to report them later.
#[derive(Debug, Default)]
struct SideNotes(Mutex<Vec<SideMoment>>);

impl SideNotes {
    fn note(&self, moment: SideMoment) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(moment);
    }
}

impl RequestObserver for SideNotes {
    fn asked(&self, request: SideRequest) {
        self.note(SideMoment::Asked(request));
    }

    fn ended(&self, answer: SideAnswer) {
        self.note(SideMoment::Ended(answer));
    }
}

impl SummaryTask {
    /// Asks the model. Dropping the future is harmless; then call [`Operation::summary_abandoned`].
    pub async fn run(self) -> SummaryEnd {
        let notes = SideNotes::default();
        let (mut written, mut failed) = (Vec::new(), None);
        let used = {
            let spending = Spending::observed(&notes);
            for job in &self.jobs {
                match job.write(self.summarizer.as_ref(), &spending).await {
                    Ok(summary) => written.push(summary),
                    Err(error) => {
                        failed = Some(error_chain(&error));
                        break;
                    }
                }
            }
            spending.sums()
        };
        let requests = notes.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        SummaryEnd { number: self.number, written, failed, used, requests }
    }
}

impl SummaryTask {
    /// Its end where it may not be run.
    #[must_use]
    pub fn refused(self, why: String) -> SummaryEnd {
        let failed = Some(why);
        SummaryEnd {
            number: self.number,
            written: Vec::new(),
            failed,
            used: Vec::new(),
            requests: Vec::new(),
        }
    }
}

impl Operation<'_> {
    /// The summary that a compaction will need soon, if one is expected within the time that a model takes to write it. Call it
    /// when no call is open: the request is made of the messages of this moment.
    pub async fn begin_summary(&mut self) -> Option<SummaryTask> {
        let turn = self.turn;
        let state = &mut self.engine.state;
        let prepared = state.model.prepared(state.session.ahead())?;
        if !is_due(&state.session, &state.window, state.frame())
            || prepared.fits(state.session.view().entries())
        {
            return None;
        }
        let model = &state.model;
        let collector = Arc::new(SummaryCollector::new(state.session.shared_counter()));
        let policy = &model.settings.compaction;
        let compactor = Compactor::new(policy.clone(), Some(Arc::clone(&collector) as Arc<dyn Summarizer>));
        let frame = state.frame();
        let mut due = job(&state.session, &state.window, frame, Goal::Deep, EditReason::Early);
        due.instructions = policy.instructions.as_deref();
        // What it would change is thrown away.
        let _ = compactor.compact(&due).await;
        let jobs = collector.take();
        if jobs.is_empty() {
            return None;
        }
        let summarizer = prepared.inner();
        let now = state.session.now();
        let number = state.session.ahead_mut().begin(now);
        let line = "a summary is written ahead of the next compaction";
        state.session.log_decision(&turn, "compact", line.to_owned(), "a compaction is expected");
        Some(SummaryTask { number, jobs, summarizer })
    }

    /// Takes the end of a [`SummaryTask`]: what it has used is recorded, and the next compaction uses its summary if the messages
    /// are unchanged.
    pub fn summary_written(&mut self, end: SummaryEnd) {
        let turn = self.turn;
        let state = &mut self.engine.state;
        let SummaryEnd { number, written, failed, used, requests } = end;
        for moment in requests {
            turn.sink.emit(match moment {
                SideMoment::Asked(request) => Event::SideAsked(request),
                SideMoment::Ended(answer) => Event::SideAnswered(answer),
            });
        }
        let prices = state.model.info.prices;
        state.session.note_summaries(&used);
        for used in &used {
            state.session.record_usage(&turn, used.clone());
        }
        let now = state.session.now();
        let usable = state.session.ahead_mut().end(number, failed.is_none(), now);
        match (state.model.prepared(state.session.ahead()), failed) {
            (Some(prepared), None) if usable => {
                let unused = prepared.put(written, used);
                state.session.throw_away(prices, &unused);
            }
            (_, failed) => {
                state.session.throw_away(prices, &used);
                let why = failed.unwrap_or_else(|| "the view has changed".to_owned());
                state.session.record_decision("compact", "a summary that was written ahead is not used", why);
            }
        }
    }

    /// A [`SummaryTask`] was stopped before its end. What it has used is not known.
    pub fn summary_abandoned(&mut self) {
        let turn = self.turn;
        let state = &mut self.engine.state;
        if !state.session.ahead_mut().abandon() {
            return;
        }
        let mut used = ModelUse::of(state.model.origin());
        used.add_unreported();
        state.session.record_usage(&turn, used);
    }
}
