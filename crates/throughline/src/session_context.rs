//! What another agent must know of a stored session to continue it.

mod stored;

pub use stored::ContextEntry;

use serde::{Deserialize, Serialize};
use throughline_conversation::{ExchangeId, Message, MessageRecord, RecordBody, Source};
use throughline_documents::SessionContext;
use throughline_watch::{is_agent_note, is_inserted_text};

use crate::error::Result;
use crate::handle::SessionHandle;

/// The context of a session, and what its text quotes beyond the summary.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RestoredContext {
    /// The summary.
    pub summary: SessionContext,
    /// Errors that did not go away, oldest first.
    pub open_errors: Vec<String>,
    /// The last request of the user.
    pub last_request: String,
}

impl RestoredContext {
    /// The text for an agent; see [`SessionContext::restoring_text`].
    #[must_use]
    pub fn text(&self, how_to_search: &str) -> String {
        self.summary.restoring_text(&self.open_errors, &self.last_request, how_to_search)
    }
}

impl SessionHandle {
    /// The context of the session: from its handoff, without a model.
    ///
    /// # Errors
    /// The log or the list of sessions cannot be read.
    pub async fn restored_context(&self) -> Result<RestoredContext> {
        let handoff = self.handoff().await?;
        let last_request = self.last_request().await?;
        let errors = handoff.ledger.iter().flat_map(|ledger| &ledger.errors);
        let open_errors = errors.map(|error| format!("{} {}: {}", error.tool, error.about, error.text));
        Ok(RestoredContext {
            open_errors: open_errors.collect(),
            summary: SessionContext::of(&handoff, &last_request),
            last_request,
        })
    }

    /// The text of the user's last message that is not hidden; empty without one.
    async fn last_request(&self) -> Result<String> {
        let mut requests: Vec<(ExchangeId, String)> = Vec::new();
        let view = self.storage.view(&self.session, self.counter.as_ref(), |record| {
            if let RecordBody::Message(MessageRecord { message, source: Source::User, .. }) = &record.body {
                requests.extend(request(message).map(|text| (record.exchange, text)));
            }
        });
        let view = view.await?;
        let shown = |(exchange, _): &(ExchangeId, String)| !view.groups().status(*exchange).is_hidden();
        Ok(requests.into_iter().rfind(shown).map(|(_, text)| text).unwrap_or_default())
    }
}

/// What the user wrote in a message, without the notes that another agent added to it. `None`: nothing.
fn request(message: &Message) -> Option<String> {
    let texts: Vec<&str> =
        message.texts().filter(|text| !text.trim().is_empty() && !is_inserted_text(text)).collect();
    let own: Vec<&str> = texts.iter().copied().filter(|text| !is_agent_note(text)).collect();
    // A lone text may be markup that the user asks about.
    let asked = if own.is_empty() && texts.len() == 1 { texts } else { own };
    (!asked.is_empty()).then(|| asked.join("\n"))
}

#[cfg(test)]
mod tests;
