//! The lines of a transcript, as JSON.

use std::io::{self, BufRead, Read as _};

use serde_json::Value;
use throughline_replay::line_objects;

/// Maximum bytes of a line that is looked at. A longer one is skipped.
const LINE: u64 = 16 * 1024 * 1024;

/// Takes the lines one by one. One that is not whole, and the parts of one that is too long, are no JSON and are skipped.
pub(crate) fn each_line(mut reader: impl BufRead, mut take: impl FnMut(&Value)) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        if reader.by_ref().take(LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        line_objects(&line).iter().for_each(&mut take);
    }
}
