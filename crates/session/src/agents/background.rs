//! The sub-agents of a session that work while its turns continue.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use throughline_agent::EndedWork;

use super::background_agent::{AgentEnd, BackgroundAgent, BackgroundAgentInfo};

/// Ended sub-agents that are remembered, so that their reports can be read.
const MOST_ENDED: usize = 32;

/// Time that sub-agents have to record their end when the session is closed.
const GRACE: Duration = Duration::from_secs(5);

/// The sub-agents of a session in the background. Clones share them; dropping the last clone ends all of them.
#[derive(Debug, Clone, Default)]
pub struct BackgroundAgents(Arc<SharedAgents>);

#[derive(Debug, Default)]
struct SharedAgents {
    table: Mutex<AgentTable>,
}

#[derive(Debug, Default)]
struct AgentTable {
    last: u64,
    agents: BTreeMap<u64, Arc<BackgroundAgent>>,
}

impl BackgroundAgents {
    /// All that are remembered, the oldest first.
    #[must_use]
    pub fn list(&self) -> Vec<BackgroundAgentInfo> {
        self.all().iter().map(|(number, agent)| agent.info(*number)).collect()
    }

    /// Ends one. The model learns that the user stopped it. Returns false if none of this number works.
    pub async fn stop(&self, number: u64) -> bool {
        match self.get(number).filter(|agent| agent.works()) {
            Some(agent) => {
                agent.stop(AgentEnd::StoppedByUser).await;
                true
            }
            None => false,
        }
    }

    /// Ends those that one of these calls started.
    pub async fn stop_started_by(&self, calls: &[&str]) {
        for (_, agent) in self.all() {
            if agent.works() && calls.contains(&agent.call.as_str()) {
                agent.stop(AgentEnd::StoppedByUser).await;
            }
        }
    }

    /// Adds one. Returns its number.
    pub(super) fn add(&self, agent: BackgroundAgent) -> (u64, Arc<BackgroundAgent>) {
        let agent = Arc::new(agent);
        let mut table = self.table();
        table.last += 1;
        let number = table.last;
        table.agents.insert(number, Arc::clone(&agent));
        table.forget();
        (number, agent)
    }

    pub(super) fn remove(&self, number: u64) {
        self.table().agents.remove(&number);
    }

    pub(super) fn get(&self, number: u64) -> Option<Arc<BackgroundAgent>> {
        self.table().agents.get(&number).cloned()
    }

    /// The ends that the model does not know, each once.
    pub(super) fn take_unknown_ends(&self) -> Vec<EndedWork> {
        self.all().iter().filter_map(|(number, agent)| agent.take_unknown_end(*number)).collect()
    }

    /// Waits until none works. Returns true if the model does not know some of the ends.
    pub(super) async fn settle(&self) -> bool {
        for (_, agent) in self.all() {
            agent.wait().await;
        }
        self.all().iter().any(|(_, agent)| agent.has_unknown_end())
    }

    /// Ends all with the session, and waits until their logs have the end.
    pub(crate) async fn close(&self) {
        let all = self.all();
        all.iter().for_each(|(_, agent)| agent.close());
        let ended = async {
            for (_, agent) in &all {
                agent.wait().await;
            }
        };
        if tokio::time::timeout(GRACE, ended).await.is_err() {
            tracing::warn!("a sub-agent did not end in time; what it had done so far is in its log");
        }
    }

    pub(super) fn all(&self) -> Vec<(u64, Arc<BackgroundAgent>)> {
        self.table().agents.iter().map(|(number, agent)| (*number, Arc::clone(agent))).collect()
    }

    fn table(&self) -> MutexGuard<'_, AgentTable> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for SharedAgents {
    fn drop(&mut self) {
        let table = self.table.get_mut().unwrap_or_else(PoisonError::into_inner);
        table.agents.values().for_each(|agent| agent.cancel.cancel());
    }
}

impl AgentTable {
    /// Forgets the oldest whose end the model knows, beyond [`MOST_ENDED`].
    fn forget(&mut self) {
        let known = self.agents.iter().filter(|(_, agent)| !agent.works() && !agent.has_unknown_end());
        let known: Vec<u64> = known.map(|(number, _)| *number).collect();
        for number in known.iter().take(known.len().saturating_sub(MOST_ENDED)) {
            self.agents.remove(number);
        }
    }
}
