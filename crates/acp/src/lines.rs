//! Standard input and output as lines.

use std::io::{self, BufRead, Read as _};
use std::sync::Arc;

use futures_util::{Sink, Stream, sink, stream};
use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{Notify, mpsc};

/// Bytes of a line. A picture takes up to 7 MiB in base64, and a prompt may have several.
const LONGEST: u64 = 64 * 1024 * 1024;

/// Lines that are read and not yet taken.
const AHEAD: usize = 16;

/// The lines of a reader, read on a thread of its own: a read that waits cannot be cancelled, and must not delay the end of
/// the program. Blank lines are skipped. A line that is no UTF-8, or too long, is replaced by a text that says so, which is no
/// JSON either.
pub(crate) fn lines(
    reader: impl FnOnce() -> Box<dyn BufRead> + Send + 'static,
) -> impl Stream<Item = io::Result<String>> {
    let (send, received) = mpsc::channel(AHEAD);
    std::thread::spawn(move || {
        let mut reader = reader();
        loop {
            let line = next_line(&mut reader, LONGEST).transpose();
            let Some(line) = line else { return };
            let is_last = line.is_err();
            if send.blocking_send(line).is_err() || is_last {
                return;
            }
        }
    });
    stream::unfold(received, async |mut received| Some((received.recv().await?, received)))
}

/// The next line that is not blank; `None` at the end.
fn next_line(mut reader: &mut dyn BufRead, longest: u64) -> io::Result<Option<String>> {
    loop {
        let mut bytes = Vec::new();
        if (&mut reader).take(longest).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        if bytes.len() as u64 == longest && bytes.last() != Some(&b'\n') {
            reader.skip_until(b'\n')?;
            return Ok(Some(format!("a line of more than {longest} bytes")));
        }
        if !bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(Some(String::from_utf8(bytes).map_or_else(
                |error| format!("a line that is no UTF-8 at byte {}", error.utf8_error().valid_up_to()),
                |line| line.trim_end_matches(['\r', '\n']).to_owned(),
            )));
        }
    }
}

/// Takes lines, and writes each at once. A reader that is gone is announced, and what it would have read is lost.
pub(crate) fn written(
    writer: impl AsyncWrite + Unpin + Send,
    gone: Arc<Notify>,
) -> impl Sink<String, Error = io::Error> + Send {
    sink::unfold((writer, gone), async |(mut writer, gone), line: String| {
        let mut line = line.into_bytes();
        line.push(b'\n');
        let wrote = async {
            writer.write_all(&line).await?;
            writer.flush().await
        };
        match wrote.await {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => gone.notify_one(),
            wrote => wrote?,
        }
        Ok((writer, gone))
    })
}

#[cfg(test)]
mod tests;
