//! Lines as Claude Code writes and resumes them, and as a `SessionStore` of the Claude Agent SDK holds them.
//!
//! A line has a message of the user, or one block of an answer; lines of one answer have the same `message.id`, and each names the
//! one before it. All ids are made of the session's, so that a session is written with the same bytes each time.

use std::io::Write;

use serde_json::{Map, Value, json};
use throughline_conversation::{SessionId, Usage, sha256};
use throughline_text::{hexadecimal, one_line_json};
use throughline_wire::anthropic::message_content;

use super::{LoggedMessage, each_message, write_line};
use crate::error::{Error, Result};
use crate::storage::Storage;

/// The provider whose thinking the agent can send back.
const PROVIDER: &str = "anthropic";

/// How the ids of sessions begin that were stored from the agent's transcripts.
const STORED: &str = "claude-";

/// A session as Claude Code knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaudeSession {
    /// Its id: a UUID of version 8 (RFC 9562), made of the session's own.
    pub id: String,
    /// The folder that it works in.
    pub folder: String,
}

impl ClaudeSession {
    /// That of a stored session.
    ///
    /// # Errors
    /// There is no such session, or the storage failed.
    pub async fn of(data: &Storage, session: &SessionId) -> Result<Self> {
        let info = data.session_info(session).await?;
        let info = info.ok_or_else(|| Error::missing(format!("there is no session {session}")))?;
        // One that was written so and stored again is the same one. One of the agent's own stays the agent's.
        let stored = session.as_str().strip_prefix(STORED).filter(|id| is_made(id));
        let id = stored.map_or_else(|| uuid(session.as_str()), str::to_owned);
        Ok(Self { id, folder: info.workspace })
    }

    /// Where the agent looks for its lines, below its own folder, which is `~/.claude` or `$CLAUDE_CONFIG_DIR`.
    #[must_use]
    pub fn path(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        format!("projects/{}/{}.jsonl", self.folder.chars().map(plain).collect::<String>(), self.id)
    }
}

/// Writes a session as lines of Claude Code.
///
/// # Errors
/// There is no such session, the log cannot be read, or `out` cannot be written: [`Error::Other`] with the `std::io::Error`.
pub async fn export_claude(data: &Storage, session: &SessionId, out: &mut (dyn Write + Send)) -> Result<()> {
    let ClaudeSession { id, folder } = ClaudeSession::of(data, session).await?;
    let mut lines = ClaudeLines { session: id, folder, written: 0, messages: 0 };
    each_message(data, session, &mut |said| {
        lines.of(&said).into_iter().try_for_each(|line| write_line(out, &one_line_json(&line.to_string())))
    })
    .await
}

/// A UUID of version 8 from a text.
fn uuid(text: &str) -> String {
    let digits = hexadecimal(&sha256(text.as_bytes()));
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    format!("{}-{}-8{}-a{}-{}", part(0, 8), part(8, 12), part(12, 15), part(15, 18), part(18, 30))
}

/// Returns true if it is a UUID of version 8.
fn is_made(id: &str) -> bool {
    let parts: Vec<&str> = id.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [8, 4, 4, 4, 12] && parts.get(2).is_some_and(|part| part.starts_with('8'))
}

/// What is written so far.
struct ClaudeLines {
    session: String,
    folder: String,
    /// Number of lines.
    written: u64,
    /// Number of answers.
    messages: u64,
}

impl ClaudeLines {
    /// The lines of a message; none of one that the API does not take.
    fn of(&mut self, said: &LoggedMessage<'_>) -> Vec<Value> {
        let content = message_content(&said.with_thinking_of(PROVIDER));
        if content.is_empty() {
            return Vec::new();
        }
        let Some(model) = said.model else { return vec![self.user(said, content)] };
        self.messages += 1;
        let id = uuid(&format!("{} message {}", self.session, self.messages)).replace('-', "");
        let calls = content.iter().any(|block| block.get("type") == Some(&json!("tool_use")));
        let answer = |block: Value| {
            json!({
                "id": format!("msg_{id}"),
                "type": "message",
                "role": "assistant",
                "model": model,
                "content": [block],
                "stop_reason": if calls { "tool_use" } else { "end_turn" },
                "stop_sequence": null,
                "usage": usage(said.usage.unwrap_or_default()),
            })
        };
        content.into_iter().map(|block| self.line(said, "assistant", answer(block))).collect()
    }

    fn user(&mut self, said: &LoggedMessage<'_>, mut content: Vec<Value>) -> Value {
        let content = match content.as_mut_slice() {
            [only] if only.get("text").is_some() => only.get_mut("text").map(Value::take).unwrap_or_default(),
            _ => Value::Array(content),
        };
        self.line(said, "user", json!({ "role": "user", "content": content }))
    }

    fn line(&mut self, said: &LoggedMessage<'_>, kind: &str, message: Value) -> Value {
        let id = |number: u64| uuid(&format!("{} line {number}", self.session));
        let parent = (self.written > 0).then(|| id(self.written));
        self.written += 1;
        let mut line = Map::new();
        line.insert("parentUuid".to_owned(), json!(parent));
        line.insert("isSidechain".to_owned(), json!(false));
        line.insert("userType".to_owned(), json!("external"));
        line.insert("cwd".to_owned(), json!(self.folder));
        line.insert("sessionId".to_owned(), json!(self.session));
        line.insert("version".to_owned(), json!(env!("CARGO_PKG_VERSION")));
        line.insert("gitBranch".to_owned(), json!(""));
        line.insert("type".to_owned(), json!(kind));
        line.insert("message".to_owned(), message);
        line.insert("uuid".to_owned(), json!(id(self.written)));
        line.insert("timestamp".to_owned(), json!(said.at.rfc3339()));
        Value::Object(line)
    }
}

fn usage(used: Usage) -> Value {
    json!({
        "input_tokens": used.input,
        "cache_creation_input_tokens": used.cache_write,
        "cache_read_input_tokens": used.cache_read,
        "output_tokens": used.output,
    })
}

#[cfg(test)]
mod tests;
