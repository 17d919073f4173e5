//! The questions of a turn that wait for an answer.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use throughline_permission::Approval;
use throughline_tools::{ElicitationAnswer, Form};
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
    takes: Takes,
    reply: oneshot::Sender<QuestionReply>,
}

/// Which answers a question takes.
#[derive(Debug)]
pub(super) enum Takes {
    /// Whether a call may run. `rule`: one can be remembered.
    Approval { rule: bool },
    /// Values of a form, or of none: the agreement to visit a page.
    Values(Option<Form>),
}

/// An answer to a question.
#[derive(Debug, Clone)]
pub(crate) enum QuestionReply {
    /// Whether a call may run.
    Approval(Approval),
    /// What the server of a tool learns.
    Elicitation(ElicitationAnswer),
}

/// A question that was asked.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) id: String,
    pub(super) object: Value,
    pub(super) answer: oneshot::Receiver<QuestionReply>,
}

impl Questions {
    /// Asks a question, which is open until it is answered or withdrawn. `object` makes its event, with its id.
    pub(super) fn ask(&self, takes: Takes, object: impl FnOnce(&str) -> Value) -> Asked {
        let mut state = self.state();
        state.asked += 1;
        let id = format!("q{}", state.asked);
        let object = object(&id);
        let (reply, answer) = oneshot::channel();
        state.open.insert(id.clone(), OpenQuestion { object: object.clone(), takes, reply });
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
    pub(crate) fn answer(&self, id: &str, reply: QuestionReply) -> Result<(), Failure> {
        let gone = || {
            let id = throughline_text::cut_end(id, 40);
            let why = format!(
                "there is no open question {id:?}; it was answered, or withdrawn, or its time is over"
            );
            Failure::missing(why)
        };
        let mut state = self.state();
        let question = state.open.get(id).ok_or_else(gone)?;
        let reply = question.takes.checked(reply).map_err(Failure::input)?;
        let question = state.open.remove(id).ok_or_else(gone)?;
        question.reply.send(reply).map_err(|_| gone())
    }

    fn state(&self) -> MutexGuard<'_, QuestionState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Takes {
    /// The answer, if the question takes it.
    fn checked(&self, reply: QuestionReply) -> Result<QuestionReply, String> {
        match (self, reply) {
            (
                Self::Approval { rule: false },
                QuestionReply::Approval(Approval::Always | Approval::AlwaysBy(_)),
            ) => Err(
                "such calls are asked about each time: no rule can be remembered; answer `once` or `deny`"
                    .to_owned(),
            ),
            (Self::Values(Some(form)), QuestionReply::Elicitation(ElicitationAnswer::Accept(values))) => {
                let values =
                    form.check(&values).map_err(|why| format!("`content` does not fit the form: {why}"))?;
                Ok(QuestionReply::Elicitation(ElicitationAnswer::Accept(values)))
            }
            (Self::Values(None), QuestionReply::Elicitation(ElicitationAnswer::Accept(values)))
                if !values.is_empty() =>
            {
                Err("a page takes no `content`".to_owned())
            }
            (Self::Approval { .. }, reply @ QuestionReply::Approval(_))
            | (Self::Values(_), reply @ QuestionReply::Elicitation(_)) => Ok(reply),
            (Self::Approval { .. }, _) => Err("this question takes `once`, `always` or `deny`".to_owned()),
            (Self::Values(_), _) => Err("this question takes `accept`, `decline` or `cancel`".to_owned()),
        }
    }
}
