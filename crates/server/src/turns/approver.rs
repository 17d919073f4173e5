//! Asks the clients of a turn whether a call may run, and what the server of a tool wants to know.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};
use throughline_agent::Event;
use throughline_permission::{Approval, ApprovalRequest};
use throughline_session::{Attendance, NoUser, SubAgent, User, event_object};
use throughline_tools::{Elicitation, ElicitationAnswer, ElicitationRequest, Elicitor};
use tokio::time::timeout;

use super::feed::Feed;
use super::questions::{Asked, QuestionReply, Questions, Takes};

/// Asks by an event of the turn. Without an answer in time a call is denied as in a session without a user, and a server of a tool
/// learns that there is no answer.
#[derive(Debug, Clone)]
pub(super) struct FeedUser {
    asker: Arc<FeedAsker>,
}

/// What asks, and where.
#[derive(Debug)]
struct FeedAsker {
    feed: Feed,
    questions: Arc<Questions>,
    patience: Duration,
}

impl FeedUser {
    /// The clients of a feed. `patience`: how long an answer may take; zero: nothing is asked.
    pub(super) fn new(feed: Feed, questions: Arc<Questions>, patience: Duration) -> Self {
        Self { asker: Arc::new(FeedAsker { feed, questions, patience }) }
    }
}

#[async_trait]
impl User for FeedUser {
    fn attendance(&self) -> Attendance {
        Attendance::Unattended
    }

    fn event(&self, event: Event, agent: Option<&SubAgent>) {
        if let Some(object) = event_object(&event, agent) {
            self.asker.feed.push(&object);
        }
    }

    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        let choices: &[&str] =
            if request.rule.is_some() { &["once", "always", "deny"] } else { &["once", "deny"] };
        let question = json!({
            "type": "question",
            "call_id": request.call.id,
            "name": request.call.name,
            "input": request.call.input,
            "why": request.why,
            "rule": request.rule,
            "choices": choices,
        });
        match self.asker.reply(Takes::Approval { rule: request.rule.is_some() }, question).await {
            Some(QuestionReply::Approval(approval)) => approval,
            _ => NoUser.approve(request).await,
        }
    }

    fn elicitor(&self) -> Option<Arc<dyn Elicitor>> {
        let asks = !self.asker.patience.is_zero();
        asks.then(|| Arc::clone(&self.asker) as Arc<dyn Elicitor>)
    }
}

#[async_trait]
impl Elicitor for FeedAsker {
    async fn elicit(&self, elicitation: &Elicitation) -> ElicitationAnswer {
        let mut question = json!({
            "type": "elicitation",
            "server": elicitation.server,
            "message": elicitation.message,
            "mode": "form",
            "choices": ["accept", "decline", "cancel"],
        });
        let takes = match &elicitation.request {
            ElicitationRequest::Form(form) => {
                set(&mut question, "schema", form.schema.clone());
                Takes::Values(Some(form.clone()))
            }
            ElicitationRequest::Page { url } => {
                set(&mut question, "mode", json!("url"));
                set(&mut question, "url", json!(url));
                Takes::Values(None)
            }
        };
        match self.reply(takes, question).await {
            Some(QuestionReply::Elicitation(answer)) => answer,
            _ => ElicitationAnswer::Cancel,
        }
    }
}

fn set(object: &mut Value, field: &str, value: Value) {
    if let Value::Object(fields) = object {
        fields.insert(field.to_owned(), value);
    }
}

impl FeedAsker {
    /// Asks. `None`: nothing is asked, or there is no answer in time.
    async fn reply(&self, takes: Takes, mut question: Value) -> Option<QuestionReply> {
        if self.patience.is_zero() {
            return None;
        }
        let patience = u64::try_from(self.patience.as_millis()).unwrap_or(u64::MAX);
        let Asked { id, object, answer } = self.questions.ask(takes, |id| {
            set(&mut question, "question", json!(id));
            set(&mut question, "timeout_ms", json!(patience));
            question
        });
        self.feed.push(&object);
        let mut question = OpenedQuestion { asker: self, id, closed_by: "cancel" };
        let reply = timeout(self.patience, answer).await.ok().and_then(Result::ok);
        question.closed_by = if reply.is_some() { "answer" } else { "timeout" };
        reply
    }
}

/// Withdraws the question at its end, also when the turn is cancelled, and says why it is closed.
struct OpenedQuestion<'a> {
    asker: &'a FeedAsker,
    id: String,
    closed_by: &'static str,
}

impl Drop for OpenedQuestion<'_> {
    fn drop(&mut self) {
        self.asker.questions.withdraw(&self.id);
        let object = json!({ "type": "question_closed", "question": self.id, "by": self.closed_by });
        self.asker.feed.push(&object);
    }
}
