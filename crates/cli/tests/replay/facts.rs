//! What recorded sessions needed after their own compactions: what the agent's own summary had, what a restored context has,
//! and what one search finds.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests may fail the test")]

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use flate2::read::MultiGzDecoder;
use serde_json::{Value, json};
use tempfile::TempDir;
use throughline_text::{names, path_tail};

/// Names of a compaction that are searched, evenly chosen of those that are neither in the summary nor in the context.
const SEARCHED: usize = 25;

/// A part of a transcript up to a compaction, and what the agent did after it.
struct Compaction {
    before: Vec<Value>,
    summary: String,
    after: Vec<Value>,
}

/// An agent whose recordings have compactions.
#[derive(Clone, Copy, PartialEq)]
enum Recorder {
    Claude,
    Codex,
}

impl Recorder {
    const ALL: [Self; 2] = [Self::Claude, Self::Codex];

    fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Self::Claude => "claude-code",
            Self::Codex => "codex",
        }
    }

    fn is_compaction(self, line: &Value) -> bool {
        match self {
            Self::Claude => line["subtype"] == "compact_boundary",
            Self::Codex => line["type"] == "compacted",
        }
    }

    /// The own summary that a line has.
    fn summary(self, line: &Value) -> Option<String> {
        match self {
            Self::Claude => (line["isCompactSummary"] == true).then(|| text_of(&line["message"]["content"])),
            Self::Codex => {
                line["payload"]["message"].as_str().filter(|_| line["type"] == "compacted").map(str::to_owned)
            }
        }
    }

    /// What the model has written in a line: texts, and the arguments of its calls.
    fn written(self, line: &Value) -> String {
        match self {
            Self::Claude if line["type"] == "assistant" => text_of(&line["message"]["content"]),
            Self::Codex => match (line["payload"]["type"].as_str(), line["payload"]["role"].as_str()) {
                (Some("message"), Some("assistant")) => text_of(&line["payload"]["content"]),
                (Some("function_call"), _) => text_of(&line["payload"]["arguments"]),
                (Some("custom_tool_call"), _) => text_of(&line["payload"]["input"]),
                _ => String::new(),
            },
            Self::Claude => String::new(),
        }
    }

    /// What the model was shown by a line.
    fn shown(self, line: &Value) -> String {
        match self {
            Self::Claude if line["type"] == "user" => text_of(&line["message"]["content"]),
            Self::Codex => match (line["payload"]["type"].as_str(), line["payload"]["role"].as_str()) {
                (Some("message"), Some("user")) => text_of(&line["payload"]["content"]),
                (Some("function_call_output" | "custom_tool_call_output"), _) => {
                    text_of(&line["payload"]["output"])
                }
                _ => String::new(),
            },
            Self::Claude => String::new(),
        }
    }

    /// Stores a transcript where the agent has its own. Gives its id.
    fn store(self, home: &Path, lines: &[Value]) -> String {
        const ID: &str = "019f21d1-e78f-74e1-bd4d-f785aa6440c1";
        let file = match self {
            Self::Claude => home.join(format!(".claude/projects/p/{ID}.jsonl")),
            Self::Codex => {
                home.join(format!(".codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-{ID}.jsonl"))
            }
        };
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        fs::write(file, text).unwrap();
        format!("{}:{ID}", self.name())
    }
}

/// All texts in a value, a line each.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text}\n"),
        Value::Array(items) => items.iter().map(text_of).collect(),
        Value::Object(fields) => fields.values().map(text_of).collect(),
        _ => String::new(),
    }
}

/// The names in a text; of paths the last two parts, which find the file.
fn names_of(text: &str) -> BTreeSet<&str> {
    names(text).map(path_tail).collect()
}

fn compactions(recorder: Recorder, file: &Path) -> Vec<Compaction> {
    let mut text = String::new();
    MultiGzDecoder::new(File::open(file).unwrap()).read_to_string(&mut text).unwrap();
    let lines: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let cuts: Vec<usize> = (0..lines.len()).filter(|at| recorder.is_compaction(&lines[*at])).collect();
    let ends = cuts.iter().skip(1).copied().chain([lines.len()]);
    let cut = |(at, end): (usize, usize)| {
        let after = lines[at..end].to_vec();
        let summary = after.iter().find_map(|line| recorder.summary(line)).unwrap_or_default();
        Compaction { before: lines[..at].to_vec(), summary, after }
    };
    cuts.iter().copied().zip(ends).map(cut).collect()
}

