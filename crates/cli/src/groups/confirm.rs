//! Asking before something is lost.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::{Context as _, ensure};

/// Asks on the terminal whether to go on.
///
/// # Errors
/// When the answer is no, or nobody is there to be asked.
pub(crate) fn confirm(question: &str) -> anyhow::Result<()> {
    let somebody = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    ensure!(somebody, "{question} Nobody is here to be asked; add --yes if this is wanted");
    let mut out = std::io::stderr();
    write!(out, "{question} [y/N] ").and_then(|()| out.flush()).context("could not ask")?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).context("could not read the answer")?;
    let yes = matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes");
    ensure!(yes, "nothing is deleted");
    Ok(())
}
