//! Tests of the output buffer.

use proptest::prelude::{any, prop, proptest};

use super::OutputBuffer;
use crate::output_files::OutputFiles;

fn captured(part: usize, chunks: &[&[u8]]) -> String {
    let mut buffer = OutputBuffer::with_part(part, OutputFiles::new());
    for chunk in chunks {
        buffer.push(chunk);
    }
    String::from_utf8(buffer.finish()).unwrap()
}

/// The text before and after the path of the file, which differs each time.
fn around_path(text: &str) -> (&str, &str) {
    let (start, rest) = text.split_once("; ").unwrap();
    (start, rest.split_once(" ...]\n").unwrap().1)
}

#[test]
fn short_output_is_complete() {
    assert_eq!(captured(4, &[b"ab", b"cd", b"efgh"]), "abcdefgh");
}

#[test]
fn long_output_keeps_its_beginning_and_its_end() {
    for chunks in [vec![b"abcdefghijkl".as_slice()], vec![b"abcdef", b"g", b"hijkl"]] {
        let text = captured(4, &chunks);
        assert_eq!(around_path(&text), ("abcd\n[... 4 bytes left out", "ijkl"), "{text}");
    }
}

#[test]
fn long_output_is_in_a_file_until_the_folder_is_dropped() {
    let files = OutputFiles::new();
    let mut buffer = OutputBuffer::with_part(2, files.clone());
    for chunk in [b"abc", b"def", b"ghi"] {
        buffer.push(chunk);
    }
    let text = String::from_utf8(buffer.take()).unwrap();
    let path = text.split_once("; all of it is in ").unwrap().1.split_once(" ...]").unwrap().0.to_owned();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "abcdefghi");
    let mode = |path: &std::path::Path| {
        std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path).unwrap().permissions()) & 0o777
    };
    let path = std::path::Path::new(&path);
    assert_eq!((mode(path), mode(path.parent().unwrap())), (0o600, 0o700));
    buffer.push(b"xy");
    assert_eq!(buffer.finish(), b"xy", "the buffer is empty after take");
    drop(files);
    assert!(!path.exists());
}

#[test]
fn one_file_and_all_files_have_a_limit() {
    let folder = tempfile::TempDir::new().unwrap();
    let files = OutputFiles::bounded(Some(folder.path().join("new")), 10, 12);
    let mut stored = Vec::new();
    for _ in 0..3 {
        let mut buffer = OutputBuffer::with_part(2, files.clone());
        (0..8).for_each(|_| buffer.push(b"abc"));
        let text = String::from_utf8(buffer.finish()).unwrap();
        stored.push(text.split_once("; the first ").unwrap().1.split_once(" bytes").unwrap().0.to_owned());
    }
    assert_eq!(stored, ["10", "2", "0"]);
    assert_eq!(
        std::fs::read_dir(folder.path().join("new")).unwrap().count(),
        3,
        "a given folder is not removed"
    );
}

#[test]
fn output_that_cannot_be_stored_says_why() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut buffer = OutputBuffer::with_part(1, OutputFiles::bounded(Some(file.path().to_owned()), 1, 1));
    buffer.push(b"abc");
    let text = String::from_utf8(buffer.finish()).unwrap();
    assert!(text.starts_with("a\n[... 1 bytes left out; they could not be kept: "), "{text}");
}

proptest! {
    #[test]
    fn the_sizes_of_the_parts_make_no_difference(bytes in prop::collection::vec(any::<u8>(), 0..60), at in 0usize..60) {
        // Without a folder for files the text is the same each time.
        let files = || OutputFiles::bounded(Some("/dev/null".into()), 1, 1);
        let (mut one, mut two) = (OutputBuffer::with_part(7, files()), OutputBuffer::with_part(7, files()));
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
