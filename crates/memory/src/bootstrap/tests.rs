//! Sections keep their caps, and say what they leave out.

use expect_test::expect;
use proptest::prelude::*;

use super::{ALL_CHARS, FILE_CHARS, MemorySection, bootstrap, memory_sections};
use crate::files::{FilesError, MemoryFile, MockMemoryFiles};

fn file(name: &str) -> MemoryFile {
    MemoryFile { path: format!("/w/{name}"), name: name.to_owned(), workspace: None, stamp: String::new() }
}

fn size(sections: &[MemorySection]) -> usize {
    sections.iter().map(|section| section.text.chars().count()).sum()
}

// S2-17
#[test]
fn files_become_sections_in_order() {
    let files = [
        (file("MEMORY.md"), "\n# Rules\nuse tabs\u{202e}\n\n".to_owned()),
        (file("memory/empty.md"), " \n".to_owned()),
        (file("memory/a.md"), "more".to_owned()),
    ];
    let sections = bootstrap(&files);
    let texts: Vec<&str> = sections.iter().map(|section| section.text.as_str()).collect();
    assert_eq!(texts, ["# Memory: MEMORY.md\n\n# Rules\nuse tabs", "# Memory: memory/a.md\n\nmore"]);
    assert_eq!(bootstrap(&files), sections);
}

// C-09: 20,000 characters a file; 70 % are its beginning and 20 % its end.
#[test]
fn a_long_file_is_cut_in_the_middle() {
    let text: String = (0..3_000).map(|number| format!("line {number} é\n")).collect();
    let sections = bootstrap(&[(file("MEMORY.md"), text.clone())]);
    let shown = &sections[0].text;
    let count = shown.chars().count();
    assert!(count <= FILE_CHARS && count > FILE_CHARS * 85 / 100, "{count}");
    let (head, rest) = shown.split_once("\n\n[").unwrap();
    let (marker, tail) = rest.split_once("]\n\n").unwrap();
    expect!["16,933 characters are left out here; memory_search finds what they say."].assert_eq(marker);
    let share = |part: &str| part.chars().count() * 100 / FILE_CHARS;
    assert_eq!((share(head), share(tail)), (69, 19), "of what the title leaves, in whole lines");
    assert!(
        head.ends_with(" é") && tail.starts_with("line ") && tail.ends_with("line 2999 é"),
        "{head:?} {tail:?}"
    );
    let head = head.strip_prefix("# Memory: MEMORY.md\n\n").unwrap();
    assert_eq!(head.chars().count() + tail.chars().count() + 16_933, text.trim().chars().count());
}

// C-09: 150,000 characters in all.
#[test]
fn files_without_room_are_named() {
    let files: Vec<_> =
        (0..60).map(|n| (file(&format!("memory/{n:02}.md")), "words ".repeat(3_000))).collect();
    let sections = bootstrap(&files);
    assert!(size(&sections) <= ALL_CHARS && size(&sections) > ALL_CHARS * 9 / 10, "{}", size(&sections));
    let last = &sections[sections.len() - 1];
    assert_eq!(last.name, "memory files without room");
    let named = (0..60).filter(|n| last.text.contains(&format!("- memory/{n:02}.md"))).count();
    assert_eq!(named + sections.len() - 1, 60, "shown or named");
}

// S2-17
#[tokio::test]
async fn a_missing_file_has_no_section_and_a_failure_is_reported() {
    let mut files = MockMemoryFiles::new();
    files.expect_list().returning(|| Ok(vec![file("MEMORY.md"), file("memory/gone.md")]));
    files.expect_read().returning(|file| Ok((file.name == "MEMORY.md").then(|| "x".to_owned())));
    assert_eq!(memory_sections(&files).await.unwrap().len(), 1);
    let mut broken = MockMemoryFiles::new();
    broken.expect_list().returning(|| Err(FilesError::Other("no disk".into())));
    assert!(memory_sections(&broken).await.is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    // C-09
    #[test]
    fn the_caps_are_never_exceeded(
        files in prop::collection::vec(("[a-zé\n]{1,300}", "[aé設🎉\n ]{1,40}", 0_usize..2_500), 0..40),
    ) {
        let files: Vec<_> = files.into_iter().map(|(name, text, times)| (file(&name), text.repeat(times))).collect();
        let sections = bootstrap(&files);
        prop_assert!(size(&sections) <= ALL_CHARS);
        prop_assert!(sections.iter().all(|section| section.text.chars().count() <= FILE_CHARS));
    }
}
