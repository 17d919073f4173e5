//! Rules and skills of a session: the files that instruct the model.

use std::path::Path;
use std::sync::Arc;

use throughline_agent::{Agent, AgentBuilder};
use throughline_conversation::RecordBody;
use throughline_instructions::{
    AgentKind, AgentKinds, OutputStyle, OutputStyles, PluginParts, Rules, RulesPolicy, RulesSource, Skills,
    SkillsSource, USE_SKILL, skill_tool,
};
use throughline_prompt::SectionSource;
use throughline_tools::ToolRegistry;

use crate::agent_kinds::SessionKinds;
use throughline_config::{InstructionSettings, session_folders};
use throughline_stored::Storage;
use throughline_stored::{Error, Result};

/// Maximum number of notices about rules and skills.
const MAX_NOTICES: usize = 5;

/// The rules and the skills of a session.
#[derive(Debug, Clone)]
pub struct Instructions {
    rules: Arc<RulesSource>,
    skills: Arc<SkillsSource>,
    agents: Arc<AgentKinds>,
    styles: Arc<OutputStyles>,
    /// The name of the output style.
    style: Option<String>,
}

impl Instructions {
    /// Finds them. `window` is the model's, in tokens; `more` are skills of MCP servers.
    pub(crate) fn of(
        workspace: &Path,
        window: u64,
        settings: InstructionSettings,
        more: Vec<PluginParts>,
    ) -> Self {
        let places = session_folders(workspace);
        let mut rules = RulesPolicy::default().within_window(window);
        if !settings.rule_files.is_empty() {
            rules.names.clone_from(&settings.rule_files);
        }
        let agents = Arc::new(AgentKinds::discover(&places, settings.trusted, &settings.plugins));
        let styles = Arc::new(OutputStyles::discover(&places, settings.trusted, &settings.plugins));
        let skills = settings.skills(more).within_window(window);
        Self {
            rules: Arc::new(RulesSource::new(places.clone(), rules)),
            skills: Arc::new(SkillsSource::discover(places, skills)),
            agents,
            styles,
            style: settings.output_style,
        }
    }

    /// Adds the tool that reads skills, if there are any.
    pub(crate) fn register(&self, registry: &mut ToolRegistry) -> Result<()> {
        if !self.skills.skills().is_empty() {
            registry.register(skill_tool(Arc::clone(&self.skills)))?;
        }
        Ok(())
    }

    /// Adds the rules to an agent, and the skills if it can read them.
    pub(crate) fn attach(&self, builder: AgentBuilder, with_skills: bool) -> AgentBuilder {
        let builder = builder.section(Arc::clone(&self.rules) as Arc<dyn SectionSource>);
        if with_skills {
            builder.never_offload(USE_SKILL).section(Arc::clone(&self.skills) as Arc<dyn SectionSource>)
        } else {
            builder
        }
    }

    /// Restores the active skills of a resumed session.
    pub(crate) async fn restore(&self, storage: &Storage, agent: &Agent) -> Result<()> {
        if agent.view().entries().is_empty() {
            return Ok(());
        }
        let newest = storage.log().newest(agent.session(), "prompt").await;
        // A damaged record does not stop the session: the calls in view name skills as well.
        let sections = match newest.ok().flatten().map(|record| record.body) {
            Some(RecordBody::Prompt(prompt)) => prompt.sections,
            _ => Vec::new(),
        };
        self.skills.restore(&sections, agent.view().transcript().messages());
        Ok(())
    }

    /// The kinds of sub-agents.
    pub(crate) fn agent_kinds(&self) -> SessionKinds {
        SessionKinds::of(&self.agents)
    }

    /// The kinds of sub-agents that the session may start, for a list.
    #[must_use]
    pub fn agents(&self) -> Vec<AgentKind> {
        self.agent_kinds().iter().cloned().collect()
    }

    /// The output styles.
    #[must_use]
    pub fn output_styles(&self) -> &OutputStyles {
        &self.styles
    }

    /// The output style of the session; `None`: it is not set, or it does not exist.
    #[must_use]
    pub fn style(&self) -> Option<&OutputStyle> {
        self.styles.get(self.style.as_deref()?)
    }

    /// The style of the settings that does not exist.
    fn missing_style(&self) -> Option<String> {
        let name = self.style.as_deref().filter(|name| self.styles.get(name).is_none())?;
        let known: Vec<&str> = self.styles.iter().map(|style| style.name.as_str()).collect();
        Some(format!("there is no output style {name:?}; there are {}", known.join(", ")))
    }

    /// The skills.
    #[must_use]
    pub fn skills(&self) -> Arc<Skills> {
        self.skills.skills()
    }

    /// Names of the skills that the session uses.
    #[must_use]
    pub fn active_skills(&self) -> Vec<String> {
        self.skills.active()
    }

    /// The rules files with their current texts.
    ///
    /// # Errors
    /// A file cannot be read.
    pub async fn rules(&self) -> Result<Arc<Rules>> {
        self.rules.rules().await.map_err(|error| Error::Other(error.into()))
    }

    /// Notices about rules, skills, kinds of sub-agents and output styles that are not used as written.
    ///
    /// # Errors
    /// A file cannot be read.
    pub async fn notices(&self) -> Result<Vec<String>> {
        let (rules, skills) = (self.rules().await?, self.skills());
        let skills =
            skills.problems().iter().map(|problem| format!("skill {}: {}", problem.place, problem.why));
        let kinds = self.agent_kinds();
        let agents = self
            .agents
            .problems()
            .iter()
            .chain(kinds.problems())
            .map(|problem| format!("sub-agent {}: {}", problem.place, problem.why));
        let rules = rules.problems().iter().map(|line| format!("rules: {line}"));
        let styles = self.styles.problems().iter();
        let styles = styles.map(|problem| format!("output style {}: {}", problem.place, problem.why));
        let styles = self.missing_style().into_iter().chain(styles);
        let mut lines: Vec<String> = styles.chain(rules).chain(skills).chain(agents).collect();
        if let Some(more) = lines.len().checked_sub(MAX_NOTICES).filter(|more| *more > 0) {
            lines.truncate(MAX_NOTICES);
            lines.push(format!("and {more} more notes about rules, skills, sub-agents and output styles"));
        }
        Ok(lines)
    }
}
