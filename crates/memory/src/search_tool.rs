//! Running `memory_search`.

use serde_json::Value;
use throughline_text::cut_end;

use crate::arguments::ToolArguments;
use crate::error::MemoryError;
use crate::files::MemoryFiles;
use crate::index::{FileIndex, MemoryHit, MemorySearch};
use crate::query::{Kinds, Query};
use crate::recall::{push_indented, shown};
use crate::scope::Scope;
use crate::sync::sync_files;

/// Hits of a search that names no limit.
pub(crate) const DEFAULT_LIMIT: usize = 6;

/// Maximum number of hits of a search. A higher limit counts as this.
pub(crate) const MAX_LIMIT: usize = 20;

/// Searches memos and memory files, after the index has been brought up to date.
///
/// When the files or the index cannot be brought up to date, what was indexed before is searched, and the answer says
/// so. Each hit of a file is given whole, with its lines.
///
/// # Errors
/// [`MemoryError`]: its text, with its causes, tells the model what to do.
pub async fn memory_search(
    files: &dyn MemoryFiles,
    index: &dyn FileIndex,
    search: &dyn MemorySearch,
    input: &Value,
    scope: &Scope,
) -> Result<String, MemoryError> {
    let arguments = ToolArguments::of("memory_search", input, &["query", "limit"])?;
    let asked = arguments.required("query")?;
    let limit = arguments.count("limit", DEFAULT_LIMIT, MAX_LIMIT)?;
    let query = Query::of(asked, Kinds::All);
    if query.is_empty() {
        let problem = "\"query\" has no word to look for, only words that stand everywhere".to_owned();
        return Err(MemoryError::Input { tool: "memory_search", problem });
    }
    let stale = sync_files(files, index).await.err();
    let hits = search.search(&query, scope, limit).await?;
    let mut text = match hits.len() {
        0 => format!(
            "Nothing in the memory has any of these words: {}.",
            cut_end(&query.terms().join(", "), 400)
        ),
        1 => "1 hit:".to_owned(),
        count => format!("{count} hits, best first:"),
    };
    for hit in &hits {
        text.push('\n');
        text.push_str(&rendered(hit));
    }
    if let Some(error) = stale {
        tracing::warn!(%error, "searched an index that may be out of date");
        text.push_str(&format!("\n\n[{error}: changes since the last search may be missing.]"));
    }
    Ok(text)
}

fn rendered(hit: &MemoryHit) -> String {
    match hit {
        MemoryHit::Memo(memo) => shown(memo, usize::MAX),
        MemoryHit::Chunk { name, chunk } => {
            let mut text = format!("- {name}:{}-{}", chunk.first_line, chunk.last_line);
            push_indented(&mut text, &chunk.text);
            text
        }
    }
}

#[cfg(test)]
mod tests;
