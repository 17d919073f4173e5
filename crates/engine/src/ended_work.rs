//! Notes about work that has ended while the model did something else.

use throughline_conversation::{ContentBlock, Message, ModelUse, Role, Source};
use throughline_resultstore::ResultKind;

use crate::engine_error::EngineError;
use crate::operation::Operation;
use crate::steps::shown_output;

/// Work in the background that has ended, for the model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EndedWork {
    /// The tool that began it.
    pub tool: &'static str,
    /// What the model reads. A long text is stored and shown in part, as a result of the tool is.
    pub text: String,
    /// What models used for it. The session pays.
    pub used: Vec<ModelUse>,
}

impl Operation<'_> {
    /// Adds a note of the engine about work that has ended: at the beginning of the turn that runs, or behind the results of its
    /// calls.
    ///
    /// # Errors
    /// [`OrderError`](crate::OrderError) if a request, calls or a summary are open. Nothing is added then.
    pub async fn note_ended(&mut self, ended: Vec<EndedWork>) -> Result<(), EngineError> {
        if ended.is_empty() {
            return Ok(());
        }
        self.finish_own_calls().await;
        self.check_idle()?;
        let mut step = self.step();
        let mut content = Vec::new();
        for EndedWork { tool, text, used } in ended {
            for used in used {
                step.state.session.record_usage(&step.turn, used);
            }
            let (text, offloaded) =
                shown_output(&mut step, ResultKind::Other, (tool, ""), text.as_bytes()).await;
            step.state.session.note_offloaded(offloaded);
            content.push(ContentBlock::Text { text });
        }
        let Operation { engine, turn } = self;
        let session = &mut engine.state.session;
        session.append_message(turn, Message { role: Role::User, content }, Source::Engine);
        session.flush(turn).await;
        Ok(())
    }
}
