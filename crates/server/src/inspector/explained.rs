//! The pieces of a request with what each has cost and the decision behind it.

use schemars::JsonSchema;
use serde::Serialize;
use throughline_conversation::Record;
use throughline_providers::models::ModelTable;
use throughline_stored::{Result, SentRequest, SessionHandle};

use super::piece_costs::{PieceCost, piece_costs};
use super::piece_reasons::{PieceReason, piece_reasons};
use super::pieces::{RequestPiece, request_pieces};

/// A piece with its cost and its reason.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Piece")]
pub(crate) struct ExplainedPiece {
    /// The piece.
    #[serde(flatten)]
    pub(crate) piece: RequestPiece,
    /// What it has cost.
    pub(crate) cost: PieceCost,
    /// The decision behind it.
    pub(crate) reason: PieceReason,
}

/// The pieces of request `number`, explained, and the request.
///
/// # Errors
/// As [`SessionHandle::sent_request`].
pub(crate) fn explained_pieces(
    handle: &SessionHandle,
    records: &[Record],
    number: u64,
    table: &ModelTable,
) -> Result<(SentRequest, Vec<ExplainedPiece>)> {
    let (sent, pieces) = request_pieces(handle, records, Some(number))?;
    let costs = piece_costs(records, number, &pieces, table);
    let reasons = piece_reasons(records, &sent.receipt, &pieces);
    let explained = pieces.into_iter().zip(costs).zip(reasons);
    let explained = explained.map(|((piece, cost), reason)| ExplainedPiece { piece, cost, reason });
    Ok((sent, explained.collect()))
}
