//! The exact request that was sent, reconstructed from the log.

use throughline_completion::CompletionRequest;
use throughline_conversation::{
    ExchangeId, ProjectError, Record, RecordBody, SessionId, TokenCounter, project,
};
use throughline_prompt::DynamicPlacement;

use crate::session::documents_tail;

/// Why a request could not be reconstructed.
#[derive(Debug, thiserror::Error)]
pub enum ReconstructError {
    /// The session has no request of this number yet.
    #[error("the session has no request {wanted}; it has requests 1 to {last}")]
    NoRequest {
        /// The number asked for.
        wanted: u64,
        /// The last request of the session.
        last: u64,
    },
    /// The request of this number was not answered: only those that were have a receipt.
    #[error("request {wanted} was not answered")]
    NotAnswered {
        /// The number asked for.
        wanted: u64,
    },
    /// Content of the request was permanently deleted.
    #[error("request {wanted} cannot be shown: content of turn {group} that came before it was deleted")]
    Removed {
        /// The number asked for.
        wanted: u64,
        /// The group.
        group: ExchangeId,
    },
    /// The log is damaged.
    #[error("the log could not be projected")]
    Damaged(#[from] ProjectError),
}

/// Reconstructs request number `wanted` (from 1) of a session from all its records.
///
/// # Errors
/// [`ReconstructError`] when there is no such request or the log is damaged.
pub fn reconstruct(
    session: &SessionId,
    records: &[Record],
    wanted: u64,
    counter: &dyn TokenCounter,
) -> Result<CompletionRequest, ReconstructError> {
    let (mut system, mut tools, mut last) = (Vec::new(), Vec::new(), 0);
    for record in records {
        match &record.body {
            RecordBody::Prompt(prompt) => system.clone_from(&prompt.sections),
            RecordBody::Tools(list) => tools.clone_from(&list.tools),
            RecordBody::Receipt(receipt) if receipt.request == wanted => {
                let shown = records.iter().take_while(|earlier| earlier.seq <= receipt.upto);
                let removed = |record: &&Record| matches!(record.body, RecordBody::Removed(_));
                if let Some(gone) = records.iter().take_while(|one| one.seq <= receipt.upto).find(removed) {
                    return Err(ReconstructError::Removed { wanted, group: gone.exchange });
                }
                let view = project(shown, counter)?;
                let texts = documents_tail(&view).into_iter().chain(receipt.tail.clone()).collect();
                let placement = match receipt.system_tail {
                    true => DynamicPlacement::SystemTail,
                    false => DynamicPlacement::LastUser,
                };
                let (system, tail) = placement.place(&system.into(), texts);
                return Ok(CompletionRequest {
                    model: receipt.model.clone(),
                    session: Some(session.clone()),
                    tools: tools.into(),
                    system,
                    transcript: view.transcript().clone(),
                    tail,
                    breakpoints: receipt.breakpoints.clone(),
                    max_output_tokens: receipt.window.reserved_output,
                });
            }
            RecordBody::Receipt(receipt) => last = receipt.request,
            _ => {}
        }
    }
    match (1..last).contains(&wanted) {
        true => Err(ReconstructError::NotAnswered { wanted }),
        false => Err(ReconstructError::NoRequest { wanted, last }),
    }
}
