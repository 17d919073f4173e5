//! Asks the clients of a turn whether a call may run.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use throughline_agent::Event;
use throughline_permission::{Approval, ApprovalRequest};
use throughline_session::{Attendance, NoUser, SubAgent, User, event_object};
use tokio::time::timeout;

use super::feed::Feed;
use super::questions::Questions;

/// Asks by an event of the turn. Without an answer in time a call is denied as in a session without a user.
#[derive(Debug)]
pub(super) struct FeedUser {
    pub(super) feed: Feed,
    pub(super) questions: Arc<Questions>,
    /// How long an answer may take; zero: nothing is asked.
    pub(super) patience: Duration,
}

#[async_trait]
impl User for FeedUser {
    fn attendance(&self) -> Attendance {
        Attendance::Unattended
    }

    fn event(&self, event: Event, agent: Option<&SubAgent>) {
        if let Some(object) = event_object(&event, agent) {
            self.feed.push(&object);
        }
    }

    async fn approve(&self, request: &ApprovalRequest) -> Approval {
        if self.patience.is_zero() {
            return NoUser.approve(request).await;
        }
        let asked = self.questions.ask(request, self.patience);
        self.feed.push(&asked.object);
        let mut question = OpenedQuestion { approver: self, id: asked.id, closed_by: "cancel" };
        match timeout(self.patience, asked.answer).await {
            Ok(Ok(approval)) => {
                question.closed_by = "answer";
                approval
            }
            _ => {
                question.closed_by = "timeout";
                drop(question);
                NoUser.approve(request).await
            }
        }
    }
}

/// Withdraws the question at its end, also when the turn is cancelled, and says why it is closed.
struct OpenedQuestion<'a> {
    approver: &'a FeedUser,
    id: String,
    closed_by: &'static str,
}

impl Drop for OpenedQuestion<'_> {
    fn drop(&mut self) {
        self.approver.questions.withdraw(&self.id);
        let object = json!({ "type": "question_closed", "question": self.id, "by": self.closed_by });
        self.approver.feed.push(&object);
    }
}
