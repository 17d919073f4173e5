//! Asks for a secret.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _};

use throughline_text::plain;

/// Maximum bytes of a secret that is piped in.
const MAX_BYTES: u64 = 16 << 10;

/// Reads a secret: from the terminal after a question, without showing it; else the first line of standard input.
///
/// # Errors
/// The question cannot be written, or nothing can be read.
pub fn ask_secret(question: &str) -> io::Result<String> {
    if io::stdin().is_terminal() {
        return rpassword::prompt_password(format!("{} ", plain(question)));
    }
    let mut line = String::new();
    io::stdin().lock().take(MAX_BYTES).read_line(&mut line)?;
    Ok(line)
}
