//! What the user asks for: an argument, or standard input.

use std::io::{IsTerminal, Read};

use anyhow::{Context as _, bail};

/// Most bytes that are read from standard input. No window holds more.
const MOST: u64 = 32 * 1024 * 1024;

/// The prompt. `None`: nothing was asked, which is enough to go on with a session that was cut off.
pub(super) fn read(argument: Option<&str>) -> anyhow::Result<Option<String>> {
    let text = match argument {
        Some("-") => stdin()?,
        Some(text) => text.to_owned(),
        None if std::io::stdin().is_terminal() => return Ok(None),
        None => stdin()?,
    };
    if text.trim().is_empty() {
        if argument.is_some() {
            bail!("the prompt is empty; write what is to be done");
        }
        return Ok(None);
    }
    Ok(Some(text))
}

fn stdin() -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes);
    read.context("could not read the prompt from standard input")?;
    if bytes.len() as u64 > MOST {
        bail!("the prompt on standard input has more than {MOST} bytes; name a file in the prompt instead");
    }
    String::from_utf8(bytes).context("the prompt on standard input is not UTF-8 text")
}
