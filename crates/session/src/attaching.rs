//! Attaches the files that messages name with `@`.

mod named_files;

use std::path::PathBuf;

use serde_json::json;
use throughline_conversation::{ContentBlock, Image, Message, ToolCall};
use throughline_tools::{ReadGrants, ToolContext, ToolRegistry, without_advice};

use crate::session::Session;
use named_files::{is_path, named_files};

/// Reads files by the tools of an open session, with their limits.
#[derive(Debug, Clone)]
pub struct FileAttacher {
    tools: ToolRegistry,
    /// What the session may read outside of the workspace; `None`: nothing more than its tools.
    grants: Option<ReadGrants>,
    workspace: PathBuf,
}

/// What became of the files that a message names.
#[derive(Debug, Default)]
struct Attached {
    texts: Vec<ContentBlock>,
    images: Vec<Image>,
    names: Vec<String>,
    /// Why others are not attached.
    problems: Vec<String>,
}

impl FileAttacher {
    /// `None`: the session has no tools for files.
    #[must_use]
    pub fn of(session: &Session) -> Option<Self> {
        let grants = session.permissions.read_grants().cloned();
        Some(Self { tools: session.base_tools()?.clone(), grants, workspace: session.workspace.clone() })
    }

    /// Adds to a message the files that this text of it names. Returns for the user what became of them.
    pub async fn attach(&self, message: &mut Message, text: &str) -> Vec<String> {
        let mut attached = Attached::default();
        let context = ToolContext::new(&self.workspace);
        for path in named_files(text) {
            // The user names it: that is the word that file tools need.
            if let Some(grants) = &self.grants
                && let Ok(real) = context.workspace.join(path).canonicalize()
            {
                grants.grant(real);
            }
            attached.add(path, &self.tools, &context).await;
        }
        message.content.extend(attached.texts);
        message.content.extend(attached.images.into_iter().map(ContentBlock::Image));
        let mut notices = attached.problems;
        if !attached.names.is_empty() {
            notices.push(format!("attached {}", attached.names.join(", ")));
        }
        notices
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
            self.problems.push(format!("{path} is not attached: {}", without_advice(content.trim())));
            return;
        }
        self.names.push(path.to_owned());
        self.texts.push(ContentBlock::attached_file(path, &content));
        self.images.extend(read.images);
    }
}
