//! Files that a search must skip.

use std::path::{Path, PathBuf};

use serde_json::Value;
use throughline_conversation::ToolCall;
use throughline_tools::{Access, Effect, FileGuard};

use crate::access_path::AccessPath;
use crate::rule::{Rule, Subject};

/// Hides the files that rules match from one call.
#[derive(Debug)]
pub(crate) struct HiddenFiles {
    rules: Vec<Rule>,
    /// Without its arguments, which have been decided about.
    call: ToolCall,
    workspace: PathBuf,
}

impl HiddenFiles {
    pub(super) fn new(rules: Vec<Rule>, call: &ToolCall, workspace: &Path) -> Self {
        let call = ToolCall { id: call.id.clone(), name: call.name.clone(), input: Value::Null };
        Self { rules, call, workspace: workspace.to_owned() }
    }
}

impl FileGuard for HiddenFiles {
    fn hides(&self, shown: &str, real: &Path) -> bool {
        let access = Access { effect: Effect::Read, subject: Some(shown.to_owned()) };
        let named = [Path::new(shown), real];
        let paths = named.map(|path| AccessPath::of(&self.workspace, path));
        let subject = Subject { call: &self.call, access: &access, paths: &paths };
        self.rules.iter().any(|rule| rule.touches(&subject, &[]))
    }
}
