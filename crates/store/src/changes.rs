//! Waiting for records that another task or process appends.

use std::time::Duration;

use throughline_conversation::SessionId;

#[cfg(feature = "sqlite")]
use crate::store::Store;

/// Between two looks at a database that says nothing by itself.
const LOOK: Duration = Duration::from_millis(500);
/// Between two looks at a server that says when records are appended: a notification may be lost with its connection.
#[cfg(feature = "postgres")]
const LOOK_ANYWAY: Duration = Duration::from_secs(10);

/// Says when to look for new records.
#[derive(Debug)]
pub struct LogChanges {
    #[cfg(feature = "postgres")]
    appended: Option<tokio::sync::broadcast::Receiver<String>>,
}

impl LogChanges {
    /// Those of a log that says nothing: it is looked at every half second.
    #[must_use]
    pub fn by_looking() -> Self {
        Self {
            #[cfg(feature = "postgres")]
            appended: None,
        }
    }

    /// Waits until a session may have new records. Those that were appended before the last call are not waited for.
    pub async fn wait(&mut self, session: &SessionId) {
        #[cfg(feature = "postgres")]
        if let Some(appended) = &mut self.appended {
            let named = async {
                loop {
                    match appended.recv().await {
                        Ok(other) if other != session.as_str() => {}
                        // Some were left out, or there will be no more.
                        _ => return,
                    }
                }
            };
            // Either way it is time to look.
            let _ = tokio::time::timeout(LOOK_ANYWAY, named).await;
            if appended.is_closed() {
                tokio::time::sleep(LOOK).await;
            }
            return;
        }
        let _ = session;
        tokio::time::sleep(LOOK).await;
    }
}

#[cfg(feature = "sqlite")]
impl Store {
    /// Says when to look for new records: a server does it at once, and a file is looked at every half second.
    #[must_use]
    pub fn changes(&self) -> LogChanges {
        #[cfg(feature = "postgres")]
        if let Some(announcements) = &self.database.announcements {
            return LogChanges { appended: Some(announcements.listen()) };
        }
        LogChanges::by_looking()
    }
}
