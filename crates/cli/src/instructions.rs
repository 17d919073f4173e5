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
use crate::terminal::{headline, plain};

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

    /// The skills and the rules, for a person.
    pub(crate) async fn page(&self) -> anyhow::Result<String> {
        let (skills, active) = (self.skills.skills(), self.skills.active());
        let mut lines = vec!["Skills:".to_owned()];
        for skill in skills.iter() {
            let mark = if active.contains(&skill.name) { "active" } else { "" };
            lines.push(format!("  {:<24} {mark:<7} {}", skill.name, headline(&skill.description, 100)));
            lines.push(format!("  {:<24} {:<7} in {}", "", "", skill.shown));
        }
        if skills.is_empty() {
            lines.push(
                "  none: a skill is a folder with a SKILL.md in .throughline/skills or in the config folder"
                    .to_owned(),
            );
        }
        let rules = self.rules.rules().await?;
        lines.extend([String::new(), "Rules:".to_owned()]);
        lines.extend(rules.files().iter().map(|file| format!("  {}", file.shown)));
        if rules.files().is_empty() {
            lines.push("  none: AGENTS.md in the project or in the config folder".to_owned());
        }
        let notes = self.notes().await?;
        if !notes.is_empty() {
            lines.extend([String::new(), "Not used as written:".to_owned()]);
            lines.extend(notes.iter().map(|note| format!("  {note}")));
        }
        Ok(plain(&lines.join("\n")))
    }

    /// What of rules and skills is not used as it stands in its file.
    pub(crate) async fn notes(&self) -> anyhow::Result<Vec<String>> {
        let rules = self.rules.rules().await?;
        let skills = self.skills.skills();
        let skills =
            skills.problems().iter().map(|problem| format!("skill {}: {}", problem.place, problem.why));
        let mut lines: Vec<String> =
            rules.problems().iter().map(|line| format!("rules: {line}")).chain(skills).collect();
        if let Some(more) = lines.len().checked_sub(MOST_NOTES).filter(|more| *more > 0) {
            lines.truncate(MOST_NOTES);
            lines.push(format!("and {more} more notes about rules and skills"));
        }
        Ok(lines)
    }
}
