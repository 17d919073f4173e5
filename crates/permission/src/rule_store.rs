//! The port that stores the rules that the user chose to remember.

use std::error::Error;
use std::fmt::Debug;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;

/// Reason why rules cannot be read or saved.
#[derive(Debug, thiserror::Error)]
pub enum RuleStoreError {
    /// The stored rules cannot be read. They are not changed.
    #[error("the remembered rules in {place} cannot be read: {why}")]
    Damaged {
        /// Where they are stored.
        place: String,
        /// What is wrong, and how to fix it.
        why: String,
    },
    /// Anything else.
    #[error("the remembered rules cannot be used")]
    Other(#[source] Box<dyn Error + Send + Sync>),
}

/// Stores the rules that the user allowed for one project.
///
/// # Contract
/// - MUST return the rules in the order in which they were saved, each once, to another instance on the same storage too.
/// - MUST store each rule unchanged; it is validated elsewhere.
/// - MUST treat saving a stored rule and removing a missing rule as success.
/// - MUST NOT store them in the project itself: a project could then grant itself permissions.
///
/// # When it fails
/// The stored rules are unchanged. The session continues with the rules in memory and notifies the user.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait RuleStore: Debug + Send + Sync {
    /// Loads all rules.
    async fn load(&self) -> Result<Vec<String>, RuleStoreError>;

    /// Saves a rule.
    async fn save(&self, rule: &str) -> Result<(), RuleStoreError>;

    /// Removes a rule.
    async fn remove(&self, rule: &str) -> Result<(), RuleStoreError>;
}

const _: Option<&dyn RuleStore> = None;

/// Stores rules in memory: for tests, and as the default of [`Permissions`](crate::Permissions).
#[derive(Debug, Default)]
pub struct InMemoryRuleStore {
    rules: Mutex<Vec<String>>,
}

#[async_trait]
impl RuleStore for InMemoryRuleStore {
    async fn load(&self) -> Result<Vec<String>, RuleStoreError> {
        Ok(self.rules.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    async fn save(&self, rule: &str) -> Result<(), RuleStoreError> {
        let mut rules = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        if !rules.iter().any(|saved| saved == rule) {
            rules.push(rule.to_owned());
        }
        Ok(())
    }

    async fn remove(&self, rule: &str) -> Result<(), RuleStoreError> {
        self.rules.lock().unwrap_or_else(PoisonError::into_inner).retain(|saved| saved != rule);
        Ok(())
    }
}
