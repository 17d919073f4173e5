//! The rules that the user saved, by workspace, in a file of the data folder.

use std::collections::BTreeMap;
use std::path::Path;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use throughline_permission::{RuleStore, RuleStoreError};

use throughline_config::JsonFile;

/// The saved rules of one workspace. The file is in the user's data folder, where no project can write.
#[derive(Debug, Clone)]
pub struct RuleFile {
    file: JsonFile,
    workspace: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct SavedRules {
    /// By the workspace's path with all links followed.
    projects: BTreeMap<String, Vec<String>>,
}

impl RuleFile {
    /// The rules of a workspace in a data folder.
    #[must_use]
    pub fn new(data: &Path, workspace: &Path) -> Self {
        let file = JsonFile::new(data.join("permissions.json"));
        // Two paths that differ only in bytes that are not UTF-8 share their rules.
        Self { file, workspace: workspace.to_string_lossy().into_owned() }
    }

    async fn change(
        &self,
        change: impl FnOnce(&mut Vec<String>) + Send + 'static,
    ) -> Result<(), RuleStoreError> {
        let Self { file, workspace } = self.clone();
        // Another process may hold the file for a while, and a disk takes its time.
        let changed = tokio::task::spawn_blocking(move || {
            file.change(|saved: &mut SavedRules| {
                let rules = saved.projects.entry(workspace.clone()).or_default();
                change(rules);
                if rules.is_empty() {
                    saved.projects.remove(&workspace);
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
        let saved: SavedRules = self.file.read().map_err(|error| RuleStoreError::Damaged {
            place: self.file.path().display().to_string(),
            why: throughline_text::error_chain(&error),
        })?;
        Ok(saved.projects.get(&self.workspace).cloned().unwrap_or_default())
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
        self.change(move |rules| rules.retain(|saved| *saved != rule)).await
    }
}

#[cfg(test)]
mod tests;
