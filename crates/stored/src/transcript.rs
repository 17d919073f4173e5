//! A session in the format of another agent, to continue it there.
//!
//! All messages that were not undone are written, those that a compaction has removed from view, too. Large results are the
//! previews that the model saw; the system prompt is the other agent's own.

mod claude;
mod pydantic_ai;

use std::io::Write;

use throughline_agent::StartError;
use throughline_continuity::{Pages, Part, resume};
use throughline_conversation::{
    ContentBlock, Message, Millis, Record, RecordBody, SessionId, Source, Uncounted, Usage,
};

use crate::error::{Error, Result};
use crate::storage::Storage;

pub use claude::{ClaudeSession, export_claude};
pub use pydantic_ai::export_pydantic_ai;

/// A message of a log.
struct LoggedMessage<'r> {
    message: &'r Message,
    /// Who answered; `None`: it is not of the model.
    model: Option<&'r str>,
    /// The provider of the model that has answered last, or that answers next.
    provider: Option<&'r str>,
    at: Millis,
    usage: Option<Usage>,
}

impl LoggedMessage<'_> {
    /// The message, with thinking only where this provider gave it: no other one takes it.
    fn with_thinking_of(&self, provider: &str) -> Message {
        let mut message = self.message.clone();
        if self.provider != Some(provider) {
            message.content.retain(|block| !matches!(block, ContentBlock::Thinking(_)));
        }
        message
    }
}

/// Takes each message of a session that was not undone, in order and page by page. What cannot be read is noted.
async fn each_message(
    data: &Storage,
    session: &SessionId,
    take: &mut (dyn FnMut(LoggedMessage<'_>) -> Result<()> + Send),
) -> Result<()> {
    let (log, snapshots) = (data.log(), data.snapshots());
    let open = resume(log.as_ref(), snapshots.as_ref(), session, &Uncounted).await;
    let view = open.map_err(StartError::from)?.view;
    let mut provider = None;
    let mut pages = Pages::new(log.as_ref(), session, Part::All);
    while let Some(page) = pages.next().await? {
        data.note_lost(&page.unreadable);
        for record in &page.records {
            if let RecordBody::Model(model) = &record.body {
                provider = Some(model.origin.provider.clone());
            } else if let Some(logged) = logged(record, provider.as_deref())
                && !view.groups().status(record.exchange).is_hidden()
            {
                take(logged)?;
            }
        }
    }
    Ok(())
}

fn logged<'r>(record: &'r Record, provider: Option<&'r str>) -> Option<LoggedMessage<'r>> {
    let RecordBody::Message(said) = &record.body else { return None };
    let model = match &said.source {
        Source::Model(model) => Some(model.as_str()),
        _ => None,
    };
    Some(LoggedMessage { message: &said.message, model, provider, at: record.at, usage: said.usage })
}

fn write_line(out: &mut (dyn Write + Send), text: &str) -> Result<()> {
    writeln!(out, "{text}").map_err(|error| Error::Other(error.into()))
}
