//! A session that works in another folder than before.

use std::path::Path;

use throughline_continuity::SessionDirectory as _;

use crate::deletion::user_messages;
use crate::error::Result;
use crate::handle::SessionHandle;
use crate::input_history::InputHistory;

impl SessionHandle {
    /// The session belongs to this folder from now on, with its messages in the input history. The caller holds the lock.
    ///
    /// # Errors
    /// The storage failed, or the input history cannot be written.
    pub async fn move_to(&self, folder: &Path) -> Result<()> {
        let (sessions, data) = (self.storage.store.sessions(), self.storage.folder.root());
        let Some(info) = sessions.get(&self.session).await? else { return Ok(()) };
        sessions.set_workspace(&self.session, &folder.display().to_string()).await?;
        if InputHistory::exists(data) {
            let records = self.storage.records(&self.session).await?;
            let before = InputHistory::new(data, Path::new(&info.workspace));
            before.hand_to(folder, &user_messages(records.iter()))?;
        }
        Ok(())
    }
}
