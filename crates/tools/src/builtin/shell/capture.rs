//! Keeping what a command writes, in bounded memory.

use std::collections::VecDeque;

/// Bytes that are kept of the beginning, and as many of the end.
const PART: usize = 8 * 1024 * 1024;

/// The beginning and the end of a stream. Of a short one that is everything.
#[derive(Debug)]
pub(super) struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
    part: usize,
}

impl Default for Capture {
    fn default() -> Self {
        Self::with_part(PART)
    }
}

impl Capture {
    fn with_part(part: usize) -> Self {
        Self { head: Vec::new(), tail: VecDeque::new(), left_out: 0, part }
    }

    /// Takes what came next.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = self.part.saturating_sub(self.head.len()).min(bytes.len());
        let (first, rest) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(self.part);
        self.tail.drain(..over);
        self.left_out += over as u64;
    }

    /// Everything that was kept, with a line that says what was not.
    pub(super) fn finish(self) -> Vec<u8> {
        let mut all = self.head;
        if self.left_out > 0 {
            all.extend_from_slice(format!("\n[... {} bytes left out ...]\n", self.left_out).as_bytes());
        }
        all.extend(self.tail);
        all
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop, proptest};

    use super::Capture;

    fn captured(part: usize, chunks: &[&[u8]]) -> String {
        let mut capture = Capture::with_part(part);
        for chunk in chunks {
            capture.push(chunk);
        }
        String::from_utf8(capture.finish()).unwrap()
    }

    #[test]
    fn a_short_stream_is_kept_whole() {
        assert_eq!(captured(4, &[b"ab", b"cd", b"efgh"]), "abcdefgh");
    }

    #[test]
    fn of_a_long_stream_both_ends_are_kept() {
        assert_eq!(captured(4, &[b"abcdefghijkl"]), "abcd\n[... 4 bytes left out ...]\nijkl");
        assert_eq!(captured(4, &[b"abcdef", b"g", b"hijkl"]), "abcd\n[... 4 bytes left out ...]\nijkl");
    }

    proptest! {
        #[test]
        fn how_it_comes_makes_no_difference(bytes in prop::collection::vec(any::<u8>(), 0..60), at in 0usize..60) {
            let (mut one, mut two) = (Capture::with_part(7), Capture::with_part(7));
            one.push(&bytes);
            let (a, b) = bytes.split_at(at.min(bytes.len()));
            two.push(a);
            two.push(b);
            let (one, two) = (one.finish(), two.finish());
            assert_eq!(one, two);
            if bytes.len() <= 14 {
                assert_eq!(one, bytes);
            }
        }
    }
}
