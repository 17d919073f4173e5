//! Files of all kinds.

use std::os::unix::net::UnixListener;

use super::{MOST_BYTES, read, real};
use crate::refusal::Refusal;
use crate::stage::Stage;

fn text(bytes: &[u8]) -> Result<(String, usize), Refusal> {
    let stage = Stage::of(&[]);
    stage.put("repo/file.md", bytes);
    read(&stage.path("repo/file.md")).map(|found| (found.text, found.removed))
}

#[test]
fn what_a_person_does_not_see_is_taken_out_and_counted() {
    let hidden = "Be kind.\u{200b}\u{202e}\u{e0041}\u{1b}[31m\u{7}\n";
    assert_eq!(text(hidden.as_bytes()), Ok(("Be kind.[31m\n".to_owned(), 5)));
    // How a file is written on Windows is nothing to tell.
    assert_eq!(text("\u{feff}one\r\ntwo\r\n".as_bytes()), Ok(("one\ntwo\n".to_owned(), 0)));
    assert_eq!(text("тест 🦀 é\n".as_bytes()), Ok(("тест 🦀 é\n".to_owned(), 0)));
}

#[test]
fn only_text_is_read() {
    assert_eq!(text(b"\x89PNG\0\0"), Err(Refusal::Binary));
    assert_eq!(text(b"caf\xe9"), Err(Refusal::NotUtf8));
    let stage = Stage::of(&[]);
    assert_eq!(read(&stage.path("repo")), Err(Refusal::Folder));
    assert_eq!(read(&stage.path("repo/none")), Err(Refusal::Missing));
    let _listener = UnixListener::bind(stage.path("repo/pipe.md")).unwrap();
    assert_eq!(read(&stage.path("repo/pipe.md")), Err(Refusal::Special));
}

#[test]
fn a_huge_file_costs_no_more_than_its_two_ends() {
    let stage = Stage::of(&[]);
    // Each character has three bytes, and neither cut falls between two of them.
    let mut bytes = b"a".to_vec();
    bytes.extend("€".repeat(4_000_000).into_bytes());
    bytes.extend(b"b");
    stage.put("repo/huge.md", &bytes);
    let found = read(&stage.path("repo/huge.md")).unwrap();
    assert_eq!(found.hidden, bytes.len() as u64 - MOST_BYTES);
    assert!(
        found.text.len() as u64 <= MOST_BYTES && found.text.starts_with("a€") && found.text.ends_with("€b")
    );
}

#[test]
fn a_file_stays_inside_and_is_no_secret() {
    let stage = Stage::of(&[
        ("outside.md", "x"),
        ("repo/a/in.md", "x"),
        ("repo/.env", "KEY=1"),
        ("repo/.git/config", "x"),
        ("repo/deploy.PEM", "x"),
    ]);
    stage.link("repo/out.md", stage.path("outside.md"));
    stage.link("repo/loop.md", "loop.md");
    stage.link("repo/fine.md", "a/in.md");
    let repo = stage.path("repo");
    let check = |path: &str| real(&repo.join(path), &repo);
    assert_eq!(check("fine.md"), Ok(stage.path("repo/a/in.md")));
    assert_eq!(check("a/../a/in.md"), Ok(stage.path("repo/a/in.md")));
    for path in ["../outside.md", "../none.md", "out.md", "/etc/passwd", "a/../../x"] {
        assert_eq!(check(path), Err(Refusal::Outside), "{path}");
    }
    for path in [".env", ".git/config", "deploy.PEM"] {
        assert_eq!(check(path), Err(Refusal::Secret), "{path}");
    }
    assert_eq!(check("none.md"), Err(Refusal::Missing));
    assert!(matches!(check("loop.md"), Err(Refusal::Unreadable(_))));
}
