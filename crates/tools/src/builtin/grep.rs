//! Searches files with ripgrep's search library.

use std::io::{Error as IoError, ErrorKind, Result as IoResult};

use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkMatch};
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::ToolDefinition;
use throughline_text::cut_end;

use super::allowed_roots::{AllowedRoots, FilePlace};
use super::definition::definition;
use super::file_tool::FileTool;
use super::walk::{Selection, hidden_line};
use crate::access::{Access, Effect};
use crate::file_scope::FileScope;
use crate::output::ToolOutput;
use crate::regular_file::OpenError;
use crate::root_folder::is_race;
use crate::run::CANCELLED;
use crate::tool::ToolContext;

/// Matching lines of one answer unless the call says otherwise.
const MATCHES: u64 = 200;

/// Maximum number of matching lines of one answer.
const MAX_MATCHES: u64 = 2_000;

/// Maximum bytes shown of a line: minified files have lines of megabytes.
const MAX_LINE: usize = 500;

/// Maximum bytes of a line that is searched: the searcher holds a whole line in memory.
const MAX_SEARCHED: usize = 32 * 1024 * 1024;

/// `grep`: lines that match a regular expression, as `path:line:text`.
#[derive(Debug)]
pub(super) struct Grep;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
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

impl FileTool for Grep {
    type Arguments = Arguments;

    fn definition() -> ToolDefinition {
        let properties = json!({
            "pattern": { "type": "string", "description": "A regular expression; escape ( [ { . to mean them." },
            "path": { "type": "string", "description": "A folder or a file; the workspace without it." },
            "glob": { "type": "string", "description": "Which files: *.rs for a name, src/**/*.rs for a path." },
            "ignore_case": { "type": "boolean" },
            "max_matches": { "type": "integer", "minimum": 1, "description": "Most lines to show; 200 without it." }
        });
        definition("grep", include_str!("grep.md"), properties, &["pattern"])
    }

    fn access(input: &Value) -> Access {
        Access::below(Effect::Read, input, "path")
    }

    fn run(arguments: Arguments, context: &ToolContext, scope: &FileScope) -> Result<ToolOutput, ToolOutput> {
        let roots = AllowedRoots::of(context, scope)?;
        let selection = Selection::new(&roots, arguments.path.as_deref(), arguments.glob.as_deref())?;
        let matcher = matcher(&arguments.pattern, arguments.ignore_case)?;
        let mut searcher = SearcherBuilder::new()
            .binary_detection(BinaryDetection::quit(0))
            .heap_limit(Some(MAX_SEARCHED))
            .line_number(true)
            .build();
        let most = arguments.max_matches.unwrap_or(MATCHES).clamp(1, MAX_MATCHES);
        let (file, text) = (String::new(), String::new());
        let mut lines = MatchingLines { context, file, text, left: most, more: false, binary: false };
        let (mut failed, mut hidden) = (UnreadableFiles::default(), 0);
        for file in selection.files() {
            lines.file = roots.shown(&file);
            if context.hides(&lines.file, &file) {
                hidden += 1;
                continue;
            }
            // One unreadable file must not hide the matches in the others.
            let searched = search_file(&mut searcher, &matcher, &selection.place(&file), &mut lines);
            match searched {
                // It is gone, or a link appeared in its path: then the name may be of another folder.
                Err(error) if error.kind() == ErrorKind::NotFound || is_race(&error) => {}
                Err(error) => failed.note(&lines.file, &error),
                Ok(()) => {}
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
}

/// Counts the files that could not be searched, and remembers the first.
#[derive(Debug, Default)]
struct UnreadableFiles {
    count: usize,
    first: String,
}

impl UnreadableFiles {
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

fn matcher(pattern: &str, ignore_case: bool) -> Result<RegexMatcher, ToolOutput> {
    RegexMatcherBuilder::new()
        .case_insensitive(ignore_case)
        .line_terminator(Some(b'\n'))
        .build(pattern)
        .map_err(|error| {
            ToolOutput::error(format!(
                "The pattern cannot be used: {error}. A pattern matches within one line; escape ( [ {{ . to mean them."
            ))
        })
}

fn search_file(
    searcher: &mut Searcher,
    matcher: &RegexMatcher,
    place: &FilePlace,
    lines: &mut MatchingLines<'_>,
) -> IoResult<()> {
    let (length, left) = (lines.text.len(), lines.left);
    lines.binary = false;
    let (file, _) = place.open().map_err(|error| match error {
        OpenError::Refused(error) => error,
        special @ OpenError::Special(_) => IoError::other(special),
    })?;
    searcher.search_file(matcher, &file, &mut *lines)?;
    if lines.binary {
        lines.text.truncate(length);
        lines.left = left;
    }
    Ok(())
}

/// Collects matching lines.
struct MatchingLines<'a> {
    context: &'a ToolContext,
    file: String,
    text: String,
    left: u64,
    more: bool,
    binary: bool,
}

impl Sink for MatchingLines<'_> {
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
