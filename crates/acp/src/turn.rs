//! A turn: a message of the user, or a line that begins with `/`.

use agent_client_protocol::Error;
use agent_client_protocol::v1::schema::{
    CompactionStatus, ContentBlock, ContentChunk, PromptResponse, SessionInfoUpdate, SessionUpdate,
    StopReason, TextContent,
};
use serde_json::json;
use throughline_continuity::{SessionDirectory as _, title_of};
use throughline_conversation::EntryKind;
use throughline_session::{RunEnding, Session};

use crate::calls::fenced;
use crate::failure::{broken, of_library};
use crate::options::AcpOptions;
use crate::prompt::Prompt;
use crate::session::{Turn, Work};
use crate::sink::meta;

impl Turn {
    /// Runs the turn.
    ///
    /// # Errors
    /// There is no complete answer. What the session has is in its log.
    pub(crate) async fn run(self, options: &AcpOptions, prompt: Prompt) -> Result<PromptResponse, Error> {
        let mut work = self.work().await?;
        let Some(Work { run, config, .. }) = work.as_mut() else {
            return Err(broken("the session is closed"));
        };
        let is_command = prompt.is_text() && options.commands.is_command(&prompt.text);
        let meant = options.commands.message(&prompt.text, config).filter(|_| is_command);
        if is_command && meant.is_none() {
            return Ok(self.command(options, run, prompt.text.trim()).await);
        }
        self.name(options, &prompt.text).await?;
        let prompt = meant.map_or(prompt, Prompt::of_text);
        let sink = &self.session.sink;
        let before = sink.tally().meter.cost().clone();
        let ended = run.message_turn(prompt.message(), sink, &self.cancel).await;
        let ending = ended.map_err(|error| of_library(&error))?;
        let tally = sink.tally();
        let ending = ending.checked(&self.session.id, &tally, &options.storage);
        sink.send_summary(newest_summary(run));
        self.session.send_figures(run);
        let after = tally.meter.cost();
        let used = json!({
            "outcome": ending.kind,
            "requests": after.all_requests().saturating_sub(before.all_requests()),
            "input_tokens": after.usage.prompt().saturating_sub(before.usage.prompt()),
            "output_tokens": after.usage.output.saturating_sub(before.usage.output),
        });
        Ok(PromptResponse::new(stop_reason(&ending)?).meta(meta(used)))
    }

    /// Runs a command. Its answer is shown as a message, or the reason why it failed.
    async fn command(&self, options: &AcpOptions, run: &mut Session, line: &str) -> PromptResponse {
        let AcpOptions { commands, storage, .. } = options;
        let sink = &self.session.sink;
        if commands.compacts(line) {
            sink.begin_compaction();
        }
        let answer = commands.run(line, storage, run, sink, &self.cancel).await;
        let (text, why) = match answer {
            Ok(text) => (fenced(&text), None),
            Err(why) => (why.clone(), Some(why)),
        };
        let cancelled = self.cancel.is_cancelled();
        let status = if cancelled { CompactionStatus::Cancelled } else { CompactionStatus::Failed };
        sink.end_compaction(status, why);
        let chunk = ContentChunk::new(ContentBlock::Text(TextContent::new(text)));
        self.session.link().update(SessionUpdate::AgentMessageChunk(chunk));
        sink.send_summary(newest_summary(run));
        self.session.send_figures(run);
        PromptResponse::new(if cancelled { StopReason::Cancelled } else { StopReason::EndTurn })
    }

    /// Names a session without a title after its first message.
    async fn name(&self, options: &AcpOptions, text: &str) -> Result<(), Error> {
        let title = title_of(text);
        if title.is_empty() || !self.session.shown().title.is_empty() {
            return Ok(());
        }
        let renamed = options.storage.store.sessions().rename(&self.session.id, &title).await;
        renamed.map_err(|error| of_library(&error.into()))?;
        self.session.shown().title.clone_from(&title);
        self.session.link().update(SessionUpdate::SessionInfoUpdate(SessionInfoUpdate::new().title(title)));
        Ok(())
    }
}

/// The text of the newest summary in view.
fn newest_summary(run: &Session) -> Option<String> {
    let mut entries = run.agent.view().entries().iter().rev();
    entries.find(|entry| entry.kind == EntryKind::Summary).map(|entry| entry.message.text())
}

/// Why the turn stopped, in the words of the protocol.
///
/// # Errors
/// There is no complete answer.
fn stop_reason(ending: &RunEnding) -> Result<StopReason, Error> {
    match (ending.kind, &ending.error) {
        (RunEnding::INTERRUPTED, _) => Ok(StopReason::Cancelled),
        ("refused", _) => Ok(StopReason::Refusal),
        ("cut_off", _) => Ok(StopReason::MaxTokens),
        (_, None) => Ok(StopReason::EndTurn),
        (kind, Some(why)) => Err(broken(why.clone()).data(json!({ "outcome": kind }))),
    }
}
