//! What sessions have cost. Each record of a log is read for it once.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use throughline_config::JsonFile;
use throughline_continuity::SessionSummary;
use throughline_conversation::{Millis, Seq, SessionId};
use throughline_providers::models::ModelTable;

use crate::derived_file;
use crate::error::{Attempt as _, Result};
use crate::session_cost::{SessionCost, SessionCostSum};
use crate::storage::Storage;

/// Maximum sessions in the file, the newest ones. The file of more takes longer to read than the logs of those in view.
const MAX_SESSIONS: usize = 10_000;

/// The costs that were computed so far. They follow from the logs: without the file they are computed again.
#[derive(Debug, Default, Serialize, Deserialize)]
struct StoredCosts {
    /// [`ModelTable::fingerprint`] of the prices.
    prices: u64,
    sessions: BTreeMap<String, StoredCost>,
}

/// The cost of a session up to a record of its log.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct StoredCost {
    /// When the session was created: another one may have its id.
    created: Millis,
    upto: Seq,
    sum: SessionCostSum,
}

impl Storage {
    /// The cost of each session, in the order of the list. Costs of earlier calls are stored in the data folder, and only what the
    /// logs have in addition is read.
    ///
    /// # Errors
    /// A log cannot be read.
    pub async fn session_costs(
        &self,
        sessions: &[SessionSummary],
        table: &ModelTable,
    ) -> Result<Vec<SessionCost>> {
        let file = file(self.folder.root());
        let mut known = read(&file, table);
        let mut changed = BTreeMap::new();
        let mut costs = Vec::with_capacity(sessions.len());
        for session in sessions {
            let id = session.info.id.as_str();
            let earlier = known.sessions.remove(id).filter(|earlier| earlier.is_of(session));
            let mut stored = match earlier {
                Some(earlier) => earlier,
                None => self.no_cost(session).await?,
            };
            if stored.upto.0 < session.records {
                self.add_usage(&mut stored, session, table).await?;
                changed.insert(id.to_owned(), stored.clone());
            }
            costs.push(stored.sum.cost());
        }
        if !changed.is_empty() {
            write(&file, table, changed);
        }
        Ok(costs)
    }

    /// The cost of no record.
    async fn no_cost(&self, session: &SessionSummary) -> Result<StoredCost> {
        let sum = SessionCostSum::behind(self.inherited(&session.info.id).await?);
        Ok(StoredCost { created: session.info.created, sum, upto: Seq(0) })
    }

    async fn add_usage(
        &self,
        stored: &mut StoredCost,
        session: &SessionSummary,
        table: &ModelTable,
    ) -> Result<()> {
        let id = &session.info.id;
        let used = self.usage_records(id, stored.upto).await;
        let used = used.attempt(|| format!("could not read what session {id} has cost"))?;
        used.iter().for_each(|record| stored.sum.add(record, table));
        // The session may be running: its log may be longer by now than the list says.
        stored.upto =
            used.last().map(|record| record.seq).max(Some(Seq(session.records))).unwrap_or_default();
        Ok(())
    }
}

impl StoredCost {
    /// Returns false for the cost of another session, and of a log that was longer, such as that of a database which was restored
    /// from a backup.
    fn is_of(&self, session: &SessionSummary) -> bool {
        self.created == session.info.created && self.upto.0 <= session.records
    }
}

/// Forgets the costs of deleted sessions. They are deleted whatever becomes of the file.
pub(crate) fn forget(data: &Path, sessions: &[SessionId]) {
    let file = file(data);
    if sessions.is_empty() || !file.path().exists() {
        return;
    }
    let forgotten = file.change(|stored: &mut StoredCosts| {
        for session in sessions {
            stored.sessions.remove(session.as_str());
        }
    });
    if let Err(error) = forgotten {
        derived_file::discard(&file, &error);
    }
}

fn file(data: &Path) -> JsonFile {
    JsonFile::new(data.join("costs.json"))
}

/// The costs by these prices.
fn read(file: &JsonFile, table: &ModelTable) -> StoredCosts {
    let stored: StoredCosts = derived_file::read(file);
    if stored.prices == table.fingerprint() { stored } else { StoredCosts::default() }
}

/// Adds costs to the file.
fn write(file: &JsonFile, table: &ModelTable, changed: BTreeMap<String, StoredCost>) {
    derived_file::change(file, |stored: &mut StoredCosts| {
        if stored.prices != table.fingerprint() {
            *stored = StoredCosts { prices: table.fingerprint(), ..StoredCosts::default() };
        }
        stored.sessions.extend(changed);
        let mut created: Vec<Millis> = stored.sessions.values().map(|cost| cost.created).collect();
        if created.len() > MAX_SESSIONS {
            let surplus = created.len() - MAX_SESSIONS;
            let (_, oldest, _) = created.select_nth_unstable(surplus);
            let oldest = *oldest;
            stored.sessions.retain(|_, cost| cost.created >= oldest);
        }
    });
}

#[cfg(test)]
mod tests;
