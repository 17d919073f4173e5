//! `!command`: a command that the user runs. The model sees its output with the next message.

use std::sync::Arc;

use serde_json::json;
use throughline_agent::{Event, EventSink as _};
use throughline_conversation::{ContentBlock, ToolCall};
use throughline_text::cut_end;
use throughline_tools::{CancelFlag, ToolContext, ToolOutput};
use throughline_tui::{ResultExcerpt, Show, TurnState};

use super::background::NO_SESSION;
use super::driver::{Driver, Flow};
use super::turn::run_with_input;

/// Bytes of an output that the model sees.
const MAX_OUTPUT_BYTES: usize = 30_000;

impl Driver {
    /// Runs a command of the user through the session's shell tool, without a question: the user asked for it.
    pub(super) async fn run_user_command(&mut self, command: &str) -> Flow {
        let background = self.background();
        let (setup, screen) = (&self.setup, &self.setup.screen);
        let Some(live) = &mut self.live else {
            screen.notice(NO_SESSION);
            return Flow::Stay;
        };
        let Some(shell) = live.session.base_tools().and_then(|tools| tools.get("shell")) else {
            screen.problem("This session has no shell tool (--tools).");
            return Flow::Stay;
        };
        let id = format!("user-{}", live.user_output.len() + 1);
        let call = ToolCall { id, name: "shell".to_owned(), input: json!({ "command": command }) };
        screen.turn(TurnState::Working);
        screen.emit(Event::ToolStarted {
            call_id: call.id.clone(),
            name: call.name.clone(),
            input: call.input.clone(),
        });
        let cancel = CancelFlag::new();
        let context = ToolContext {
            cancel: cancel.clone(),
            output: Some(Arc::new(screen.clone())),
            ..ToolContext::new(&setup.workspace)
        };
        let running = shell.call(&call, &context);
        let (output, pending) = run_with_input(running, &mut self.input, &background, &cancel).await;
        live.user_output.push(for_the_model(command, &output));
        let text = String::from_utf8_lossy(&output.bytes);
        screen.show(Show::ToolResult { call_id: call.id.clone(), result: ResultExcerpt::of(&text) });
        screen.emit(Event::ToolFinished {
            call_id: call.id,
            name: call.name,
            bytes: output.bytes.len() as u64,
            is_error: output.is_error,
            output: text.into_owned(),
            offloaded: None,
        });
        self.look_at_git();
        self.afterwards(pending)
    }
}

/// The command and its output, as the model sees them.
fn for_the_model(command: &str, output: &ToolOutput) -> ContentBlock {
    let text = String::from_utf8_lossy(&output.bytes);
    let shown = cut_end(&text, MAX_OUTPUT_BYTES);
    let cut = if shown.len() < text.len() { "\n[The output is longer.]" } else { "" };
    ContentBlock::attached_command(command, &format!("{}{cut}", shown.trim_end()))
}

#[cfg(test)]
mod tests;
