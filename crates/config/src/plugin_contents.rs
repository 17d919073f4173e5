//! What a plugin has, by the names that a session knows.

use throughline_hooks::Hook;
use throughline_instructions::{
    AgentKinds, OutputStyles, SessionFolders, SkillProblem, Skills, SkillsPolicy,
};
use throughline_plugins::Plugin;

use crate::hooks::plugin_hooks;
use crate::plugins::plugin_parts;

/// What a plugin has, by the names that a session knows.
#[derive(Debug)]
pub struct PluginContents {
    /// Its slash commands, without `/`.
    pub commands: Vec<String>,
    /// Its kinds of sub-agents.
    pub agents: Vec<String>,
    /// Its output styles.
    pub output_styles: Vec<String>,
    /// Its skills.
    pub skills: Vec<String>,
    /// Its hooks.
    pub hooks: Vec<Hook>,
    /// Its MCP servers.
    pub servers: Vec<String>,
    /// What of it cannot be used, and why.
    pub notices: Vec<String>,
}

impl PluginContents {
    /// Looks into the files of a plugin.
    #[must_use]
    pub fn of(plugin: &Plugin) -> Self {
        let parts = plugin_parts(plugin);
        let places = SessionFolders::of(&plugin.root, None);
        let kinds = AgentKinds::discover(&places, false, std::slice::from_ref(&parts));
        let styles = OutputStyles::discover(&places, false, std::slice::from_ref(&parts));
        let policy = SkillsPolicy { folders: Vec::new(), plugins: vec![parts], ..SkillsPolicy::default() };
        let skills = Skills::discover(&places, &policy);
        let (hooks, ignored) = plugin_hooks(plugin);
        let problem = |problem: &SkillProblem| format!("{}: {}", problem.place, problem.why);
        let mut notices = plugin.notices.clone();
        notices
            .extend(kinds.problems().iter().chain(skills.problems()).chain(styles.problems()).map(problem));
        notices.extend(ignored);
        Self {
            commands: plugin.commands.iter().map(|file| format!("{}:{}", plugin.name, file.name)).collect(),
            agents: kinds.iter().map(|kind| kind.name.clone()).collect(),
            output_styles: styles
                .iter()
                .filter(|style| style.name.contains(':'))
                .map(|style| style.name.clone())
                .collect(),
            skills: skills.iter().map(|skill| skill.name.clone()).collect(),
            hooks,
            servers: plugin.server_names().iter().map(|name| plugin.server_name(name)).collect(),
            notices,
        }
    }
}
