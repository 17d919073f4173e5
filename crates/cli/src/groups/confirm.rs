//! Asks before something is deleted or overwritten.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::{Context as _, ensure};

use crate::terminal::plain;

/// Asks on the terminal whether to delete something permanently.
///
/// # Errors
/// If the answer is no, or there is no terminal to ask on.
pub(crate) fn confirm(what: &str) -> anyhow::Result<()> {
    let answer = ask(&format!("Permanently delete {what}?"))?;
    ensure!(
        answer.is_some(),
        "nothing deleted: this would permanently delete {what}; run it again with --yes to confirm"
    );
    ensure!(answer == Some(true), "nothing deleted");
    Ok(())
}

/// Asks a question on the terminal. `None`: there is no terminal to ask on.
pub(super) fn ask(question: &str) -> anyhow::Result<Option<bool>> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        return Ok(None);
    }
    let mut out = std::io::stderr();
    write!(out, "{} [y/N] ", plain(question)).and_then(|()| out.flush()).context("could not ask")?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).context("could not read the answer")?;
    Ok(Some(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")))
}
