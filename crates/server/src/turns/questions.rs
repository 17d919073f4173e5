//! The questions of a turn that wait for an answer.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use throughline_permission::{Approval, ApprovalRequest};
use tokio::sync::oneshot;

use crate::answer::Failure;

/// The questions of one turn.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    state: Mutex<QuestionState>,
}

#[derive(Debug, Default)]
struct QuestionState {
    asked: u64,
    open: BTreeMap<String, OpenQuestion>,
}

#[derive(Debug)]
struct OpenQuestion {
    object: Value,
    has_rule: bool,
    reply: oneshot::Sender<Approval>,
}

/// A question that was asked.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) id: String,
    pub(super) object: Value,
    pub(super) answer: oneshot::Receiver<Approval>,
}

impl Questions {
    /// Asks a question, which is open until it is answered or withdrawn.
    pub(super) fn ask(&self, request: &ApprovalRequest, patience: Duration) -> Asked {
        let mut state = self.state();
        state.asked += 1;
        let id = format!("q{}", state.asked);
        let choices: &[&str] =
            if request.rule.is_some() { &["once", "always", "deny"] } else { &["once", "deny"] };
        let object = json!({
            "type": "question",
            "question": id,
            "call_id": request.call.id,
            "name": request.call.name,
            "input": request.call.input,
            "why": request.why,
            "rule": request.rule,
            "choices": choices,
            "timeout_ms": u64::try_from(patience.as_millis()).unwrap_or(u64::MAX),
        });
        let (reply, answer) = oneshot::channel();
        let open = OpenQuestion { object: object.clone(), has_rule: request.rule.is_some(), reply };
        state.open.insert(id.clone(), open);
        Asked { id, object, answer }
    }

    /// Closes a question without an answer.
    pub(super) fn withdraw(&self, id: &str) {
        self.state().open.remove(id);
    }

    /// The open questions.
    pub(super) fn open(&self) -> Vec<Value> {
        self.state().open.values().map(|question| question.object.clone()).collect()
    }

    /// Answers a question.
    ///
    /// # Errors
    /// There is no such question any more, or it does not take this answer.
    pub(crate) fn answer(&self, id: &str, approval: Approval) -> Result<(), Failure> {
        let gone = || {
            let id = throughline_text::cut_end(id, 40);
            let why = format!(
                "there is no open question {id:?}; it was answered, or withdrawn, or its time is over"
            );
            Failure::missing(why)
        };
        let mut state = self.state();
        let question = state.open.get(id).ok_or_else(gone)?;
        if !question.has_rule && matches!(approval, Approval::Always | Approval::AlwaysBy(_)) {
            let why =
                "such calls are asked about each time: no rule can be remembered; answer `once` or `deny`";
            return Err(Failure::new(StatusCode::BAD_REQUEST, why));
        }
        let question = state.open.remove(id).ok_or_else(gone)?;
        question.reply.send(approval).map_err(|_| gone())
    }

    fn state(&self) -> MutexGuard<'_, QuestionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