/// The names that the model used after a compaction, and that nothing had shown since.
fn needed(recorder: Recorder, compaction: &Compaction) -> BTreeSet<String> {
    let all = |lines: &[Value]| -> String {
        lines.iter().map(|line| recorder.written(line) + &recorder.shown(line)).collect()
    };
    let before = all(&compaction.before);
    let (known, mut shown, mut needed) = (names_of(&before), BTreeSet::new(), BTreeSet::new());
    for line in compaction.after.iter().filter(|line| recorder.summary(line).is_none()) {
        let used = recorder.written(line);
        for name in names_of(&used).into_iter().filter(|name| known.contains(name) && !shown.contains(*name))
        {
            needed.insert(name.to_owned());
        }
        shown.extend(names_of(&(recorder.shown(line) + &used)).into_iter().map(str::to_owned));
    }
    needed
}

fn throughline(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throughline"));
    command.env_clear().env("HOME", home).current_dir(home).args(args);
    command
}

/// How many of these names one search each finds.
fn found(home: &Path, searched: &[&String]) -> usize {
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let mut server = throughline(home, &["mcp", "--any-folder"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut output = std::io::BufReader::new(server.stdout.take().unwrap());
    let mut answer = || {
        let mut line = String::new();
        std::io::BufRead::read_line(&mut output, &mut line).unwrap();
        line
    };
    writeln!(input, "{hello}").unwrap();
    answer();
    writeln!(input, "{ready}").unwrap();
    let mut count = 0;
    for (name, id) in searched.iter().zip(1..) {
        let params = json!({"name": "search_history", "arguments": {"query": name}});
        writeln!(input, "{}", json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}))
            .unwrap();
        count += usize::from(answer().to_lowercase().contains(&name.to_lowercase()));
    }
    drop(input);
    server.wait().unwrap();
    count
}

#[derive(Default)]
struct Sums {
    compactions: usize,
    needed: usize,
    kept: usize,
    restored: usize,
    searched: usize,
    found: usize,
}

impl Sums {
    fn row(&self, name: &str) -> String {
        let share = |part: usize, of: usize| if of == 0 { 100.0 } else { part as f64 * 100.0 / of as f64 };
        let with_context = share(self.kept + self.restored, self.needed);
        // Those that were searched are a sample of the rest.
        let reached = with_context + (100.0 - with_context) * share(self.found, self.searched) / 100.0;
        format!(
            "  {name:<8}{:>12}{:>8}{:>12.1} %{:>12.1} %{reached:>12.1} %",
            self.compactions,
            self.needed,
            share(self.kept, self.needed),
            with_context
        )
    }
}

// S1-12
#[test]
fn what_is_needed_after_a_compaction_is_in_the_context_or_one_search_away() {
    let Some(files) = super::traces() else { return };
    println!("  AGENT    COMPACTIONS  NEEDED   OWN SUMMARY  WITH CONTEXT    ONE SEARCH");
    for recorder in Recorder::ALL {
        let mut sums = Sums::default();
        let own =
            |file: &&std::path::PathBuf| file.components().any(|part| part.as_os_str() == recorder.folder());
        for file in files.iter().filter(own) {
            for compaction in compactions(recorder, file) {
                add(recorder, &compaction, &mut sums);
            }
        }
        if sums.compactions == 0 {
            println!("skipped: facts: no recording of {} has a compaction", recorder.name());
            continue;
        }
        println!("{}", sums.row(recorder.name()));
        assert!(sums.restored > 0, "a context has names that the summary has not");
        assert!(sums.found * 100 >= sums.searched * 95, "{} of {} were found", sums.found, sums.searched);
    }
}

fn add(recorder: Recorder, compaction: &Compaction, sums: &mut Sums) {
    let needed = needed(recorder, compaction);
    let home = TempDir::new().unwrap();
    let name = recorder.store(home.path(), &compaction.before);
    let refreshed = throughline(home.path(), &["watch", "--refresh", &name]).output().unwrap();
    assert!(refreshed.status.success(), "{}", String::from_utf8_lossy(&refreshed.stderr));
    let context = String::from_utf8(refreshed.stdout).unwrap();
    let (own, restored) = (names_of(&compaction.summary), names_of(&context));
    let is_kept = |name: &String| own.contains(name.as_str());
    let is_restored = |name: &String| restored.contains(name.as_str());
    let lost: Vec<&String> = needed.iter().filter(|name| !is_kept(name) && !is_restored(name)).collect();
    let step = lost.len().div_ceil(SEARCHED).max(1);
    let searched: Vec<&String> = lost.iter().step_by(step).copied().collect();
    sums.compactions += 1;
    sums.needed += needed.len();
    sums.kept += needed.iter().filter(|name| is_kept(name)).count();
    sums.restored += needed.iter().filter(|name| !is_kept(name) && is_restored(name)).count();
    sums.found += found(home.path(), &searched);
    sums.searched += searched.len();
}
