//! The user's message with the files that it names and the output of the user's commands.

use serde_json::json;
use throughline_conversation::{ContentBlock, Image, Message, ToolCall};
use throughline_text::error_chain;
use throughline_tools::{ToolContext, ToolRegistry};

use super::driver::Driver;
use super::named_files::{is_path, named_files};

/// What became of the files that a message names.
#[derive(Debug, Default)]
struct Attached {
    texts: Vec<ContentBlock>,
    images: Vec<Image>,
    names: Vec<String>,
    /// Why others are not attached.
    problems: Vec<String>,
}

impl Driver {
    /// The message: the text, output of the user's commands, a notice about files that an undo left changed, and the content of
    /// the files that it names with `@`. Files are read by the session's own tools, with their limits.
    pub(super) async fn message(&mut self, text: &str) -> Message {
        let mut message = Message::user(text);
        let Some(live) = &mut self.live else { return message };
        message.content.append(&mut live.user_output);
        let handle = live.target(&self.setup.data).handle;
        match handle.kept_files_notice(&live.session.agent, &self.setup.workspace).await {
            Ok(notice) => message.content.extend(notice.map(|text| ContentBlock::Text { text })),
            Err(error) => self.setup.screen.problem(error_chain(&error)),
        }
        let Some(tools) = live.session.base_tools() else { return message };
        let mut attached = Attached::default();
        let context = ToolContext::new(&self.setup.workspace);
        for path in named_files(text) {
            // The user names it: that is the word that file tools need.
            if let Some(grants) = live.session.permissions.read_grants()
                && let Ok(real) = context.workspace.join(path).canonicalize()
            {
                grants.grant(real);
            }
            attached.add(path, tools, &context).await;
        }
        for problem in attached.problems {
            self.setup.screen.notice(problem);
        }
        if !attached.names.is_empty() {
            self.setup.screen.notice(format!("attached {}", attached.names.join(", ")));
        }
        message.content.extend(attached.texts);
        message.content.extend(attached.images.into_iter().map(ContentBlock::Image));
        message
    }
}

impl Attached {
    /// Reads a file, or lists a folder.
    async fn add(&mut self, path: &str, tools: &ToolRegistry, context: &ToolContext) {
        let place = context.workspace.join(path);
        let name = if place.is_dir() { "list_files" } else { "read_file" };
        if !place.exists() {
            if is_path(path) {
                self.problems.push(format!("{path} is not attached: there is no such file"));
            }
            return;
        }
        let Some(reader) = tools.get(name) else { return };
        let input = json!({ "path": path });
        let read =
            reader.call(&ToolCall { id: format!("@{path}"), name: name.to_owned(), input }, context).await;
        let content = String::from_utf8_lossy(&read.bytes);
        if read.is_error {
            self.problems.push(format!("{path} is not attached: {}", content.trim()));
            return;
        }
        self.names.push(path.to_owned());
        self.texts.push(ContentBlock::attached_file(path, &content));
        self.images.extend(read.images);
    }
}
