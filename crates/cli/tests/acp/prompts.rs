//! What a prompt may hold.

use agent_client_protocol::ErrorCode;
use agent_client_protocol::v1::schema::{
    AudioContent, BlobResourceContents, ContentBlock, EmbeddedResource, EmbeddedResourceResource,
    ImageContent, PromptRequest, ResourceLink, StopReason, TextContent, TextResourceContents,
};
use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::editor::Editor;
use crate::home::Home;

/// A picture of one pixel.
const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn text(text: &str) -> ContentBlock {
    ContentBlock::Text(TextContent::new(text))
}

fn embedded(resource: EmbeddedResourceResource) -> ContentBlock {
    ContentBlock::Resource(EmbeddedResource::new(resource))
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_named_texts_are_attached_and_pictures_are_sent() {
    let home = Home::new(Script::new().then(Answer::text("Fine."))).await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    let inside = format!("file://{}/a%20b.txt", home.work().display());
    let note =
        TextResourceContents::new("Line one.\nLine two.\n", format!("file://{}/n.md", home.work().display()));
    let blocks = vec![
        text("Compare "),
        ContentBlock::ResourceLink(ResourceLink::new("a b.txt", inside)),
        text(" with "),
        ContentBlock::ResourceLink(ResourceLink::new("page", "https://example.com/page")),
        text(" and "),
        embedded(EmbeddedResourceResource::TextResourceContents(note)),
        ContentBlock::Image(ImageContent::new(PIXEL, "image/png")),
    ];
    let ended = editor.ask(PromptRequest::new(id, blocks)).await.unwrap();
    assert_eq!(ended.stop_reason, StopReason::EndTurn);
    let received = home.requests();
    let sent = received.last().unwrap();
    assert!(sent.faults.is_empty(), "{:?}", sent.faults);
    let system = sent.body["system"].to_string();
    assert!(system.contains("The user is present"), "{system}");
    assert!(!system.contains("terminal"), "the user is at an editor: {system}");
    let content = &sent.body["messages"][0]["content"];
    assert_eq!(content[0]["text"], "Compare a b.txt with https://example.com/page and n.md", "{content}");
    assert_eq!(content[1]["text"], "Content of n.md:\nLine one.\nLine two.", "{content}");
    assert_eq!(content[2]["source"]["data"], json!(PIXEL), "{content}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_model_can_take_is_refused_and_named() {
    let home = Home::new(Script::new().then(Answer::text("Fine."))).await;
    let editor = Editor::start(&home, &[]).await;
    let id = editor.open(&home).await;
    let blob = BlobResourceContents::new("AAAA", "file:///x.pdf").mime_type("application/pdf".to_owned());
    let blob = embedded(EmbeddedResourceResource::BlobResourceContents(blob));
    for (blocks, says) in [
        (vec![], "the prompt is empty"),
        (vec![text(" \n")], "the prompt is empty"),
        (
            vec![text("Hear: "), ContentBlock::Audio(AudioContent::new("AAAA", "audio/wav"))],
            "prompt[1]: audio",
        ),
        (vec![blob], "prompt[0]: a resource of type application/pdf"),
        (vec![ContentBlock::Image(ImageContent::new("no base64!", "image/png"))], "prompt[0]: the picture"),
    ] {
        let refused = editor.ask(PromptRequest::new(id.clone(), blocks)).await.unwrap_err();
        assert_eq!(refused.code, ErrorCode::INVALID_PARAMS, "{refused:?}");
        assert!(refused.message.contains(says), "{says}: {refused:?}");
    }
    // A refused prompt is no turn.
    assert!(home.requests().is_empty());
    assert_eq!(editor.prompt(&id, "Go.").await.unwrap().stop_reason, StopReason::EndTurn);
}
