//! `throughline diff`: what a compaction removed from view.

use clap::Args;
use throughline_conversation::{Certificate, CompactionReceipt, RegretReceipt, StandingPlace, SummaryNote};
use throughline_groups::{CompactionDiff, Cover, PicturesLeft, ReplacedPart, Replacement};
use throughline_stored::now;
use throughline_terminal::table;
use throughline_text::{counted, group_thousands, headline, plain};

use crate::age::age;
use crate::answer::Answer;
use crate::numbers::parse_compaction;
use crate::session_command::SessionCommand;
use crate::target::CommandTarget;

/// Characters of a message's first line that are shown.
const LINE: usize = 70;

/// The session, and which of its compactions.
#[derive(Debug, Args)]
pub struct DiffArgs {
    /// Session id, the start of one, or `last`
    pub session: String,
    /// Which compaction.
    #[command(flatten)]
    pub diff: DiffNumber,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

impl DiffArgs {
    /// The command on the session.
    pub fn command(&self) -> SessionCommand {
        SessionCommand::Diff { number: self.diff.number }
    }
}

/// Which compaction to show.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct DiffNumber {
    /// Number of the compaction, from 1 [default: the newest]
    #[arg(value_name = "N", value_parser = parse_compaction, allow_hyphen_values = true)]
    pub number: Option<u64>,
}

/// Shows what a compaction removed from view; `None`: the newest one.
pub(crate) async fn diff(target: &CommandTarget, number: Option<u64>) -> anyhow::Result<Answer> {
    let log = target.handle.log().await?;
    let diff = target.handle.compaction(&log, number)?;
    let mut lines = head(&diff, target);
    for cover in &diff.covers {
        lines.push(String::new());
        lines.extend(covered(cover));
    }
    if !diff.replaced.is_empty() {
        lines.push(String::new());
        lines.extend(replaced(&diff.replaced));
    }
    if !diff.pictures.is_empty() {
        lines.push(String::new());
        lines.extend(diff.pictures.iter().map(left_out));
    }
    if let Some(needed) = &diff.needed {
        lines.push(String::new());
        lines.extend(needed_later(needed));
    }
    lines.push(String::new());
    lines.push(match (diff.undone, diff.number == diff.of) {
        (true, _) => format!("To restore it: {}", target.command("redo", "--compaction")),
        (false, true) => format!("To undo it: {}", target.command("undo", "--compaction")),
        (false, false) => {
            format!("Compactions are undone newest first: {}", target.command("undo", "--compaction"))
        }
    });
    Ok(Answer { text: plain(&lines.join("\n")), json: serde_json::to_value(&diff)? })
}

fn head(diff: &CompactionDiff, target: &CommandTarget) -> Vec<String> {
    let undone = if diff.undone { ", undone" } else { "" };
    let number = |figure: u64| group_thousands(figure);
    let mut lines = vec![
        format!(
            "compaction {} of {} in session {}, record {}, {} ago{undone}",
            diff.number,
            diff.of,
            target.handle.session,
            diff.edit,
            age(now(), diff.at)
        ),
        format!("trigger: {}; strategies: {}", diff.reason.cause(), diff.strategies.join(", ")),
        format!(
            "messages {} → {}, tokens {} → {} (estimated)",
            number(diff.before.messages),
            number(diff.after.messages),
            number(diff.before.tokens),
            number(diff.after.tokens)
        ),
    ];
    lines.extend(diff.receipt.as_ref().map(request));
    lines.extend(diff.certificate.as_ref().map(certified));
    lines
}

/// Where the next request has the texts that must not be lost.
fn certified(certificate: &Certificate) -> String {
    let count = |is: fn(StandingPlace) -> bool| {
        certificate.texts.iter().filter(|text| text.place.is_some_and(is)).count() as u64
    };
    let places = [
        (count(|place| matches!(place, StandingPlace::Message(_))), "in messages"),
        (count(|place| matches!(place, StandingPlace::Summary(_))), "in the summary"),
        (count(|place| matches!(place, StandingPlace::Note)), "in a note"),
        (certificate.missing.len() as u64, "missing"),
    ];
    let places = places.into_iter().filter(|(texts, name)| *texts > 0 || *name == "missing");
    let places: Vec<String> = places.map(|(texts, name)| format!("{texts} {name}")).collect();
    format!(
        "rules, pins, open steps and the last request, word for word: {} required, {}",
        certificate.required,
        places.join(", ")
    )
}

