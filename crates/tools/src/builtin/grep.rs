//! Searches files, with the library that ripgrep is made of.

use std::io::{Error as IoError, Result as IoResult};
use std::path::Path;

use async_trait::async_trait;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition};
use throughline_text::cut_end;

use super::confine::Grounds;
use super::walk::{Selection, hidden_line};
use super::{blocking, definition};
use crate::{Access, CANCELLED, Effect, FileScope, Tool, ToolContext, ToolOutput, arguments};

/// Matching lines of one answer unless the call says otherwise.
const MATCHES: u64 = 200;

/// Most matching lines of one answer.
const MAX_MATCHES: u64 = 2_000;

/// Most bytes of a line that are shown: minified files have lines of megabytes.
const MAX_LINE: usize = 500;

/// Most bytes of a line that is searched: all of it has to be in memory.
const MAX_SEARCHED: usize = 32 * 1024 * 1024;

/// `grep`: lines that match a regular expression, as `path:line:text`.
#[derive(Debug, Clone, Default)]
pub struct GrepTool {
    scope: FileScope,
}

impl GrepTool {
    /// The tool within this scope.
    #[must_use]
    pub fn new(scope: FileScope) -> Self {
        Self { scope }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    pattern: String,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    glob: Option<String>,
    #[serde(default)]
    ignore_case: bool,
    #[serde(default)]
    max_matches: Option<u64>,
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "pattern": { "type": "string", "description": "A regular expression; escape ( [ { . to mean them." },
            "path": { "type": "string", "description": "A folder or a file; the workspace without it." },
            "glob": { "type": "string", "description": "Which files: *.rs for a name, src/**/*.rs for a path." },
            "ignore_case": { "type": "boolean" },
            "max_matches": { "type": "integer", "minimum": 1, "description": "Most lines to show; 200 without it." }
        },
        "required": ["pattern"],
        "additionalProperties": false
    })
}

#[async_trait]
impl Tool for GrepTool {
    fn definition(&self) -> ToolDefinition {
        definition("grep", include_str!("grep.md"), schema())
    }

    fn access(&self, call: &ToolCall) -> Access {
        Access::below(Effect::Read, &call.input, "path")
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let wanted: Arguments = match arguments(call, &schema()) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        let scope = self.scope.clone();
        blocking(context, move |context| search(&context, &scope, &wanted)).await
    }
}

fn search(context: &ToolContext, scope: &FileScope, wanted: &Arguments) -> Result<ToolOutput, ToolOutput> {
    let grounds = Grounds::of(context, scope)?;
    let selection = Selection::new(&grounds, wanted.path.as_deref(), wanted.glob.as_deref())?;
    let matcher = matcher(wanted)?;
    let mut searcher = SearcherBuilder::new()
        .binary_detection(BinaryDetection::quit(0))
        .heap_limit(Some(MAX_SEARCHED))
        .line_number(true)
        .build();
    let most = wanted.max_matches.unwrap_or(MATCHES).clamp(1, MAX_MATCHES);
    let (file, text) = (String::new(), String::new());
    let mut lines = Lines { context, file, text, left: most, more: false, binary: false };
    let (mut failed, mut hidden) = (Failed::default(), 0);
    for file in selection.files() {
        lines.file = grounds.shown(&file);
        if context.hides(&lines.file, &file) {
            hidden += 1;
            continue;
        }
        // A file that cannot be read is no reason to lose the matches of the others.
        if let Err(error) = search_file(&mut searcher, &matcher, &file, &mut lines) {
            failed.note(&lines.file, &error);
        }
        if context.cancel.is_cancelled() {
            return Err(ToolOutput::error(CANCELLED));
        }
        if lines.more {
            lines.text.push_str(&format!(
                "[more than {most} lines match: narrow the pattern, the path or the glob]\n"
            ));
            break;
        }
    }
    if lines.text.is_empty() {
        lines.text.push_str("[no line matches]\n");
    }
    let notes: Vec<String> = failed.line().into_iter().chain(hidden_line(hidden, "searched")).collect();
    lines.text.push_str(&notes.join("\n"));
    Ok(ToolOutput::text(lines.text.trim_end()))
}

/// Files that could not be searched.
#[derive(Debug, Default)]
struct Failed {
    count: usize,
    first: String,
}

impl Failed {
    fn note(&mut self, file: &str, error: &IoError) {
        if self.count == 0 {
            self.first = format!("{file}: {error}");
        }
        self.count += 1;
    }

    fn line(&self) -> Option<String> {
        match self.count {
            0 => None,
            1 => Some(format!("[not searched: {}]", self.first)),
            count => Some(format!("[{count} files were not searched; the first is {}]", self.first)),
        }
    }
}

fn matcher(wanted: &Arguments) -> Result<RegexMatcher, ToolOutput> {
    RegexMatcherBuilder::new()
        .case_insensitive(wanted.ignore_case)
        .line_terminator(Some(b'\n'))
        .build(&wanted.pattern)
        .map_err(|error| {
            ToolOutput::error(format!(
                "The pattern cannot be used: {error}. A pattern matches within one line; escape ( [ {{ . to mean them."
            ))
        })
}

fn search_file(
    searcher: &mut Searcher,
    matcher: &RegexMatcher,
    file: &Path,
    lines: &mut Lines<'_>,
) -> IoResult<()> {
    let (length, left) = (lines.text.len(), lines.left);
    lines.binary = false;
    searcher.search_path(matcher, file, &mut *lines)?;
    if lines.binary {
        lines.text.truncate(length);
        lines.left = left;
    }
    Ok(())
}

/// Collects matching lines.
struct Lines<'a> {
    context: &'a ToolContext,
    file: String,
    text: String,
    left: u64,
    more: bool,
    binary: bool,
}

impl Sink for Lines<'_> {
    type Error = IoError;

    fn matched(&mut self, _searcher: &Searcher, found: &SinkMatch<'_>) -> IoResult<bool> {
        if self.left == 0 {
            self.more = true;
            return Ok(false);
        }
        self.left -= 1;
        let line = String::from_utf8_lossy(found.bytes());
        let line = line.trim_end_matches(['\n', '\r']);
        let shown = cut_end(line, MAX_LINE);
        let number = found.line_number().unwrap_or_default();
        let cut = if shown.len() < line.len() { " [line cut]" } else { "" };
        self.text.push_str(&format!("{}:{number}:{shown}{cut}\n", self.file));
        Ok(!self.context.cancel.is_cancelled())
    }

    fn binary_data(&mut self, _searcher: &Searcher, _offset: u64) -> IoResult<bool> {
        self.binary = true;
        Ok(false)
    }
}
