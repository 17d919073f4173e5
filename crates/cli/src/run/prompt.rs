//! What the user asks for: an argument, standard input, or one after the other.

use std::fs::File;
use std::io::{IsTerminal, Read};
use std::os::fd::AsFd as _;
use std::os::unix::fs::FileTypeExt as _;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context as _, bail};

use crate::terminal::note;

/// Most bytes that are read from standard input. No window holds more.
const MOST: u64 = 32 * 1024 * 1024;

/// How long text may take to begin that nobody said would come: a program that starts this one may leave it a pipe that
/// nothing is ever written to.
const PATIENCE: Duration = Duration::from_secs(3);

/// The prompt. `None`: nothing was asked, which is enough to go on with a session that was cut off. Where one is named,
/// standard input may have a prompt for it, and may as well be what the program that started this one left there.
pub(super) fn read(argument: Option<&str>, goes_on: bool) -> anyhow::Result<Option<String>> {
    let text = match argument {
        Some("-") => stdin()?,
        Some(text) if text.trim().is_empty() => bail!("the prompt is empty; write what is to be done"),
        Some(text) => match piped()? {
            Some(more) if !more.trim().is_empty() => format!("{text}\n\n{more}"),
            _ => text.to_owned(),
        },
        None if std::io::stdin().is_terminal() => return Ok(None),
        None if goes_on => match begun_soon()? {
            Some(text) => text,
            None => {
                note(
                    "nothing came on standard input, so the session goes on without a prompt (`-` waits for one)",
                );
                return Ok(None);
            }
        },
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

/// What is piped in beside the argument. `None`: nothing is.
fn piped() -> anyhow::Result<Option<String>> {
    let Ok(input) = std::io::stdin().as_fd().try_clone_to_owned() else { return Ok(None) };
    let is_given = |kind: std::fs::FileType| kind.is_fifo() || kind.is_file();
    if !File::from(input).metadata().is_ok_and(|metadata| is_given(metadata.file_type())) {
        return Ok(None);
    }
    let text = begun_soon()?;
    if text.is_none() {
        note("nothing came on standard input, so the prompt is the argument alone");
    }
    Ok(text)
}

/// All of standard input, when it begins or ends soon. `None`: it did neither.
fn begun_soon() -> anyhow::Result<Option<String>> {
    let (begun, begins) = channel();
    let (done, ends) = channel();
    std::thread::spawn(move || {
        let mut first = [0];
        let read = std::io::stdin().lock().read(&mut first);
        let more = matches!(read, Ok(1));
        // Nobody listens any more when it took too long.
        let _ = begun.send(());
        let _ = done.send(match read {
            Ok(_) if more => rest(first.to_vec()),
            Ok(_) => Ok(String::new()),
            Err(error) => Err(error).context("could not read standard input"),
        });
    });
    if let Err(RecvTimeoutError::Timeout) = begins.recv_timeout(PATIENCE) {
        return Ok(None);
    }
    ends.recv().context("could not read standard input")?.map(Some)
}

fn stdin() -> anyhow::Result<String> {
    rest(Vec::new())
}

/// All of standard input, behind what was read of it.
fn rest(mut bytes: Vec<u8>) -> anyhow::Result<String> {
    let read = std::io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes);
    read.context("could not read the prompt from standard input")?;
    if bytes.len() as u64 > MOST {
        bail!("the prompt on standard input has more than {MOST} bytes; name a file in the prompt instead");
    }
    String::from_utf8(bytes).context("the prompt on standard input is not UTF-8 text")
}
