//! The body of a request, of known length or in chunks.

use tokio::io::{AsyncRead, AsyncReadExt};

use super::Refusal;

/// The largest body that is taken.
pub(crate) const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// The longest line between chunks.
const LINE_BYTES: usize = 8 * 1024;

/// Why there is no body.
#[derive(Debug)]
pub(super) enum NoBody {
    Refused(Refusal),
    /// The client went away.
    Gone,
}

/// Bytes that came and were not yet used, and where more come from.
#[derive(Debug)]
pub(super) struct Source<'a, R> {
    pub(super) reader: &'a mut R,
    pub(super) buffer: &'a mut Vec<u8>,
}

impl<R: AsyncRead + Unpin> Source<'_, R> {
    /// Reads some more.
    pub(super) async fn more(&mut self) -> Result<(), NoBody> {
        match self.reader.read_buf(self.buffer).await {
            Ok(0) | Err(_) => Err(NoBody::Gone),
            Ok(_) => Ok(()),
        }
    }

    /// The next `bytes` bytes.
    pub(super) async fn take(&mut self, bytes: u64) -> Result<Vec<u8>, NoBody> {
        if bytes > MOST_BYTES {
            return Err(too_large());
        }
        let bytes = usize::try_from(bytes).map_err(|_| too_large())?;
        while self.buffer.len() < bytes {
            self.more().await?;
        }
        let rest = self.buffer.split_off(bytes);
        Ok(std::mem::replace(self.buffer, rest))
    }

    /// A body in chunks, up to and with its trailers.
    pub(super) async fn chunks(&mut self) -> Result<Vec<u8>, NoBody> {
        let broken = |what: &str| NoBody::Refused(Refusal::new(400, format!("malformed chunk: {what}")));
        let mut body = Vec::new();
        loop {
            let line = self.line().await?;
            let size = line.split(';').next().unwrap_or_default().trim();
            let size = u64::from_str_radix(size, 16).map_err(|_| broken("no size"))?;
            if size == 0 {
                break;
            }
            let all = size.saturating_add(u64::try_from(body.len()).unwrap_or(u64::MAX));
            if all > MOST_BYTES {
                return Err(too_large());
            }
            body.extend(self.take(size).await?);
            if !self.line().await?.is_empty() {
                return Err(broken("longer than its size"));
            }
        }
        while !self.line().await?.is_empty() {}
        Ok(body)
    }

    async fn line(&mut self) -> Result<String, NoBody> {
        loop {
            if let Some(end) = self.buffer.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.buffer.drain(..=end).collect();
                return Ok(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
            if self.buffer.len() > LINE_BYTES {
                return Err(NoBody::Refused(Refusal::new(
                    400,
                    "malformed chunk: its first line is too long",
                )));
            }
            self.more().await?;
        }
    }
}

fn too_large() -> NoBody {
    NoBody::Refused(Refusal::new(413, format!("Request exceeds the maximum size of {MOST_BYTES} bytes")))
}
