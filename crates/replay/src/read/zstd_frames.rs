//! Unpacks zstd: one frame after the other.

use std::io::{self, BufRead, ErrorKind, Read};

use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// What is in the frames of a file.
pub(super) struct ZstdFrames<R> {
    packed: R,
    frame: FrameDecoder,
}

impl<R: BufRead> ZstdFrames<R> {
    pub(super) fn of(packed: R) -> Self {
        Self { packed, frame: FrameDecoder::new() }
    }
}

impl<R: BufRead> Read for ZstdFrames<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            while self.frame.can_collect() == 0 && !self.frame.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                self.frame.decode_blocks(&mut self.packed, one).map_err(damaged)?;
            }
            let read = self.frame.read(into)?;
            if read > 0 || into.is_empty() || self.packed.fill_buf()?.is_empty() {
                return Ok(read);
            }
            self.frame.reset(&mut self.packed).map_err(damaged)?;
        }
    }
}

fn damaged(error: FrameDecoderError) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, error)
}
