//! The session that a command works on.

use throughline::{SessionHandle, Storage};
use throughline_conversation::SessionId;

use crate::data_args::DataArgs;
use crate::foreign;
use crate::shell::data_dir_option;

/// A session, and where its commands are typed.
#[derive(Debug)]
pub(crate) struct CommandTarget {
    pub(crate) handle: SessionHandle,
    /// Commands are typed on the screen, where this session is open.
    pub(crate) on_screen: bool,
}

impl CommandTarget {
    /// Finds a session in a data folder.
    pub(crate) async fn open(name: &str, data: &DataArgs) -> anyhow::Result<Self> {
        let storage = Storage::open_to_read(data.data_dir.clone()).await?;
        let session = match foreign::stored(&storage, name).await? {
            Some(session) => session,
            None => data.find(&storage, name).await?,
        };
        Ok(Self::new(storage, session))
    }

    /// A session that is found already.
    pub(crate) fn new(storage: Storage, session: SessionId) -> Self {
        Self { handle: SessionHandle::new(storage, session), on_screen: false }
    }

    /// A command line on this session, for a person to copy.
    pub(crate) fn command(&self, command: &str, rest: &str) -> String {
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
