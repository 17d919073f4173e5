//! The first sections of the prompt.

use std::path::Path;
use std::sync::Arc;

use throughline_instructions::SessionFolders;
use throughline_prompt::{FixedSections, PromptSection, SectionSource};

use crate::options::SystemPrompt;
use crate::permissions::Attendance;

/// What the model reads before everything else; `None`: nothing.
pub(crate) fn opening_prompt(
    prompt: &SystemPrompt,
    attendance: Attendance,
    workspace: &Path,
) -> Option<Arc<dyn SectionSource>> {
    let sections = match prompt {
        SystemPrompt::CodingAgent => vec![
            PromptSection::base("identity", identity(attendance).trim_end()),
            PromptSection::project("workspace", describe_workspace(workspace)),
        ],
        SystemPrompt::SubAgent(text) => vec![
            PromptSection::base(
                "identity",
                format!("{}\n\n{}", text.trim_end(), include_str!("files/sub_agent.md").trim_end()),
            ),
            PromptSection::project("workspace", describe_workspace(workspace)),
        ],
        SystemPrompt::Own(text) => vec![PromptSection::base("identity", text.trim_end())],
        SystemPrompt::None => return None,
    };
    Some(Arc::new(FixedSections::new("run", sections)))
}

fn identity(attendance: Attendance) -> &'static str {
    match attendance {
        Attendance::Attended => include_str!("files/attended.md"),
        Attendance::Unattended => include_str!("files/unattended.md"),
    }
}

/// Describes the workspace. The text does not change during a session, so the cached prefix stays warm.
fn describe_workspace(workspace: &Path) -> String {
    let places = SessionFolders::of(workspace, None);
    let git = match places.root() {
        root if !root.join(".git").exists() => "no git repository".to_owned(),
        root if root == workspace => "a git repository".to_owned(),
        root => format!("in the git repository {}", root.display()),
    };
    format!(
        "The working folder is {} ({git}). Relative paths begin there. The system is {}.",
        workspace.display(),
        std::env::consts::OS
    )
}
