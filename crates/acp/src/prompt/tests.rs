//! Prompts that mix texts, links and resources.

use agent_client_protocol::v1::schema::{ResourceLink, TextContent};

use super::*;

fn read(blocks: &[Block]) -> Prompt {
    Prompt::read(blocks, Path::new("/work")).unwrap()
}

fn link(uri: &str) -> Block {
    Block::ResourceLink(ResourceLink::new("name", uri))
}

#[test]
fn files_are_named_by_their_paths_and_other_resources_by_their_uris() {
    for (uri, expected) in [
        ("file:///work/src/a.rs", "src/a.rs"),
        ("file:///work/a%20b.rs#L10", "a b.rs:10"),
        ("file:///work/a.rs#L3:9", "a.rs:3-9"),
        ("file:///work/a.rs#L3-L9", "a.rs:3-9"),
        ("file:///work/a.rs?symbol=run#L7:7", "a.rs:7"),
        ("file:///work/a.md#setup", "a.md#setup"),
        ("file:///work/a.rs#", "a.rs"),
        ("file:///etc/hosts", "/etc/hosts"),
        ("https://example.com/a", "https://example.com/a"),
        ("zed:///agent/thread/1", "zed:///agent/thread/1"),
        ("no uri", "no uri"),
    ] {
        assert_eq!(read(&[link(uri)]).text, expected);
    }
}

#[test]
fn the_name_of_a_resource_is_a_word_of_its_own() {
    let text = |text: &str| Block::Text(TextContent::new(text));
    let (file, page) = (link("file:///work/a.rs"), link("https://x.test/a"));
    let blocks = [text("Compare"), file.clone(), page.clone(), text("please")];
    assert_eq!(read(&blocks).text, "Compare a.rs https://x.test/a please");
    let blocks = [text("Compare "), file.clone(), text(" with\n"), page.clone(), text("\nnow")];
    assert_eq!(read(&blocks).text, "Compare a.rs with\nhttps://x.test/a\nnow");
    let blocks = [text("Read it ("), file.clone(), text("), `"), page.clone(), text("`. "), file, text(".")];
    assert_eq!(read(&blocks).text, "Read it (a.rs), `https://x.test/a`. a.rs.");
    let blocks = [link("https://x.test/(a)"), link("https://x.test/[b"), page, text("."), text("5")];
    assert_eq!(read(&blocks).text, "https://x.test/(a) https://x.test/[b https://x.test/a.5");
}

#[test]
fn a_text_alone_may_be_a_command() {
    let text = Block::Text(TextContent::new("/undo"));
    assert!(read(std::slice::from_ref(&text)).is_text());
    assert_eq!(read(&[text]).message().text(), "/undo");
}
