//! Rules files of user and project, and skills, as sections of the prompt.
//!
//! [`Rules`] are what people write for every agent that works in a folder: `AGENTS.md` and its like, from the
//! project's root down to the folder that is worked in, with the files that they import by `@path`. [`Skills`] are
//! instructions for one kind of work each: the model always sees their names and descriptions, and reads the text of
//! one by the tool `use_skill` ([`skill_tool`]) when it needs it.
//!
//! [`RulesSource`] and [`SkillsSource`] give both as sections. They read files at the start and again after each
//! compaction, so that what is edited in between leaves the provider's cache warm and is not forgotten either.
//!
//! Any of these files may come from a stranger. Reading is bounded in characters, in files and in depth; no import
//! leaves its project, whatever links lead there; invisible characters are removed. A note in the text marks whatever is
//! changed or left out, and `problems()` lists it for the user.
//!
//! ```
//! use throughline_instructions::{Rules, RulesPolicy, SessionFolders};
//!
//! let project = tempfile::tempdir()?;
//! std::fs::write(project.path().join("AGENTS.md"), "Run the tests before you answer.\n")?;
//! let rules = Rules::load(&SessionFolders::of(project.path(), None), &RulesPolicy::default());
//! assert!(rules.sections()[0].content.contains("Run the tests"));
//! assert!(rules.problems().is_empty());
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! Neighbours: sections go to `prompt`, whose port [`SectionSource`] is implemented here; the port [`Tool`] is that of
//! `tools`. This crate does NOT know what a turn or a compaction is, whether a project is trusted or where the
//! user's configuration is (both are parameters), or how many tokens a text has.
//!
//! [`SectionSource`]: throughline_prompt::SectionSource
//! [`Tool`]: throughline_tools::Tool

mod agents;
mod calls;
mod cut;
mod expand;
mod front_matter;
mod imports;
mod linked_worktree;
mod named_files;
mod output_styles;
mod places;
mod plugin_parts;
mod project_files;
mod prompt_file;
mod reading;
mod refusal;
mod rules;
mod rules_source;
mod skill_text;
mod skill_tool;
mod skills;
mod skills_source;
#[cfg(test)]
mod stage;

pub use agents::{AgentKind, AgentKinds, KindSetting};
pub use linked_worktree::LinkedWorktree;
pub use output_styles::{OutputStyle, OutputStyles};
pub use places::SessionFolders;
pub use plugin_parts::PluginParts;
pub use project_files::{ProjectFile, ProjectFileKind};
pub use prompt_file::PromptFile;
pub use rules::{Owner, Rules, RulesFile, RulesPolicy};
pub use rules_source::RulesSource;
pub use skill_tool::{USE_SKILL, skill_tool};
pub use skills::{SKILL_FILE, Skill, SkillOrigin, SkillProblem, Skills, SkillsPolicy};
pub use skills_source::SkillsSource;
