//! The notes that outlive sessions.

mod change;
mod find;
mod list;

use std::path::Path;

use throughline_stored::{Memos, Storage};

use crate::answer::Answer;

pub use change::{add, delete, edit};
pub use list::{list, search, show};

/// The memos that a session of this folder sees; with words, those that contain one of them.
pub async fn listed(data: Storage, folder: &Path, words: Option<&str>) -> anyhow::Result<Answer> {
    let commands = Memos::of_project(data, folder);
    match words {
        Some(words) => search(&commands, words).await,
        None => list(&commands, &[]).await,
    }
}