/// The figures of whole requests, from the receipt.
fn request(receipt: &CompactionReceipt) -> String {
    format!(
        "whole request: {} → {} tokens, writes {} tokens to the cache; {}{}",
        group_thousands(receipt.before_tokens),
        group_thousands(receipt.after_tokens),
        group_thousands(receipt.rewritten_tokens),
        pays_back(receipt.pays_back_after),
        receipt.waited()
    )
}

/// When a compaction has paid for itself.
pub(crate) fn pays_back(after: Option<u64>) -> String {
    match after {
        Some(0) => "pays back at once".to_owned(),
        Some(requests) => format!("pays back after {}", counted(requests, "request")),
        None => "frees room, does not pay back".to_owned(),
    }
}

fn covered(cover: &Cover) -> Vec<String> {
    let (first, last) = (cover.span.first, cover.span.last);
    let became = match (&cover.summary, &cover.note) {
        (None, _) => "dropped".to_owned(),
        (Some(_), None) => "summarized".to_owned(),
        (Some(_), Some(note)) => format!("summarized ({})", made(note)),
    };
    let tokens = cover.messages.iter().fold(0, |sum: u64, message| sum.saturating_add(message.tokens));
    let mut lines = vec![format!(
        "records {first} to {last}, {} with {}, {became}:",
        counted(cover.messages.len() as u64, "message"),
        counted(tokens, "token")
    )];
    let mut rows = vec![["RECORD", "KIND", "TOKENS", "FIRST LINE"].map(str::to_owned).to_vec()];
    rows.extend(cover.messages.iter().map(|message| {
        let (first, last) = (message.span.first, message.span.last);
        let place = if first == last { first.to_string() } else { format!("{first}-{last}") };
        vec![
            place,
            message.kind.to_owned(),
            group_thousands(message.tokens),
            headline(&message.first_line, LINE),
        ]
    }));
    lines.extend(table(&rows));
    if let Some(summary) = &cover.summary {
        lines.push(String::new());
        lines.push("the summary:".to_owned());
        lines.push(summary.trim_end().to_owned());
    }
    lines
}

/// How a summary was written.
fn made(note: &SummaryNote) -> String {
    format!("template {}, by {}, {} tokens", note.template, note.author(), group_thousands(note.tokens))
}

fn replaced(all: &[Replacement]) -> Vec<String> {
    let mut rows = vec![["OFFLOADED", "TOOL", "BYTES", "NOW", "REFERENCE"].map(str::to_owned).to_vec()];
    rows.extend(all.iter().map(|one| {
        let part = match one.part {
            ReplacedPart::Result => "result",
            ReplacedPart::Arguments => "arguments",
        };
        vec![
            format!("{part} of {}", one.call_id),
            one.tool.clone(),
            group_thousands(one.before_bytes),
            group_thousands(one.after_bytes),
            one.stored.to_string(),
        ]
    }));
    let mut lines = table(&rows);
    lines.push("The model reads a reference with the tool read_result (argument ref_id).".to_owned());
    lines
}

/// What of the removed was needed later.
fn needed_later(needed: &RegretReceipt) -> Vec<String> {
    let price = group_thousands(needed.price.round().max(0.0) as u64);
    let mut lines = vec![format!("needed later, for about {price} tokens of input:")];
    let kinds = [
        ("name", &needed.names),
        ("quoted line", &needed.lines),
        ("file read again", &needed.files),
        ("read back", &needed.read_back),
    ];
    for (kind, all) in kinds {
        lines.extend(all.iter().map(|one| format!("  - {kind}: {}", headline(one, LINE))));
    }
    lines
}

fn left_out(one: &PicturesLeft) -> String {
    let pictures = if one.pictures == 1 { "picture" } else { "pictures" };
    format!("record {}: {} {pictures} left out, a note is shown instead", one.message, one.pictures)
}
