//! What became of the facts of a session in a compaction.

use crate::compactions::ForeignCompaction;

/// Fewest letters of a file name that counts in place of its path.
const NAME: usize = 5;

/// What became of facts in a compaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FactFates {
    /// The agent's own summary has them.
    pub kept: Vec<String>,
    /// Only the restored context has them.
    pub restored: Vec<String>,
    /// Neither has them; they are in the stored session.
    pub stored: Vec<String>,
}

impl FactFates {
    /// What became of these facts.
    #[must_use]
    pub fn of(compaction: &ForeignCompaction, facts: &[String]) -> Self {
        let (summary, context) = (normal(&compaction.summary), normal(&compaction.context));
        let mut fates = Self::default();
        for fact in facts {
            let fate = if has(&summary, fact) {
                &mut fates.kept
            } else if has(&context, fact) {
                &mut fates.restored
            } else {
                &mut fates.stored
            };
            fate.push(fact.clone());
        }
        fates
    }

    /// Per cent of the facts that the agent's own summary has lost.
    #[must_use]
    pub fn lost_by_agent(&self) -> usize {
        self.share(self.restored.len() + self.stored.len())
    }

    /// Per cent of the facts that are neither in the summary nor in the context.
    #[must_use]
    pub fn lost_in_context(&self) -> usize {
        self.share(self.stored.len())
    }

    fn share(&self, lost: usize) -> usize {
        let all = self.kept.len() + self.restored.len() + self.stored.len();
        (lost * 100).checked_div(all).unwrap_or(0)
    }
}

/// Returns true if a text has a fact: word for word, or the path of a file by its name.
fn has(text: &str, fact: &str) -> bool {
    let fact = normal(fact);
    let name =
        fact.rsplit('/').next().filter(|name| name.len() >= NAME && name.contains('.') && fact.contains('/'));
    text.contains(&fact) || name.is_some_and(|name| !fact.contains(' ') && text.contains(name))
}

/// A text in lower case, with single spaces.
fn normal(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
