//! Keeps memos in memory, and reads memory files from a place of its own.

use std::sync::Arc;

use throughline::Throughline;
use throughline::ports::async_trait;
use throughline::ports::scripted::{self, Reply};
use throughline_engine::MemoryPorts;
use throughline_memory::{FilesError, InMemoryMemory, MemoryFile, MemoryFiles, Scope};

/// One memory file, which could come from anywhere.
#[derive(Debug)]
struct Notebook;

#[async_trait]
impl MemoryFiles for Notebook {
    fn workspace(&self) -> String {
        "garden".to_owned()
    }

    async fn list(&self) -> Result<Vec<MemoryFile>, FilesError> {
        Ok(vec![MemoryFile {
            path: "notebook/MEMORY.md".to_owned(),
            name: "MEMORY.md".to_owned(),
            workspace: Some(self.workspace()),
            stamp: "1".to_owned(),
        }])
    }

    async fn read(&self, _file: &MemoryFile) -> Result<Option<String>, FilesError> {
        Ok(Some("The beans were sown on the second of May.".to_owned()))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> throughline::Result<()> {
    let memory = Arc::new(InMemoryMemory::default());
    let model = scripted::model([Reply::text("On the second of May.")]);
    let mut session = Throughline::builder()
        .model_port(model.clone())
        .data_dir(std::env::temp_dir().join("throughline-own-memory"))
        .memory(MemoryPorts {
            notes: memory.clone(),
            search: memory.clone(),
            index: memory,
            files: Arc::new(Notebook),
            scope: Scope::folder("garden"),
        })
        .open()
        .await?;
    println!("{}", session.send("When were the beans sown?").await?.text());
    for request in model.requests() {
        let read = request.system.iter().filter(|section| section.text.contains("The beans"));
        println!("sections of the prompt with the memory file: {}", read.count());
    }
    session.close().await?;
    Ok(())
}
