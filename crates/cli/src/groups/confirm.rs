//! Asks before something is deleted.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::{Context as _, ensure};

/// Asks on the terminal whether to delete something permanently.
///
/// # Errors
/// If the answer is no, or there is no terminal to ask on.
pub(crate) fn confirm(what: &str) -> anyhow::Result<()> {
    let asks = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    ensure!(
        asks,
        "nothing deleted: this would permanently delete {what}; run it again with --yes to confirm"
    );
    let mut out = std::io::stderr();
    write!(out, "Permanently delete {what}? [y/N] ").and_then(|()| out.flush()).context("could not ask")?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).context("could not read the answer")?;
    let yes = matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes");
    ensure!(yes, "nothing deleted");
    Ok(())
}
