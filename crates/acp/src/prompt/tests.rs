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
        ("file:///work/a%20b.rs#L10", "a b.rs"),
        ("file:///etc/hosts", "/etc/hosts"),
        ("https://example.com/a", "https://example.com/a"),
        ("zed:///agent/thread/1", "zed:///agent/thread/1"),
        ("no uri", "no uri"),
    ] {
        assert_eq!(read(&[link(uri)]).text, expected);
    }
}

#[test]
fn a_text_alone_may_be_a_command() {
    let text = Block::Text(TextContent::new("/undo"));
    assert!(read(std::slice::from_ref(&text)).is_text());
    assert_eq!(read(&[text]).message().text(), "/undo");
}
