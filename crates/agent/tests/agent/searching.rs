//! What left the context is found again.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;
use throughline_agent::{MemoryPorts, NullSink};
use throughline_completion::Reply;
use throughline_conversation::{ContentBlock, ToolCall};
use throughline_memory::{FilesError, InMemoryMemory, MemoryFile, MemoryFiles, Scope};
use throughline_testkit::render;

use crate::harness::{World, echo, session, turn};

/// A workspace with one memory file.
#[derive(Debug)]
struct OneFile;

#[async_trait]
impl MemoryFiles for OneFile {
    fn workspace(&self) -> String {
        "/work".to_owned()
    }

    async fn list(&self) -> Result<Vec<MemoryFile>, FilesError> {
        Ok(vec![MemoryFile {
            path: "/work/MEMORY.md".to_owned(),
            name: "MEMORY.md".to_owned(),
            workspace: Some("/work".to_owned()),
            stamp: "1".to_owned(),
        }])
    }

    async fn read(&self, _file: &MemoryFile) -> Result<Option<String>, FilesError> {
        Ok(Some("# Deployment\n\nThe gateway is deployed on Tuesdays only.\n".to_owned()))
    }
}

// S2-16
#[tokio::test]
async fn memory_is_searched_before_and_after_a_compaction() {
    let search = |id: &str| {
        let (name, input) = ("memory_search".to_owned(), json!({"query": "when is the gateway deployed"}));
        Reply::Say(vec![ContentBlock::ToolCall(ToolCall { id: id.to_owned(), name, input })])
    };
    let mut replies = vec![search("s1")];
    replies.extend((0..12).map(|index| Reply::Say(vec![echo(&format!("c{index}"), 300)])));
    replies.extend([Reply::text("Done."), search("s2"), Reply::text("On Tuesdays.")]);
    let world = World::new(10_000, replies);
    let kept = Arc::new(InMemoryMemory::default());
    let memory = MemoryPorts {
        notes: kept.clone(),
        search: kept.clone(),
        files: Arc::new(OneFile),
        index: kept.clone(),
        scope: Scope::folder("/work"),
    };
    let mut agent = world.builder().memory(memory).open(session()).await.unwrap();
    turn(&mut agent, "Look.").await.0.unwrap();
    agent.compact(&NullSink).await.unwrap();
    assert!(agent.view().epoch() > 0);
    turn(&mut agent, "When?").await.0.unwrap();
    let found = "The gateway is deployed on Tuesdays only.";
    let first = render(world.model.requests()[1].transcript.messages());
    assert!(first.contains(found), "{first}");
    let last = render(agent.view().transcript().messages());
    let (_, after) = last.split_once("s2 = ").unwrap();
    assert!(after.contains(found), "{last}");
}
