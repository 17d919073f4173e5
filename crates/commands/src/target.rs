//! The session that a command works on.

use throughline_conversation::SessionId;
use throughline_stored::{SessionHandle, Storage, data_dir_option};

/// A session, and where its commands are typed.
#[derive(Debug)]
pub struct CommandTarget {
    /// The session.
    pub handle: SessionHandle,
    /// Commands are typed on the screen, where this session is open.
    pub on_screen: bool,
}

impl CommandTarget {
    /// A session that is found already.
    pub fn new(storage: Storage, session: SessionId) -> Self {
        Self { handle: SessionHandle::new(storage, session), on_screen: false }
    }

    /// A command line on this session, for a person to copy.
    pub fn command(&self, command: &str, rest: &str) -> String {
        let rest = if rest.is_empty() { String::new() } else { format!(" {rest}") };
        if self.on_screen {
            let command = match command {
                "scratchpad" | "state" => format!("session {command}"),
                other => other.to_owned(),
            };
            return format!("/{command}{rest}");
        }
        let option = data_dir_option(&self.handle.storage);
        format!("throughline{option} {command} {}{rest}", self.handle.session)
    }
}
