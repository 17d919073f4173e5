//! The lock of a session, for which hooks wait: those of one session run at the same time.

use std::time::{Duration, Instant};

use throughline_conversation::SessionId;
use throughline_store::{LockError, SessionLock};
use throughline_stored::{Result, Storage};

/// How long a hook waits. Its agent waits with it.
pub(crate) const HOOK: Duration = Duration::from_secs(3);

/// How long a compaction waits. Less than the module waits for its answer.
pub(crate) const COMPACTION: Duration = Duration::from_millis(700);

/// Time between two tries.
const PAUSE: Duration = Duration::from_millis(25);

/// Takes the lock of a session, and waits a little for another hook that has it.
///
/// # Errors
/// Another process has had the session all the time, or the lock cannot be used.
pub(crate) async fn lock_within(
    storage: &Storage,
    session: &SessionId,
    patience: Duration,
) -> Result<SessionLock> {
    let end = Instant::now() + patience;
    loop {
        match storage.lock(session).await {
            Err(LockError::Held { .. }) if Instant::now() < end => tokio::time::sleep(PAUSE).await,
            taken => return Ok(taken?),
        }
    }
}
