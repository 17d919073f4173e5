//! Opening a session.

use std::sync::Arc;

use throughline_continuity::{merged, resume};
use throughline_conversation::{
    ModelRecord, PolicyRecord, RecordBody, Seq, SessionId, SettledRecord, ToolDefinition,
};
use throughline_documents::cleaned_documents;
use throughline_resultstore::ResultStore;
use throughline_tools::{CancelFlag, RepetitionGuard};

use super::continuing::continue_behind;
use super::{EngineBuilder, StartError};
use crate::active_model::ActiveModel;
use crate::engine::ContextEngine;
use crate::engine_tools;
use crate::event::NullSink;
use crate::prefix::Prefix;
use crate::rebuild_attempts::RebuildAttempts;
use crate::session::{OpenPorts, Session};
use crate::stage::Stage;
use crate::state::EngineState;
use crate::sync::KnownMessages;
use crate::tail::Tail;
use crate::toolbox::ToolBox;
use crate::turn_context::TurnContext;
use crate::window::{Window, window_of};

impl EngineBuilder {
    /// Opens a session: resumes it where its log ends, or starts it if the log is empty.
    ///
    /// # Errors
    /// [`StartError`] if the thresholds are impossible or the log cannot be read.
    pub async fn open(self, id: SessionId) -> Result<ContextEngine, StartError> {
        let counter = Arc::clone(&self.counter);
        let mut found = resume(self.log.as_ref(), self.snapshots.as_ref(), &id, counter.as_ref()).await?;
        let last = found.model.take();
        let thinking = last.as_ref().and_then(|model| model.thinking);
        let mut window = self.window(last)?;
        let mut prefix = Prefix::new(self.sources.clone(), self.settings.placement);
        if let Some(prompt) = found.prompt.take() {
            prefix.restore_system(prompt.sections.into(), counter.as_ref());
        }
        let active = found.tools.take().map(|record| record.tools).unwrap_or_default();
        let catalogue = engine_tools::catalogue(&self.continuity, &self.tools);
        let mut tools = self.tool_box(&id, catalogue.tools);
        let (rebuilt, receipt, recorded) = (found.rebuilt.take(), found.receipt.clone(), found.policy.take());
        let (checkpoint, mut unreadable) = (found.checkpoint.clone(), std::mem::take(&mut found.unreadable));
        let mut session = Session::resumed(id, found, self.open_ports());
        unreadable.extend(session.remember_keys().await?);
        if let Some(checkpoint) = &checkpoint {
            session.catch_up(checkpoint).await;
        }
        let EngineBuilder { info, server, settings, summaries, continuity, policy, events, .. } = self;
        let model = ActiveModel::new(info, server, settings, summaries);

        let last = receipt.as_ref();
        if tools.resume(active, last, &model.info.name, &mut session, &mut window).await {
            // The tools are in front of all that the cache has, and the report counted others.
            session.forget_earlier();
        } else if let Some(last) = last {
            continue_behind(last, &mut session, &mut window, &mut prefix, &tools, &model).await;
        }
        let settled = read_by(&model, thinking, &mut session, &mut window).await;
        record_policy(&mut session, policy, recorded);
        clean_documents(&mut session);
        window.note_counted(session.view().epoch());
        let note = continuity.resume_note(&session, checkpoint.as_ref()).await;
        let tail = Tail::of_resume(note, checkpoint, session.open_complaints(continuity.documents));
        let state = EngineState { session, window, prefix, tools, tail, model, continuity };
        let mut engine = ContextEngine {
            rebuilds: RebuildAttempts::of(&state.model),
            state,
            stage: Stage::Idle,
            known: KnownMessages::default(),
            rebuilt,
            unreadable: merged(unreadable),
            events,
            in_listed_turn: false,
            opened: (Seq(0), 0),
        };
        engine.continue_log(receipt.as_ref(), &settled);
        engine.report_left_out(catalogue.left_out);
        Ok(engine)
    }

    fn open_ports(&self) -> OpenPorts {
        OpenPorts {
            log: Arc::clone(&self.log),
            snapshots: Arc::clone(&self.snapshots),
            clock: Arc::clone(&self.clock),
            counter: Arc::clone(&self.counter),
            spending: self.spending.clone(),
            summaries_ahead: self.summaries_ahead,
        }
    }

    fn window(&self, last: Option<ModelRecord>) -> Result<Window, StartError> {
        let learnt = last.map(|model| model.learnt).unwrap_or_default();
        let known = learnt.get(&self.info.origin().to_string()).copied();
        let (total, reserved, limits) = window_of(&self.info, &self.settings, known)?;
        Ok(Window::new(total, reserved, limits, learnt))
    }

    fn tool_box(&self, id: &SessionId, catalogue: Arc<[ToolDefinition]>) -> ToolBox {
        let inline = engine_tools::inline().chain(self.inline.iter().cloned());
        let results = ResultStore::new(Arc::clone(&self.results), id.clone(), self.settings.offload, inline);
        ToolBox::new(
            catalogue,
            Arc::clone(&self.ranker),
            Arc::clone(&self.results),
            results,
            self.settings.deferral,
            (!self.allow_repetition).then(|| RepetitionGuard::new(self.settings.max_stalled_requests)),
        )
    }
}

/// Shows the view as the model reads it. If another model has read it last, its open calls are closed, and the model is
/// recorded; also if it was asked for another amount of thinking. Returns the results of open calls that have come.
async fn read_by(
    model: &ActiveModel,
    thinking: Option<u64>,
    session: &mut Session,
    window: &mut Window,
) -> Vec<SettledRecord> {
    let settled = session.settled_results().await;
    let reads = session
        .view()
        .reader()
        .is_some_and(|reader| *reader.origin == model.origin() && reader.foreign == model.settings.foreign);
    if !reads {
        let cancel = CancelFlag::default();
        session.close_open_calls(&TurnContext { sink: &NullSink, cancel: &cancel }, &settled);
    }
    if !reads || thinking != model.info.thinking {
        session.record_model(window, model);
    }
    settled
}

/// Removes control and invisible characters from stored documents.
fn clean_documents(session: &mut Session) {
    let cancel = CancelFlag::default();
    for record in cleaned_documents(session.view().documents()) {
        session.write_document(&TurnContext { sink: &NullSink, cancel: &cancel }, record);
    }
}

/// Records the policy that the settings come from, unless it is the one recorded last. The next receipt names the one before.
fn record_policy(session: &mut Session, name: Option<String>, recorded: Option<PolicyRecord>) {
    let before = recorded.map(|policy| policy.name);
    if let Some(name) = name.filter(|name| before.as_ref() != Some(name)) {
        if let Some(before) = &before {
            let what = format!("policy {name} continues after {before}");
            session.record_decision("switch", what, "the user asked for it");
        }
        session.record(RecordBody::Policy(PolicyRecord { name, before, economy: None }));
    }
}
