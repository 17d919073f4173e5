//! Why a piece is in a request in the form in which it is: the decision behind it.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_conversation::{Action, Edit, OffloadReceipt, Receipt, Record, RecordBody, Seq};
use throughline_groups::compactions;
use throughline_stored::receipts;
use throughline_text::group_thousands;

use super::pieces::RequestPiece;

/// The decision behind a piece.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct PieceReason {
    /// What was decided and why.
    pub(crate) text: String,
    /// The number of the compaction that gave it its form, if one did.
    pub(crate) compaction: Option<u64>,
}

/// The decisions behind the pieces of a request, in their order.
pub(super) fn piece_reasons(
    records: &[Record],
    receipt: &Receipt,
    pieces: &[RequestPiece],
) -> Vec<PieceReason> {
    let upto = receipt.upto;
    let numbers: Vec<(u64, Seq)> =
        (1..).zip(compactions(records)).map(|(number, (seq, _))| (number, seq)).collect();
    let edits =
        records.iter().take_while(|record| record.seq <= upto).filter_map(|record| match &record.body {
            RecordBody::Edit(edit) => Some((record.seq, edit)),
            _ => None,
        });
    let edits: Vec<(Seq, &Edit)> = edits.collect();
    let earlier = || receipts(records).take_while(|one| one.request <= receipt.request);
    let offloaded: Vec<&OffloadReceipt> = earlier().flat_map(|one| &one.offloaded).collect();
    let reason = |piece: &RequestPiece| {
        let newest =
            edits.iter().rev().find(|(_, edit)| edit.actions.iter().any(|action| gave(action, piece)));
        if let Some((seq, edit)) = newest {
            let compaction = numbers.iter().find(|(_, at)| at == seq).map(|(number, _)| *number);
            return PieceReason { text: edited(edit, piece), compaction };
        }
        let text = offloaded
            .iter()
            .find(|one| piece.kind == "results" && piece.text.contains(one.stored.as_str()))
            .map(|one| {
                let [bytes, shown] = [one.bytes, one.shown].map(group_thousands);
                format!(
                    "offloaded: {bytes} bytes of {} are stored as {}, {shown} are shown",
                    one.tool, one.stored
                )
            })
            .or_else(|| earlier().filter_map(|one| decided(one, piece)).last())
            .unwrap_or_else(|| usual(piece.kind).to_owned());
        PieceReason { text, compaction: None }
    };
    pieces.iter().map(reason).collect()
}

/// Returns true if the action gave the piece its form.
fn gave(action: &Action, piece: &RequestPiece) -> bool {
    match action {
        Action::Cover { span, summary, .. } => {
            piece.kind == "summary" && summary.is_some() && piece.source.records == Some(*span)
        }
        Action::ReplaceResult { stored, .. } => {
            piece.kind == "results" && piece.text.contains(stored.as_str())
        }
        Action::ReplaceInput { stored, .. } => {
            piece.kind == "assistant" && piece.text.contains(stored.as_str())
        }
        Action::ReplacePictures { message, .. } => {
            piece.source.records.is_some_and(|span| span.first <= *message && *message <= span.last)
        }
    }
}

fn edited(edit: &Edit, piece: &RequestPiece) -> String {
    let form = if piece.kind == "summary" {
        "a summary replaces these records"
    } else {
        "shortened, with a reference to the exact bytes"
    };
    format!("{form}: {} (by {})", edit.reason.cause(), edit.strategies.join(", "))
}

/// A decision of a request that names a tool or a section of the system prompt.
fn decided(receipt: &Receipt, piece: &RequestPiece) -> Option<String> {
    if !matches!(piece.kind, "tool" | "system") {
        return None;
    }
    let names = |text: &str| {
        text.split(|letter: char| !(letter.is_alphanumeric() || "_-".contains(letter)))
            .any(|word| word == piece.name)
    };
    let decision = receipt.decisions.iter().find(|decision| names(&decision.what))?;
    Some(format!("{}: {} (request {})", decision.what, decision.why, receipt.request))
}

/// Why a piece is there that no decision changed.
fn usual(kind: &str) -> &'static str {
    match kind {
        "tool" => "active: its description is in every request",
        "system" => "a section of the system prompt",
        "user" => "a message of the user, word for word",
        "assistant" => "an answer of the model, word for word",
        "results" => "results of calls, whole",
        "notice" => "a note of the engine",
        _ => "made for this request; later ones do not have it",
    }
}
