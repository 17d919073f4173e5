//! A session's log, as `throughline export` and `throughline show` give it.

use anyhow::{Context as _, ensure};
use serde_json::Value;
use throughline_agent::reconstruct;
use throughline_budget::ScriptAwareEstimator;
use throughline_conversation::{Message, Record, RecordBody, SessionId, Source, project};
use throughline_wire::{anthropic, validate};

use crate::life::{SESSION, World};
use crate::program::throughline;

/// The lines of an export.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Log {
    pub(crate) lines: Vec<String>,
}

impl Log {
    /// Exports the session. A session that was killed before it was made has an empty log.
    pub(crate) fn export(world: &World) -> anyhow::Result<Self> {
        let output = throughline(&world.data()).args(["export", SESSION]).output()?;
        let complaint = String::from_utf8_lossy(&output.stderr);
        if output.status.code() == Some(1) && complaint.starts_with("error: there is no session") {
            return Ok(Self::default());
        }
        ensure!(output.status.success() && complaint.is_empty(), "export: {} {complaint}", output.status);
        let text = String::from_utf8(output.stdout).context("the export is not UTF-8")?;
        ensure!(text.is_empty() || text.ends_with('\n'), "the last line of the export is not whole");
        Ok(Self { lines: text.lines().map(str::to_owned).collect() })
    }

    /// The records: numbered without a gap, and written in the same form.
    pub(crate) fn records(&self) -> anyhow::Result<Vec<Record>> {
        let mut records = Vec::with_capacity(self.lines.len());
        for (place, line) in (1_u64..).zip(&self.lines) {
            let record: Record =
                serde_json::from_str(line).with_context(|| format!("line {place}: {line}"))?;
            ensure!(record.seq.0 == place, "line {place} holds record {}", record.seq);
            ensure!(
                serde_json::to_string(&record)? == *line,
                "record {place} is written in another way: {line}"
            );
            records.push(record);
        }
        Ok(records)
    }
}

/// Requests that are in the log.
pub(crate) fn requests(records: &[Record]) -> u64 {
    records.iter().filter(|record| matches!(record.body, RecordBody::Receipt(_))).count() as u64
}

/// The messages of one kind of speaker.
pub(crate) fn said<'a>(records: &'a [Record], who: impl Fn(&Source) -> bool) -> Vec<&'a Message> {
    let message = |record: &'a Record| match &record.body {
        RecordBody::Message(said) if who(&said.source) => Some(&said.message),
        _ => None,
    };
    records.iter().filter_map(message).collect()
}

/// The body of a request, made again from the log; it must be one that the provider takes.
pub(crate) fn request(records: &[Record], number: u64) -> anyhow::Result<Value> {
    let session = SessionId::new(SESSION)?;
    let body = anthropic::encode(&reconstruct(&session, records, number, &ScriptAwareEstimator)?);
    let faults: Vec<String> = validate::anthropic(&body).iter().map(ToString::to_string).collect();
    ensure!(faults.is_empty(), "request {number} is not valid: {}", faults.join("; "));
    Ok(body)
}

/// What the command shows for a request is the same.
pub(crate) fn check_shown(world: &World, records: &[Record], number: u64) -> anyhow::Result<()> {
    let number_text = number.to_string();
    let shown: Value = json(world, &["show", SESSION, "--request", &number_text])?;
    ensure!(shown == request(records, number)?, "`show` and the export differ in request {number}");
    Ok(())
}

/// Tokens around a message or a note, at most.
const FRAME: u64 = 4;

/// What a resume would see, from the snapshot and the end of the log, is what the whole log shows.
pub(crate) fn check_resumes(world: &World, records: &[Record]) -> anyhow::Result<()> {
    let report = json(world, &["context", SESSION, "--json"])?;
    let view = project(records, &ScriptAwareEstimator)?;
    let of = |name: &str| report.get(name).and_then(Value::as_u64);
    let found = (of("messages"), of("compactions"));
    let expected = (Some(view.entries().len() as u64), Some(view.epoch()));
    ensure!(found == expected, "a resume sees {found:?} messages and compactions, the log has {expected:?}");
    let used = report.pointer("/window/used/conversation").and_then(Value::as_u64);
    // Where the model has reported a request, the figure is the report and an estimate of the rest: a message's frame
    // is in the one and not in the other, and so is the frame of a note that the reported request had at its end.
    let counted = view.tokens();
    let near = used.is_some_and(|used| used.abs_diff(counted) <= counted / 50 + 2 * FRAME);
    ensure!(near, "a resume counts {used:?} tokens, the log has {counted}");
    Ok(())
}

fn json(world: &World, arguments: &[&str]) -> anyhow::Result<Value> {
    let output = throughline(&world.data()).args(arguments).output()?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success() && complaint.is_empty(), "{}: {complaint}", arguments.join(" "));
    serde_json::from_slice(&output.stdout).with_context(|| format!("{} gives no JSON", arguments.join(" ")))
}
