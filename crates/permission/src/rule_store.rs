//! The port to the rules that the user wants to hold from now on.

use std::error::Error;
use std::fmt::Debug;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;

/// Why rules cannot be read or kept.
#[derive(Debug, thiserror::Error)]
pub enum RuleStoreError {
    /// What is kept cannot be read. It is left as it is.
    #[error("the remembered rules in {place} cannot be read: {why}")]
    Damaged {
        /// Where they are.
        place: String,
        /// What is wrong there, and what helps.
        why: String,
    },
    /// Anything else.
    #[error("the remembered rules cannot be used")]
    Other(#[source] Box<dyn Error + Send + Sync>),
}

/// Keeps the rules that the user allowed for one project.
///
/// # Contract
/// - MUST give the rules in the order in which they were saved, each once, also to another instance on the same place.
/// - MUST keep each rule exactly as it was written; whether it can be used is decided elsewhere.
/// - MUST take the saving of a kept rule, and the removal of one that is not kept, as done already.
/// - MUST NOT keep them in the project itself: a project could then give itself permissions.
///
/// # When it fails
/// What was kept before is kept still. The session goes on with what it knows, and the user is told.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait RuleStore: Debug + Send + Sync {
    /// All rules.
    async fn load(&self) -> Result<Vec<String>, RuleStoreError>;

    /// Keeps a rule.
    async fn save(&self, rule: &str) -> Result<(), RuleStoreError>;

    /// Forgets a rule.
    async fn remove(&self, rule: &str) -> Result<(), RuleStoreError>;
}

const _: Option<&dyn RuleStore> = None;

/// Keeps rules as long as it lives: for tests, and where nothing can be written.
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
        if !rules.iter().any(|kept| kept == rule) {
            rules.push(rule.to_owned());
        }
        Ok(())
    }

    async fn remove(&self, rule: &str) -> Result<(), RuleStoreError> {
        self.rules.lock().unwrap_or_else(PoisonError::into_inner).retain(|kept| kept != rule);
        Ok(())
    }
}
