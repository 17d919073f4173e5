//! Hooks that run in the background. What they say comes with the next message.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use throughline_hooks::{AsyncRun, HookEvent, Hooks};
use throughline_tools::CancelFlag;
use tokio::task::JoinSet;

use super::{lock, tagged};

/// How long the end of a session waits for them. Those that still run then are ended.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// The hooks that run, and what those that have ended say. Dropping it ends them.
#[derive(Debug, Default)]
pub(super) struct BackgroundHooks {
    running: Mutex<JoinSet<()>>,
    said: Arc<Mutex<Vec<String>>>,
}

impl BackgroundHooks {
    /// Starts a hook. Its messages for the user are given to `hooks`.
    pub(super) fn start(&self, event: HookEvent, run: AsyncRun, hooks: &Arc<Hooks>) {
        let (said, hooks) = (Arc::clone(&self.said), Arc::clone(hooks));
        let mut running = lock(&self.running);
        while running.try_join_next().is_some() {}
        running.spawn(async move {
            let answer = run.run(&CancelFlag::new()).await;
            if let Some(text) = answer.context_text() {
                lock(&said).push(tagged(event, &text));
            }
            hooks.say(answer.notices);
        });
    }

    /// Takes what those that have ended say.
    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.said))
    }

    /// Waits for those that run, for a while.
    pub(super) async fn finish(&self) {
        let mut running = std::mem::take(&mut *lock(&self.running));
        let ends = async { while running.join_next().await.is_some() {} };
        if tokio::time::timeout(LAST_WAIT, ends).await.is_err() {
            tracing::info!("hooks in the background were ended with the session");
        }
    }
}
