//! A program that answers hooks.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;
use throughline_config::{Config, ConfigSources};
use throughline_stored::Storage;
use throughline_watch::{ForeignAgent, HookAnswer, HookPayload, WatchSettings, answer};

/// The session that the payloads are about.
pub(crate) const ID: &str = "5f1e1f54-aaaa-4a60-a551-14b836a1ad82";

/// A program that has the storage and the settings open.
pub(crate) struct Host {
    pub(crate) folder: TempDir,
    pub(crate) storage: Storage,
}

impl Host {
    pub(crate) async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let storage = Storage::open(Some(folder.path().join("data"))).await.unwrap();
        Self { folder, storage }
    }

    pub(crate) fn transcript(&self) -> PathBuf {
        self.folder.path().join(format!("{ID}.jsonl"))
    }

    pub(crate) fn settings(&self, text: &str) -> WatchSettings {
        let file = self.folder.path().join("settings.toml");
        fs::write(&file, text).unwrap();
        let sources = ConfigSources {
            file: Some(&file),
            workspace: Some(self.folder.path()),
            data_dir: Some(self.storage.folder.root().to_owned()),
            ..ConfigSources::default()
        };
        WatchSettings::of(&Config::load(sources).unwrap(), None)
    }

    /// Answers a payload of an agent.
    pub(crate) async fn answer_with(&self, agent: ForeignAgent, payload: &str, settings: &str) -> HookAnswer {
        let payload = HookPayload::parse(payload.as_bytes()).unwrap();
        answer(agent, &payload, &self.storage, &self.settings(settings)).await.unwrap()
    }

    /// Answers an event of Claude Code about the transcript.
    pub(crate) async fn event(&self, event: &str, more: &Value, settings: &str) -> HookAnswer {
        let mut payload =
            json!({"session_id": ID, "transcript_path": self.transcript(), "hook_event_name": event});
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.answer_with(ForeignAgent::Claude, &payload.to_string(), settings).await
    }

    /// A recorded payload with this text as the result.
    pub(crate) fn recorded(&self, payload: &str, text: &str) -> String {
        let quoted = Value::from(text).to_string();
        payload
            .replace("{{session}}", ID)
            .replace("{{transcript}}", &self.transcript().display().to_string())
            .replace("{{work}}", &self.folder.path().display().to_string())
            .replace("\"{{text}}\"", &quoted)
    }

    pub(crate) async fn sessions(&self) -> Vec<String> {
        self.storage.sessions().await.unwrap().iter().map(|one| one.info.id.to_string()).collect()
    }
}
