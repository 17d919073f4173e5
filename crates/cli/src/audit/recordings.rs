//! What an audit reads: files that were named, and the newest sessions of each agent that was.

use throughline_watch::{FileAgent, Recording};

use super::args::AuditArgs;

/// The files that were named, and the newest sessions of each agent that was.
pub(super) fn recordings(args: &AuditArgs) -> anyhow::Result<Vec<Recording>> {
    let mut found: Vec<Recording> = args.files.iter().cloned().map(Recording::named).collect();
    let newest = usize::try_from(args.newest).unwrap_or(usize::MAX);
    let wanted = [
        (args.claude, FileAgent::Claude),
        (args.codex, FileAgent::Codex),
        (args.copilot, FileAgent::Copilot),
        (args.gemini, FileAgent::Gemini),
        (args.pi, FileAgent::Pi),
    ];
    for (_, agent) in wanted.into_iter().filter(|(wanted, _)| *wanted) {
        found.extend(Recording::newest_of(agent, newest)?);
    }
    if args.opencode {
        found.extend(Recording::newest_of_opencode(newest)?);
    }
    Ok(found)
}
