//! The skills of a server (the extension `io.modelcontextprotocol/skills`, SEP-2640), copied into the cache. A session reads the
//! copies as it reads the skills of any folder, also before the server is started.
//!
//! A file is stored only if it has the size and the digest that the server's list promises.

mod manifest;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rmcp::model::{ClientRequest, ReadResourceRequestParams, Request};
use serde_json::Value;
use tokio::time::timeout;

use crate::config::ServerConfig;
use crate::connection::{Connection, RequestError};
use crate::limits;
use crate::remote_tool::quoted;
use manifest::{Manifest, ManifestReader, SkillEntry, SkillFile};

/// The list that the copies were made of, next to them.
const MANIFEST: &str = "manifest.json";

/// The skills of a server, as copies in folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSkills {
    /// The name of the server.
    pub server: String,
    /// The folder of all of them. Nothing outside of it belongs to them.
    pub root: PathBuf,
    /// The folder of each skill.
    pub skills: Vec<PathBuf>,
}

/// The copies of a server's skills.
#[derive(Debug, Clone)]
pub(crate) struct SkillCopies {
    cache: PathBuf,
    root: PathBuf,
}

impl SkillCopies {
    /// Those below a folder for cached files.
    pub(crate) fn of(cache: &Path, config: &ServerConfig) -> Self {
        Self { cache: cache.to_owned(), root: cache.join(format!("{}.skills", config.fingerprint())) }
    }

    /// What is stored; `None`: no skill.
    pub(crate) fn stored(&self, server: &str) -> Option<ServerSkills> {
        let root = self.root.canonicalize().ok()?;
        let names: Vec<String> = self.manifest().skills.into_iter().map(|skill| skill.name).collect();
        let skills: Vec<PathBuf> = names.iter().map(|name| root.join(name)).collect();
        (!skills.is_empty()).then(|| ServerSkills { server: server.to_owned(), root, skills })
    }

    /// Copies the skills that the server has now. Returns notes for the user: what is missing, and what has changed.
    pub(crate) async fn renew(&self, connection: &Connection, config: &ServerConfig) -> Vec<String> {
        match timeout(limits::WAIT, self.copied(connection, config)).await {
            Ok(Ok(notes)) => notes,
            Ok(Err(why)) => vec![format!("its skills could not be read, so the old ones are used: {why}")],
            Err(_) => vec!["its skills could not be read in time, so the old ones are used".to_owned()],
        }
    }

    async fn copied(&self, connection: &Connection, config: &ServerConfig) -> Result<Vec<String>, String> {
        let old = self.manifest();
        if !connection.has_skills() {
            self.replace_by(None).map_err(|error| error.to_string())?;
            return Ok(Vec::new());
        }
        let (mut new, mut notes) = listed(connection, config).await?;
        if new == old && new.is_promised() {
            return Ok(notes);
        }
        fs::create_dir_all(&self.cache).map_err(|error| error.to_string())?;
        let draft = tempfile::tempdir_in(&self.cache).map_err(|error| error.to_string())?;
        let mut whole = Vec::new();
        for skill in new.skills {
            match copy(connection, config, &skill, draft.path()).await? {
                Ok(()) => whole.push(skill),
                Err(why) => notes.push(not_offered(&skill.name, &why)),
            }
        }
        new = Manifest { skills: whole };
        notes.extend(
            new.changed_since(&old)
                .map(|name| format!("its skill {} has changed since it was last offered", quoted(name))),
        );
        let text = serde_json::to_vec(&new).map_err(|error| error.to_string())?;
        fs::write(draft.path().join(MANIFEST), text).map_err(|error| error.to_string())?;
        self.replace_by(Some(&draft.keep())).map_err(|error| error.to_string())?;
        Ok(notes)
    }

    fn manifest(&self) -> Manifest {
        let text = fs::read(self.root.join(MANIFEST)).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Replaces the folder by another one, or removes it.
    fn replace_by(&self, new: Option<&Path>) -> io::Result<()> {
        if self.root.exists() {
            fs::remove_dir_all(&self.root)?;
        }
        new.map_or(Ok(()), |new| fs::rename(new, &self.root))
    }
}

/// The skills that a server lists, and which of them cannot be offered.
async fn listed(connection: &Connection, config: &ServerConfig) -> Result<(Manifest, Vec<String>), String> {
    let mut reader = ManifestReader::default();
    let mut cursor = None;
    loop {
        let page =
            connection.list_skills(cursor, config.start_timeout).await.map_err(RequestError::into_text)?;
        cursor = reader.add_page(&page);
        if cursor.is_none() {
            return Ok(reader.finish());
        }
    }
}

/// Copies the files of a skill. The inner error is why the skill cannot be offered.
async fn copy(
    connection: &Connection,
    config: &ServerConfig,
    skill: &SkillEntry,
    into: &Path,
) -> Result<Result<(), String>, String> {
    let folder = into.join(&skill.name);
    for file in &skill.files {
        let request = Request::new(ReadResourceRequestParams::new(file.uri.clone()));
        let request = ClientRequest::ReadResourceRequest(request);
        let read = match connection.request(request, config.start_timeout).await {
            Err(RequestError::Refused(why)) => return Ok(Err(format!("{}: {why}", quoted(&file.path)))),
            other => other.map_err(RequestError::into_text)?,
        };
        // A file that is no text is of no use to a model that reads texts.
        let Some(text) = text_of(&read) else { continue };
        if let Err(why) = file.verify(text.as_bytes()) {
            return Ok(Err(why));
        }
        write(&folder, file, text).map_err(|error| error.to_string())?;
    }
    Ok(if folder.join(SkillFile::ENTRY).is_file() { Ok(()) } else { Err("it has no text".to_owned()) })
}

fn text_of(read: &Value) -> Option<&str> {
    read.get("contents")?.as_array()?.first()?.get("text")?.as_str()
}

fn write(folder: &Path, file: &SkillFile, text: &str) -> io::Result<()> {
    let path = folder.join(&file.path);
    fs::create_dir_all(path.parent().unwrap_or(folder))?;
    fs::write(path, text)
}

fn not_offered(skill: &str, why: &str) -> String {
    format!("its skill {} is not offered: {why}", quoted(skill))
}
