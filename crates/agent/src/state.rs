//! Rebuilding STATE by the session's model.

use throughline_conversation::Purpose;
use throughline_engine::{EventSink, Rebuilt, StateAnswer, TurnContext};
use throughline_tools::CancelFlag;

use crate::agent::Agent;
use crate::side::ask_side;

impl Agent {
    /// Rebuilds STATE over the whole view: by the model, or by rule if `by_model` is false or the model does not answer. It
    /// can be stopped while the model answers.
    pub async fn rebuild_state(
        &mut self,
        by_model: bool,
        sink: &dyn EventSink,
        cancel: &CancelFlag,
    ) -> Rebuilt {
        let sink = &self.listener.with(sink);
        let turn = TurnContext { sink, cancel };
        let request = if by_model { self.parts.engine.state_request() } else { None };
        let Some(request) = request else {
            return self.parts.engine.operation(sink, cancel).rebuild_state(StateAnswer::Missing).await;
        };
        let (answer, used) = ask_side(&self.parts, &request, Purpose::State, &turn).await;
        // From here on the transcript must have one owner again, or the next append copies all of it.
        drop(request);
        let mut operation = self.parts.engine.operation(sink, cancel);
        operation.record_lost(used);
        let answer = match answer {
            Some(Ok(text)) => StateAnswer::Text(text),
            Some(Err(error)) => {
                operation.state_failed(&error);
                StateAnswer::Missing
            }
            None => {
                operation.flush().await;
                return Rebuilt::Stopped;
            }
        };
        operation.rebuild_state(answer).await
    }
}
