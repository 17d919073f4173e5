//! The first sections of the prompt.

use std::path::Path;
use std::sync::Arc;

use throughline_instructions::{OutputStyle, SessionFolders};
use throughline_prompt::{FixedSections, PromptSection, SectionSource};

use crate::options::SystemPrompt;
use crate::permissions::Attendance;

/// What the model reads before everything else; `None`: nothing. An output style is the coding agent's alone.
pub(crate) fn opening_prompt(
    prompt: &SystemPrompt,
    style: Option<&OutputStyle>,
    attendance: Attendance,
    workspace: &Path,
) -> Option<Arc<dyn SectionSource>> {
    let sections = match prompt {
        SystemPrompt::CodingAgent => {
            let text = |style: &OutputStyle| format!("# Output style: {}\n\n{}", style.name, style.text);
            let identity = PromptSection::base("identity", identity(style, attendance));
            let style = style.map(|style| PromptSection::base("style", text(style)));
            let workspace = PromptSection::project("workspace", describe_workspace(workspace));
            std::iter::once(identity).chain(style).chain([workspace]).collect()
        }
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

/// Who the agent is and how it works. A style that does not keep the instructions for code replaces them.
fn identity(style: Option<&OutputStyle>, attendance: Attendance) -> String {
    let tools = include_str!("files/tools.md");
    let attendance = match attendance {
        Attendance::Attended => include_str!("files/attended.md"),
        Attendance::Unattended => include_str!("files/unattended.md"),
    };
    let parts = match style {
        Some(style) if !style.keeps_coding => [include_str!("files/styled.md"), tools, attendance, ""],
        _ => [include_str!("files/coding.md"), tools, attendance, include_str!("files/ending.md")],
    };
    parts.concat().trim_end().to_owned()
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
