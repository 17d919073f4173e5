//! The rules that the user allowed for good, by workspace, in a file of the data folder.

use std::collections::BTreeMap;
use std::path::Path;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use throughline_permission::{RuleStore, RuleStoreError};

use crate::kept_file::KeptFile;

/// The rules of one workspace. The file is the user's own: no project can write it.
#[derive(Debug, Clone)]
pub(crate) struct RuleFile {
    file: KeptFile,
    workspace: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    /// By the workspace's path with all links followed.
    projects: BTreeMap<String, Vec<String>>,
}

impl RuleFile {
    /// Those of a workspace in a data folder.
    pub(crate) fn new(data: &Path, workspace: &Path) -> Self {
        let file = KeptFile::new(data.join("permissions.json"));
        // Two paths that only differ in what is no text share their rules, which is rare and does little harm.
        Self { file, workspace: workspace.to_string_lossy().into_owned() }
    }

    async fn change(
        &self,
        change: impl FnOnce(&mut Vec<String>) + Send + 'static,
    ) -> Result<(), RuleStoreError> {
        let Self { file, workspace } = self.clone();
        // Another process may hold the file for a while, and a disk takes its time.
        let changed = tokio::task::spawn_blocking(move || {
            file.change(|kept: &mut Kept| {
                let rules = kept.projects.entry(workspace.clone()).or_default();
                change(rules);
                if rules.is_empty() {
                    kept.projects.remove(&workspace);
                }
            })
        });
        let changed = changed.await.map_err(|error| RuleStoreError::Other(error.into()))?;
        changed.map_err(|error| RuleStoreError::Other(error.into()))
    }
}

#[async_trait]
impl RuleStore for RuleFile {
    async fn load(&self) -> Result<Vec<String>, RuleStoreError> {
        let kept: Kept = self.file.read().map_err(|error| RuleStoreError::Damaged {
            place: self.file.path().display().to_string(),
            why: throughline_text::error_chain(error.as_ref()),
        })?;
        Ok(kept.projects.get(&self.workspace).cloned().unwrap_or_default())
    }

    async fn save(&self, rule: &str) -> Result<(), RuleStoreError> {
        let rule = rule.to_owned();
        self.change(move |rules| {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        })
        .await
    }

    async fn remove(&self, rule: &str) -> Result<(), RuleStoreError> {
        let rule = rule.to_owned();
        self.change(move |rules| rules.retain(|kept| *kept != rule)).await
    }
}

#[cfg(test)]
mod tests;
