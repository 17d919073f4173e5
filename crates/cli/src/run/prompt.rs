//! The prompt: an argument, standard input, or one after the other.

use std::fs::File;
use std::io::{IsTerminal, Read};
use std::os::fd::AsFd as _;
use std::os::unix::fs::FileTypeExt as _;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use anyhow::{Context as _, bail};
use throughline_commands::UsageError;
use throughline_terminal::note;

/// Maximum bytes that are read from standard input. No window holds more.
const MAX_INPUT_BYTES: u64 = 32 * 1024 * 1024;

/// How long unannounced text may take to begin: the parent process may leave a pipe that it never writes to.
const PATIENCE: Duration = Duration::from_secs(3);

/// What the user asks.
#[derive(Debug)]
pub(super) struct Prompt {
    /// Where `@` names files.
    pub(super) asked: String,
    /// Text that was piped in next to it.
    pub(super) piped: Option<String>,
}

impl Prompt {
    /// A prompt that nothing was piped in next to.
    pub(super) fn of(asked: impl Into<String>) -> Self {
        Self { asked: asked.into(), piped: None }
    }

    /// All of it.
    pub(super) fn text(&self) -> String {
        match &self.piped {
            Some(piped) => format!("{}\n\n{piped}", self.asked),
            None => self.asked.clone(),
        }
    }
}

/// The prompt; `None` without one, which suffices to continue an interrupted session (`continues`). Then standard input
/// may hold a prompt, or be a pipe that the parent process happened to leave.
pub(super) fn read(argument: Option<&str>, continues: bool) -> anyhow::Result<Option<Prompt>> {
    let text = match argument {
        Some("-") => stdin()?,
        Some(text) if text.trim().is_empty() => bail!(UsageError("the prompt is empty".to_owned())),
        Some(text) => {
            let piped = piped()?.filter(|more| !more.trim().is_empty());
            return Ok(Some(Prompt { asked: text.to_owned(), piped }));
        }
        None if std::io::stdin().is_terminal() => return Ok(None),
        None if continues => match begun_soon()? {
            Some(text) => text,
            None => {
                note(
                    "nothing on standard input, so the session continues without a prompt (`-` waits for one)",
                );
                return Ok(None);
            }
        },
        None => stdin()?,
    };
    if text.trim().is_empty() {
        if argument.is_some() {
            bail!(UsageError("the prompt is empty".to_owned()));
        }
        return Ok(None);
    }
    Ok(Some(Prompt::of(text)))
}

/// Text piped in next to the argument.
fn piped() -> anyhow::Result<Option<String>> {
    let Ok(input) = std::io::stdin().as_fd().try_clone_to_owned() else { return Ok(None) };
    let is_given = |kind: std::fs::FileType| kind.is_fifo() || kind.is_file();
    if !File::from(input).metadata().is_ok_and(|metadata| is_given(metadata.file_type())) {
        return Ok(None);
    }
    let text = begun_soon()?;
    if text.is_none() {
        note("nothing on standard input, so the prompt is the argument alone");
    }
    Ok(text)
}

/// All of standard input; `None` if it neither begins nor ends soon.
fn begun_soon() -> anyhow::Result<Option<String>> {
    let (begun, begins) = channel();
    let (done, ends) = channel();
    std::thread::spawn(move || {
        let mut first = [0];
        let read = std::io::stdin().lock().read(&mut first);
        let more = matches!(read, Ok(1));
        // The receiver is gone if it took too long.
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

/// The rest of standard input, after these bytes.
fn rest(mut bytes: Vec<u8>) -> anyhow::Result<String> {
    let read = std::io::stdin().lock().take(MAX_INPUT_BYTES + 1).read_to_end(&mut bytes);
    read.context("could not read the prompt from standard input")?;
    if bytes.len() as u64 > MAX_INPUT_BYTES {
        bail!(
            "the prompt on standard input has more than {MAX_INPUT_BYTES} bytes; name a file in the prompt instead"
        );
    }
    String::from_utf8(bytes).context("the prompt on standard input is not UTF-8 text")
}
