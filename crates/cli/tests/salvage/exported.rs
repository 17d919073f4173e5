//! An export, line by line.

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};
use serde_json::Value;

/// The lines of an export by the places of their records.
#[derive(Debug, Default)]
pub(crate) struct Exported {
    /// Records, each a printed line.
    pub(crate) records: BTreeMap<u64, String>,
    /// Places that are named as lost.
    pub(crate) lost: BTreeMap<u64, String>,
    /// Why the contexts of the session are lost, if they are.
    pub(crate) lost_contexts: Option<String>,
}

impl Exported {
    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        let mut exported = Self::default();
        for line in text.lines() {
            let value: Value = serde_json::from_str(line).with_context(|| line.to_owned())?;
            if let Some(why) = value["context"]["damaged"].as_str() {
                ensure!(exported.lost_contexts.replace(why.to_owned()).is_none(), "{line} is there twice");
                continue;
            }
            let seq = value["seq"].as_u64().with_context(|| line.to_owned())?;
            let known = match value.get("damaged").and_then(Value::as_str) {
                Some(why) => exported.lost.insert(seq, why.to_owned()).is_some(),
                None => exported.records.insert(seq, line.to_owned()).is_some(),
            };
            ensure!(!known, "record {seq} is there twice");
        }
        Ok(exported)
    }

    /// Fails unless every record is exported unchanged, or named.
    pub(crate) fn check(&self, original: &Self) -> anyhow::Result<()> {
        for (seq, line) in &self.records {
            ensure!(original.records.get(seq) == Some(line), "record {seq} is another one: {line}");
            ensure!(!self.lost.contains_key(seq), "record {seq} is exported and named as lost");
        }
        for seq in original.records.keys() {
            let known = self.records.contains_key(seq) || self.lost.contains_key(seq);
            ensure!(known, "record {seq} is neither exported nor named");
        }
        Ok(())
    }
}
