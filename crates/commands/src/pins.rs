//! `throughline pin` and `pins`: texts that stay in every request.

pub(crate) mod args;

use serde_json::json;
use throughline_agent::{PinFigures, PinReport, PinShown};
use throughline_connect::dollars_text;
use throughline_conversation::{Mark, Pin, PinnedText, Record, RecordBody};
use throughline_groups::PinTarget;
use throughline_history::row_id;
use throughline_stored::{SessionReport, SessionWriter};
use throughline_terminal::table;
use throughline_text::{group_thousands, headline, plain, shell_word};

use crate::answer::Answer;
use crate::groups::outcome;
use crate::target::CommandTarget;

/// Characters of a pinned text that are listed.
const TEXT: usize = 60;

/// Pins a target, or a span of text in it, and reports what the pins cost now.
pub(crate) async fn pin(
    target: &CommandTarget,
    writer: &mut SessionWriter<'_>,
    what: PinTarget,
    span: Option<&str>,
) -> anyhow::Result<Answer> {
    let _lock = target.handle.lock(writer).await?;
    let before = target.handle.log().await?;
    let changed = target.handle.pin(writer, what, span).await?;
    let report = target.handle.report(writer).await?;
    let mut lines = Vec::new();
    if let Mark::Pin(pin) = &changed.mark {
        lines.push(outcome::pinned(pin, &before.groups()));
        lines.push(format!("To revert: {}", target.command("unpin", &pin.number.to_string())));
    }
    lines.insert(lines.len().min(1), room(&report));
    let mut answer = Answer::lines(&lines);
    if let Some(object) = answer.json.as_object_mut() {
        object.insert("mark".to_owned(), serde_json::to_value(&changed.mark)?);
    }
    Ok(answer)
}

/// Lists the pins and what they cost.
pub(crate) async fn list(target: &CommandTarget, writer: &SessionWriter<'_>) -> anyhow::Result<Answer> {
    let report = target.handle.report(writer).await?;
    let pins = &report.context.pins;
    let mut lines = Vec::new();
    if pins.pins.is_empty() {
        lines.push(format!("Nothing is pinned. To pin a turn: {}", target.command("pin", "TURN")));
    } else {
        let header = ["PIN", "TURN", "TOKENS", "OF REQUEST", "COST (LAST REQUEST)", "IN VIEW", "TEXT"];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        rows.extend(pins.pins.iter().map(|pin| row(pin, &report)));
        lines.extend(table(&rows));
    }
    lines.push(room(&report));
    let json = json!({
        "pins": pins.pins.iter().map(|pin| {
            let mut value = serde_json::to_value(pin)?;
            if let Some(object) = value.as_object_mut() {
                object.insert("dollars".to_owned(), json!(report.conversation_dollars(pin.tokens)));
            }
            Ok(value)
        }).collect::<anyhow::Result<Vec<_>>>()?,
        "tokens": pins.tokens,
        "limit": pins.limit,
    });
    Ok(Answer { text: lines.join("\n"), json })
}

fn row(pin: &PinFigures, report: &SessionReport) -> Vec<String> {
    let shown = match pin.shown {
        PinShown::InPlace => "in place",
        PinShown::InNote => "in a note",
        PinShown::Hidden => "no, its turn is hidden",
    };
    let hidden = pin.shown == PinShown::Hidden;
    let of_request = if hidden { "-".to_owned() } else { percent_of_request(pin.tokens, report) };
    let dollars = report.conversation_dollars(pin.tokens).filter(|_| !hidden);
    let text = pin.texts.join(" ");
    vec![
        pin.number.to_string(),
        pin.exchange.to_string(),
        group_thousands(pin.tokens),
        of_request,
        dollars.map_or("-".to_owned(), dollars_text),
        shown.to_owned(),
        plain(&headline(&text, TEXT)),
    ]
}

/// The room of the pins, and what they cost with each request.
pub(crate) fn room(report: &SessionReport) -> String {
    let PinReport { pins, tokens, limit } = &report.context.pins;
    let count = match pins.len() {
        1 => "1 pin has".to_owned(),
        count => format!("{count} pins have"),
    };
    let dollars = report
        .conversation_dollars(*tokens)
        .map_or(String::new(), |dollars| format!(", {} of the last request", dollars_text(dollars)));
    format!(
        "{count} {} of {} tokens that pins may have: {} of each request{dollars}.",
        group_thousands(*tokens),
        group_thousands(*limit),
        percent_of_request(*tokens, report),
    )
}

fn percent_of_request(tokens: u64, report: &SessionReport) -> String {
    let used = report.context.window.used.total().max(1);
    format!("{:.1}%", tokens as f64 * 100.0 / used as f64)
}

/// The arguments of the command that pins the same again.
pub(crate) fn as_arguments(pin: &Pin, records: &[Record]) -> String {
    let Some(first) = pin.texts.first() else { return pin.exchange.to_string() };
    let record = records.iter().find(|record| record.seq == first.message);
    let blocks = record.into_iter().flat_map(|record| match &record.body {
        RecordBody::Message(said) => said.message.content.as_slice(),
        _ => &[],
    });
    let own = |part: PinnedText| part.text.contains(&first.text).then_some(part.text);
    let mut parts = (0..)
        .zip(blocks)
        .filter_map(|(part, block)| Some((part, own(PinnedText::of_block(first.message, block)?)?)));
    match parts.next() {
        Some((part, text)) if pin.texts.len() == 1 => {
            let id =
                row_id(first.message, part).map_or_else(|| pin.exchange.to_string(), |id| id.to_string());
            if text == first.text { id } else { format!("{id} --text {}", shell_word(&first.text)) }
        }
        _ => pin.exchange.to_string(),
    }
}
