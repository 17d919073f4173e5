//! The kinds of sub-agents that a session may start: two of its own, the user's, and those of a trusted project.

use std::collections::BTreeMap;
use std::sync::Arc;

use throughline_instructions::{AgentKind, AgentKinds, SkillOrigin};
use throughline_text::headline;

/// Characters of a kind's description in the tool's description.
const MAX_DESCRIPTION: usize = 300;

/// Kinds that the tool's description lists.
const MAX_LISTED: usize = 30;

/// The kinds by name.
#[derive(Debug, Clone)]
pub(crate) struct SessionKinds(Arc<BTreeMap<String, AgentKind>>);

impl SessionKinds {
    /// The kinds that were found, over the built-in ones.
    pub(crate) fn of(found: &AgentKinds) -> Self {
        let mut kinds: BTreeMap<String, AgentKind> = built_in().map(|kind| (kind.name.clone(), kind)).into();
        kinds.extend(found.iter().map(|kind| (kind.name.clone(), kind.clone())));
        Self(Arc::new(kinds))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&AgentKind> {
        self.0.get(name)
    }

    /// All kinds, by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &AgentKind> {
        self.0.values()
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.0.keys().map(String::as_str).take(MAX_LISTED).collect()
    }

    /// One line for each kind.
    pub(crate) fn lines(&self) -> String {
        let line =
            |kind: &AgentKind| format!("\n- {}: {}", kind.name, headline(&kind.description, MAX_DESCRIPTION));
        self.0.values().take(MAX_LISTED).map(line).collect()
    }
}

fn built_in() -> [AgentKind; 2] {
    let kind = |name: &str, description: &str, prompt: &str, tools: Option<&[&str]>| AgentKind {
        name: name.to_owned(),
        description: description.to_owned(),
        prompt: prompt.to_owned(),
        tools: tools.map(|tools| tools.iter().map(|tool| (*tool).to_owned()).collect()),
        model: None,
        max_requests: None,
        origin: SkillOrigin::User,
        shown: "built in".to_owned(),
    };
    let reading = ["read_file", "grep", "list_files", "use_skill"];
    [
        kind(
            "explore",
            "reads and searches the project, and changes nothing",
            include_str!("files/explore.md"),
            Some(&reading),
        ),
        kind("general", "has all tools, for a task of several steps", include_str!("files/general.md"), None),
    ]
}
