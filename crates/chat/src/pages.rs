//! Pages about the MCP servers, the hooks, the skills and the output styles of a session.

use throughline_config::{Config, DEFAULT_STYLE, Trust};
use throughline_mcp::ServerStatus;
use throughline_session::{Instructions, Servers};
use throughline_terminal::table;
use throughline_text::{headline, plain};

/// The MCP servers and their tools, for a person.
pub(super) fn servers_page(servers: &Servers) -> String {
    let (reports, tools, notices) = (servers.reports(), servers.tool_names(), servers.notices());
    if reports.is_empty() && notices.is_empty() {
        return "No MCP servers. /mcp add NAME COMMAND adds one, and the .mcp.json of a trusted project may name \
                some."
            .to_owned();
    }
    let mut rows = vec![["SERVER", "BY", "STATE", "TOOLS"].map(str::to_owned).to_vec()];
    rows.extend(reports.iter().map(|report| {
        let state = match report.status {
            ServerStatus::Idle => "not started: its tools are known",
            ServerStatus::Starting => "starting",
            ServerStatus::Running => "running",
            ServerStatus::Ended => "ended; the next call starts it again",
            ServerStatus::Failed => "failed; /mcp reload tries again",
            ServerStatus::NeedsLogin => "needs login: /mcp login",
        };
        let tools = report.tools.map_or("-".to_owned(), |tools| tools.to_string());
        vec![report.name.clone(), report.kind.to_owned(), state.to_owned(), tools]
    }));
    let mut lines = table(&rows);
    for part in [tools.iter().map(|name| format!("  {name}")).collect::<Vec<_>>(), notices] {
        if !part.is_empty() {
            lines.push(String::new());
            lines.extend(part);
        }
    }
    plain(&lines.join("\n"))
}

/// Characters of a hook's command in a row.
const MAX_COMMAND: usize = 60;

/// The hooks, for a person.
pub(super) fn hooks_page(config: &Config) -> anyhow::Result<String> {
    let (hooks, notices) = config.hooks()?;
    let mut lines = Vec::new();
    if hooks.is_empty() {
        lines.push("No hooks. Add them to hooks.json in your config folder, or to .throughline/hooks.json of a trusted project.".to_owned());
    } else {
        let mut rows = vec![["EVENT", "MATCHES", "KIND", "WHAT", "FROM"].map(str::to_owned).to_vec()];
        rows.extend(hooks.iter().map(|hook| {
            let matcher = if hook.matcher().is_empty() { "everything" } else { hook.matcher() };
            let kind = if hook.is_async { "async" } else { hook.kind() };
            let text = headline(hook.text(), MAX_COMMAND);
            let (event, matcher) = (hook.event.name().to_owned(), matcher.to_owned());
            vec![event, matcher, kind.to_owned(), text, hook.place.clone()]
        }));
        lines.extend(table(&rows));
    }
    if config.trust != Trust::Trusted && !config.project.hooks.is_empty() {
        let text = "This project has hooks of its own; they run once you trust it (throughline trust).";
        lines.extend([String::new(), text.to_owned()]);
    }
    if !notices.is_empty() {
        lines.push(String::new());
        lines.extend(notices);
    }
    Ok(plain(&lines.join("\n")))
}

/// The skills and the rules, for a person.
pub(super) async fn instructions_page(instructions: &Instructions) -> anyhow::Result<String> {
    let (skills, active) = (instructions.skills(), instructions.active_skills());
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
    let rules = instructions.rules().await?;
    lines.extend([String::new(), "Rules:".to_owned()]);
    lines.extend(rules.files().iter().map(|file| format!("  {}", file.shown)));
    if rules.files().is_empty() {
        lines.push("  none: AGENTS.md in the project or in the config folder".to_owned());
    }
    let notices = instructions.notices().await?;
    if !notices.is_empty() {
        lines.extend([String::new(), "Not used as written:".to_owned()]);
        lines.extend(notices.iter().map(|notice| format!("  {notice}")));
    }
    Ok(plain(&lines.join("\n")))
}

/// The output styles, for a person.
pub(super) fn styles_page(instructions: &Instructions) -> String {
    let used = instructions.style().map_or(DEFAULT_STYLE, |style| style.name.as_str());
    let mark = |name: &str| if name == used { "used" } else { "" };
    let mut lines = vec![
        "Output styles:".to_owned(),
        format!("  {DEFAULT_STYLE:<24} {:<5} the instructions of a coding agent", mark(DEFAULT_STYLE)),
    ];
    for style in instructions.output_styles().iter() {
        lines.push(format!(
            "  {:<24} {:<5} {}",
            style.name,
            mark(&style.name),
            headline(&style.description, 100)
        ));
        // A style that has no file says so.
        let place =
            if style.shown.contains('/') { format!("in {}", style.shown) } else { style.shown.clone() };
        lines.push(format!("  {:<24} {:<5} {place}", "", ""));
    }
    lines.extend([
        String::new(),
        "/output-style NAME sets it for the next session. A file .throughline/output-styles/NAME.md of a trusted project, or \
         output-styles/NAME.md of your config folder, adds one."
            .to_owned(),
    ]);
    plain(&lines.join("\n"))
}
