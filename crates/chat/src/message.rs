//! What the user says: messages, with the files that they name and the output of the user's commands, and memos.

use throughline_commands::memos::add;
use throughline_commands::refusal;
use throughline_conversation::{ContentBlock, Message};
use throughline_stored::Memos;
use throughline_text::error_chain;

use super::driver::Driver;

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
        if let Some(files) = self.setup.attacher() {
            let notices = files.attach(&mut message, text).await;
            notices.into_iter().for_each(|text| self.setup.screen.notice(text));
        }
        message
    }

    /// Adds a memo for the sessions of this project.
    pub(super) async fn add_memo(&self, text: &str) {
        let memos = Memos::of_project(self.setup.data.clone(), &self.setup.workspace);
        match add(&memos, text, &[]).await {
            Ok(answer) => self.setup.screen.notice(answer.text),
            Err(error) => self.setup.screen.problem(refusal(&error)),
        }
    }
}
