//! Rules and skills of a session: what people have written for whoever works in this folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use throughline_agent::{Agent, AgentBuilder};
use throughline_continuity::MessageLog as _;
use throughline_conversation::RecordBody;
use throughline_instructions::{
    Places, RulesPolicy, RulesSource, SkillsPolicy, SkillsSource, USE_SKILL, skill_tool,
};
use throughline_prompt::SectionSource;
use throughline_tools::ToolRegistry;

use crate::compose::Data;
use crate::connect::config_folder;
use crate::terminal::note;

/// Lines about rules and skills that are shown at the start.
const MOST_NOTES: usize = 5;

/// What is wanted of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wanted {
    /// Whether the user trusts the project: its skills are not used before.
    pub(crate) trusted: bool,
    /// Names of rules files; the usual ones when there is none.
    pub(crate) rule_files: Vec<String>,
    /// More folders of skills.
    pub(crate) skill_folders: Vec<PathBuf>,
}

/// The rules and the skills of a session.
#[derive(Debug, Clone)]
pub(crate) struct Instructions {
    rules: Arc<RulesSource>,
    skills: Arc<SkillsSource>,
}

impl Instructions {
    /// Looks for them. `window` is the model's, in tokens.
    pub(crate) fn of(workspace: &Path, window: u64, wanted: Wanted) -> Self {
        let places = Places::of(workspace, config_folder().as_deref());
        let mut rules = RulesPolicy::default().within_window(window);
        if !wanted.rule_files.is_empty() {
            rules.names = wanted.rule_files;
        }
        let skills =
            SkillsPolicy { trusted: wanted.trusted, more: wanted.skill_folders, ..SkillsPolicy::default() }
                .within_window(window);
        Self {
            rules: Arc::new(RulesSource::new(places.clone(), rules)),
            skills: Arc::new(SkillsSource::discover(places, skills)),
        }
    }

    /// Adds the tool that reads skills, when there is one to read.
    pub(crate) fn register(&self, registry: &mut ToolRegistry) -> anyhow::Result<()> {
        if !self.skills.skills().is_empty() {
            registry.register(skill_tool(Arc::clone(&self.skills)))?;
        }
        Ok(())
    }

    /// Gives an agent the rules, and the skills if it can read them.
    pub(crate) fn attach(&self, builder: AgentBuilder, with_skills: bool) -> AgentBuilder {
        let builder = builder.section(Arc::clone(&self.rules) as Arc<dyn SectionSource>);
        if with_skills {
            builder.never_offload(USE_SKILL).section(Arc::clone(&self.skills) as Arc<dyn SectionSource>)
        } else {
            builder
        }
    }

    /// Makes those skills active again that the session had.
    pub(crate) async fn restore(&self, data: &Data, agent: &Agent) -> anyhow::Result<()> {
        if agent.view().entries().is_empty() {
            return Ok(());
        }
        let newest = data.store.message_log().newest(agent.session(), "prompt").await;
        // A record that cannot be read is no reason to stop: the calls in view tell of skills as well.
        let sections = match newest.ok().flatten().map(|record| record.body) {
            Some(RecordBody::Prompt(prompt)) => prompt.sections,
            _ => Vec::new(),
        };
        self.skills.restore(&sections, agent.view().transcript().messages());
        Ok(())
    }

    /// Tells what of rules and skills is not used as it stands in its file.
    pub(crate) async fn tell(&self) -> anyhow::Result<()> {
        let rules = self.rules.rules().await?;
        let skills = self.skills.skills();
        let skills =
            skills.problems().iter().map(|problem| format!("skill {}: {}", problem.place, problem.why));
        let lines: Vec<String> =
            rules.problems().iter().map(|line| format!("rules: {line}")).chain(skills).collect();
        lines.iter().take(MOST_NOTES).for_each(|line| note(line));
        if let Some(more) = lines.len().checked_sub(MOST_NOTES).filter(|more| *more > 0) {
            note(&format!("and {more} more notes about rules and skills"));
        }
        Ok(())
    }
}
