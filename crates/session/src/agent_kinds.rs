//! The kinds of sub-agents that a session may start: two of its own, the user's, and those of a trusted project.

use std::collections::BTreeMap;
use std::sync::Arc;

use throughline_instructions::{AgentKind, AgentKinds, SkillOrigin, SkillProblem};
use throughline_settings::{Layer, Origin, Scope, SettingsError};
use throughline_text::headline;

/// Characters of a kind's description in the tool's description.
const MAX_DESCRIPTION: usize = 300;

/// Kinds that the tool's description lists.
const MAX_LISTED: usize = 30;

/// The kinds by name.
#[derive(Debug, Clone)]
pub(crate) struct SessionKinds {
    kinds: Arc<BTreeMap<String, AgentKind>>,
    /// Files whose settings cannot be used.
    problems: Vec<SkillProblem>,
}

impl SessionKinds {
    /// The kinds that were found, over the built-in ones.
    pub(crate) fn of(found: &AgentKinds) -> Self {
        let mut kinds: BTreeMap<String, AgentKind> = built_in().map(|kind| (kind.name.clone(), kind)).into();
        let mut problems = Vec::new();
        for kind in found.iter() {
            match settings(kind) {
                Ok(_) => drop(kinds.insert(kind.name.clone(), kind.clone())),
                Err(error) => problems.push(problem(kind, &error)),
            }
        }
        Self { kinds: Arc::new(kinds), problems }
    }

    /// Files whose settings cannot be used.
    pub(crate) fn problems(&self) -> &[SkillProblem] {
        &self.problems
    }

    pub(crate) fn get(&self, name: &str) -> Option<&AgentKind> {
        self.kinds.get(name)
    }

    /// All kinds, by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &AgentKind> {
        self.kinds.values()
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.kinds.keys().map(String::as_str).take(MAX_LISTED).collect()
    }

    /// One line for each kind.
    pub(crate) fn lines(&self) -> String {
        let line =
            |kind: &AgentKind| format!("\n- {}: {}", kind.name, headline(&kind.description, MAX_DESCRIPTION));
        self.kinds.values().take(MAX_LISTED).map(line).collect()
    }
}

/// A file whose settings cannot be used.
fn problem(kind: &AgentKind, error: &SettingsError) -> SkillProblem {
    let why = match &error.origin {
        Origin::File { line, .. } => format!("line {line}, `{}`: {}", error.key, error.why),
        _ => error.to_string(),
    };
    SkillProblem { place: kind.shown.clone(), why }
}

/// The settings of a kind, as a layer over those of the session.
///
/// # Errors
/// A value cannot be used; the error has its file and line.
pub(crate) fn settings(kind: &AgentKind) -> Result<Layer, SettingsError> {
    let mut written = kind.settings.clone();
    written.sort_by_key(|setting| setting.line);
    let mut text = String::new();
    for setting in written {
        // On the same line as in the file, so that an error names it.
        let above = setting.line.saturating_sub(1 + text.matches('\n').count());
        text.push_str(&"\n".repeat(above));
        text.push_str(&format!("{} = {}\n", setting.key, serde_json::Value::from(setting.text)));
    }
    Layer::from_toml(Scope::User, &kind.shown, &text)
}

fn built_in() -> [AgentKind; 2] {
    let kind = |name: &str, description: &str, prompt: &str, tools: Option<&[&str]>| AgentKind {
        name: name.to_owned(),
        description: description.to_owned(),
        prompt: prompt.to_owned(),
        tools: tools.map(|tools| tools.iter().map(|tool| (*tool).to_owned()).collect()),
        model: None,
        max_requests: None,
        settings: Vec::new(),
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

#[cfg(test)]
mod tests;
