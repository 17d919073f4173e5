//! Turns that the provider refused.

use throughline_completion::RefusalDetails;
use throughline_conversation::ExchangeId;
use throughline_groups::Change;

use crate::operation::Operation;

/// A turn that the provider refused. Its messages do not go out again: the provider would refuse the next turns for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedTurn {
    /// What the provider said about it.
    pub details: RefusalDetails,
    /// The group that is hidden from the model; `None` if it could not be hidden.
    pub hidden: Option<ExchangeId>,
}

impl Operation<'_> {
    /// Hides the turn that was refused, as the user can do and undo.
    pub(crate) async fn hide_refused(&mut self) -> RefusedTurn {
        let details = self.engine.state.session.take_refusal().unwrap_or_default();
        let exchange = self.engine.state.session.exchange();
        match self.change(Change::Drop(exchange)).await {
            Ok(_) => RefusedTurn { details, hidden: Some(exchange) },
            Err(error) => {
                let fallback = "the refused turn goes out again";
                self.engine.state.session.degrade(&self.turn, "refusal", fallback, &error);
                RefusedTurn { details, hidden: None }
            }
        }
    }
}
