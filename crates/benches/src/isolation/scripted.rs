//! A scripted session, run by the binary.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use throughline_conversation::{ContentBlock, ToolCall, Usage};
use throughline_testserver::{Answer, Script, Server};
use tokio::process::Command;

/// The model of the session, and a cheaper one of the same provider.
const MODEL: &str = "claude-sonnet-4-5";
const CHEAPER: &str = "claude-haiku-4-5";
/// Shortest prefix that is cached, in tokens: that of the cheaper model, the longer of the two.
const CACHED_FROM: u64 = 4_096;
/// Files that one answer asks for.
const AT_ONCE: usize = 4;
/// Lines of a file.
const LINES: usize = 260;
/// What comes of the reading, by the session or the sub-agent.
const REPORT: &str = "The limit is set in file_2.rs, line 120, and used in file_0.rs, lines 14 and 88. `retries` counts from 0 in both. \
                      Nothing else reads it. A change has to touch both files and the test of the second.";

/// The size of a session.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Work {
    /// Files that are read.
    pub(crate) files: usize,
    /// Requests of the session behind the report.
    pub(crate) later: usize,
}

/// Who reads the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    Session,
    SameModel,
    CheaperModel,
}

/// What a session used.
#[derive(Debug)]
pub(crate) struct Measured {
    /// Of both windows.
    pub(crate) requests: u64,
    /// For both windows.
    pub(crate) dollars: f64,
    /// Tokens of the session's largest request.
    pub(crate) window: u64,
}

/// Runs one session.
pub(crate) async fn measure(binary: &Path, work: Work, reader: Reader) -> anyhow::Result<Measured> {
    let home = tempfile::tempdir()?;
    let folder = home.path().join("work");
    std::fs::create_dir(&folder)?;
    for file in 0..work.files {
        std::fs::write(folder.join(file_name(file)), source(file))?;
    }
    std::fs::write(
        folder.join("notes.txt"),
        (0..work.later).map(|line| format!("word{line} of the notes\n")).collect::<String>(),
    )?;
    let model = if reader == Reader::CheaperModel { CHEAPER } else { "inherit" };
    let kinds = home.path().join(".config/throughline/agents");
    std::fs::create_dir_all(&kinds)?;
    let kind = format!(
        "---\nname: reader\ndescription: Reads files and reports\ntools: Read, Grep\nmodel: {model}\n---\nYou read files and report what you found, with lines.\n"
    );
    std::fs::write(kinds.join("reader.md"), kind)?;
    let server = Server::start(script(work, reader)).await?;
    let output = Command::new(binary)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", home.path())
        .env("ANTHROPIC_API_KEY", "none")
        .current_dir(&folder)
        .args(["run", "--provider", "anthropic", "--model", MODEL, "--base-url", &server.url()])
        .args(["--output", "stream-json", "Where is the limit set, and who reads it?"])
        .stdin(Stdio::null())
        .output()
        .await?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let refused: Vec<_> = server.received().into_iter().filter(|one| !one.faults.is_empty()).collect();
    ensure!(
        output.status.success() && refused.is_empty(),
        "{printed}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines: Vec<Value> = printed.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let window = lines.iter().filter(|line| line["type"] == "answered" && line["agent"].is_null());
    let used = window.map(|line| serde_json::from_value::<Usage>(line["usage"].clone()));
    let used = used.collect::<Result<Vec<_>, _>>()?;
    let window = used.iter().map(Usage::prompt).max().context("no request")?;
    let result = lines.last().context("no result")?;
    let number = |name: &str| result[name].as_u64().unwrap_or_default();
    Ok(Measured {
        requests: number("requests") + number("side_requests"),
        dollars: result["cost_usd"].as_f64().context("no price")?,
        window,
    })
}

fn script(work: Work, reader: Reader) -> Script {
    let mut script = Script::new().prompt_cache(CACHED_FROM);
    let files: Vec<usize> = (0..work.files).collect();
    let reads = files.chunks(AT_ONCE).map(|files| {
        Answer::blocks(
            files
                .iter()
                .map(|file| call(&format!("r{file}"), "read_file", json!({ "path": file_name(*file) })))
                .collect(),
        )
    });
    if reader == Reader::Session {
        script = reads.fold(script, Script::then);
    } else {
        let prompt = "Find where the limit of retries is set and who reads it. Report files and lines.";
        let task = json!({ "agent": "reader", "title": "Find the limit", "prompt": prompt });
        script = script.then(Answer::call("agent", "agent", task));
        script = reads.fold(script, Script::then).then(Answer::text(REPORT));
    }
    for number in 0..work.later {
        let input = json!({ "pattern": format!("word{number} "), "path": "notes.txt" });
        script = script.then(Answer::call(&format!("l{number}"), "grep", input));
    }
    script.then(Answer::text(REPORT))
}

fn call(id: &str, name: &str, input: Value) -> ContentBlock {
    ContentBlock::ToolCall(ToolCall { id: id.to_owned(), name: name.to_owned(), input })
}

fn file_name(file: usize) -> String {
    format!("file_{file}.rs")
}

/// A source file of about 4,000 tokens. No two have a line in common.
fn source(file: usize) -> String {
    let mut text = String::new();
    for line in 0..LINES {
        let _ =
            writeln!(text, "    let part_{file}_{line} = take(input, {}, retries)?;", file * LINES + line);
    }
    text
}
