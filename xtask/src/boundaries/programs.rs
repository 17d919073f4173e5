//! No program builds an agent itself: `session` opens a session, in one way for all of them.

use crate::source::is_test_file;
use crate::tree::TextFile;

/// The folders of the programs' crates. The demo is not among them: it runs below the settings, so that no user's settings
/// change what it shows.
const PROGRAMS: [&str; 6] = ["acp", "chat", "cli", "commands", "mcpserver", "server"];

/// What builds an agent.
const BUILDS: [&str; 2] = ["AgentBuilder", "Agent::builder"];

/// The places where a program's own code names what builds an agent. Its tests may.
pub(super) fn check(files: &[TextFile]) -> Vec<String> {
    let of_program = |path: &str| {
        let mut parts = path.split('/');
        let (crates, name, folder) = (parts.next(), parts.next(), parts.next());
        crates == Some("crates") && folder == Some("src") && name.is_some_and(|name| PROGRAMS.contains(&name))
    };
    let own =
        files.iter().filter(|file| file.is_rust() && of_program(&file.path) && !is_test_file(&file.path));
    let names = |text: &str| BUILDS.into_iter().find(|name| text.contains(name));
    own.filter_map(|file| {
        let name = names(&file.text)?;
        Some(format!("{}: names `{name}`: open the session with throughline_session::open", file.path))
    })
    .collect()
}

#[cfg(test)]
mod tests;
