//! The user's message with the files that it names and the output of the user's commands.

use serde_json::json;
use throughline_conversation::{ContentBlock, Message, ToolCall};
use throughline_text::error_chain;
use throughline_tools::ToolContext;

use super::driver::Driver;

/// Most files that are attached to a message.
const MOST: usize = 10;

impl Driver {
    /// The message: output of the user's commands, the text, a notice about files that an undo left changed, and the content of
    /// the files that it names with `@`. Files are read by the session's own tool, with its limits.
    pub(super) async fn message(&mut self, text: &str) -> Message {
        let Some(live) = &mut self.live else { return Message::user(text) };
        let mut parts = std::mem::take(&mut live.user_output);
        parts.push(text.to_owned());
        let handle = live.target(&self.setup.data).handle;
        match handle.kept_files_notice(&live.agent, &self.setup.workspace).await {
            Ok(notice) => parts.extend(notice),
            Err(error) => self.setup.screen.problem(error_chain(&error)),
        }
        let mut images = Vec::new();
        let reader = live.own_tools.as_ref().and_then(|tools| tools.get("read_file"));
        let context = ToolContext::new(&self.setup.workspace);
        for path in named_files(text) {
            let Some(reader) = reader.as_ref().filter(|_| context.workspace.join(path).is_file()) else {
                continue;
            };
            let input = json!({ "path": path });
            let call = ToolCall { id: format!("@{path}"), name: "read_file".to_owned(), input };
            let read = reader.call(&call, &context).await;
            let content = String::from_utf8_lossy(&read.bytes);
            if read.is_error {
                self.setup.screen.notice(format!("{path} is not attached: {}", content.trim()));
                continue;
            }
            parts.push(format!("Content of {path}:\n{}", content.trim_end()));
            images.extend(read.images);
        }
        let mut message = Message::user(parts.join("\n\n"));
        message.content.extend(images.into_iter().map(ContentBlock::Image));
        message
    }
}

/// The paths behind an `@` at the beginning of a word.
fn named_files(text: &str) -> Vec<&str> {
    let mut paths: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        let path = word.trim_start_matches('(').strip_prefix('@');
        let path = path.map(|path| path.trim_end_matches([',', ';', ':', ')', '?', '!']));
        // A sentence may end with a path.
        let path = path.map(|path| path.strip_suffix('.').unwrap_or(path));
        if let Some(path) = path.filter(|path| !path.is_empty() && !paths.contains(path)) {
            paths.push(path);
        }
    }
    paths.truncate(MOST);
    paths
}

#[cfg(test)]
mod tests;
