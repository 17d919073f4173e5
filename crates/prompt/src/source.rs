//! The port to sources of prompt sections.

use std::fmt::Debug;

use async_trait::async_trait;

use crate::section::PromptSection;

/// Supplies sections of the prompt: rules files, memory, skills.
///
/// # Contract
/// - MUST return equal sections in the same order as long as their content is the same: one changed byte
///   invalidates the cache of the whole prefix after it.
/// - MUST NOT put the time, a counter or anything else that changes by itself into a section that is not
///   dynamic.
/// - MAY delay changes until [`renew`](SectionSource::renew) is called; it then MUST give the same
///   sections until that call.
/// - MUST return the same name each time, unique among the sources.
/// - MUST give each section a name, and MUST NOT mark a dynamic section as cacheable.
///
/// # When it fails
/// The turn continues, and the outcome names the source. On [`SectionError::Unavailable`] the sections that it
/// gave last are used again, which also keeps the prefix warm; on any other error its sections are left out.
#[cfg_attr(any(test, feature = "mock"), mockall::automock)]
#[async_trait]
pub trait SectionSource: Debug + Send + Sync {
    /// Names the source in logs and degradations.
    fn name(&self) -> String;

    /// The sections as of now.
    async fn sections(&self) -> Result<Vec<PromptSection>, SectionError>;

    /// A compaction has rewritten the messages after the sections, so a change costs nothing more: the next
    /// sections may have the delayed changes.
    fn renew(&self) {}
}

const _: Option<&dyn SectionSource> = None;

/// Why a source returned no sections.
#[derive(Debug, thiserror::Error)]
pub enum SectionError {
    /// It cannot be read now. Its last sections are still valid.
    #[error("the prompt's section source is not available now: {message}")]
    Unavailable {
        /// What is known.
        message: String,
    },
    /// Anything else. Its sections are left out.
    #[error("the prompt's section source failed")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// A source with fixed sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FixedSections {
    name: String,
    sections: Vec<PromptSection>,
}

impl FixedSections {
    /// A source of this name with these sections.
    #[must_use]
    pub fn new(name: impl Into<String>, sections: impl IntoIterator<Item = PromptSection>) -> Self {
        Self { name: name.into(), sections: sections.into_iter().collect() }
    }
}

#[async_trait]
impl SectionSource for FixedSections {
    fn name(&self) -> String {
        self.name.clone()
    }

    async fn sections(&self) -> Result<Vec<PromptSection>, SectionError> {
        Ok(self.sections.clone())
    }
}

#[cfg(test)]
mod tests;
