//! Turns that the provider refused.

use throughline_completion::RefusalDetails;
use throughline_conversation::ExchangeId;
use throughline_groups::Change;

use crate::agent::Agent;
use crate::turn_context::TurnContext;

/// A turn that the provider refused. Its messages do not go out again: the provider would refuse the next turns for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// What the provider said about it.
    pub details: RefusalDetails,
    /// The group that is hidden from the model; `None` if it could not be hidden.
    pub hidden: Option<ExchangeId>,
}

impl Agent {
    /// Hides the turn that was refused, as the user can do and undo.
    pub(crate) async fn hide_refused(&mut self, turn: &TurnContext<'_>) -> Refused {
        let details = self.session.refusal.take().unwrap_or_default();
        let exchange = self.session.exchange;
        match self.change(Change::Drop(exchange), turn.sink).await {
            Ok(_) => Refused { details, hidden: Some(exchange) },
            Err(error) => {
                self.session.degrade(turn, "refusal", "the refused turn goes out again", &error);
                Refused { details, hidden: None }
            }
        }
    }
}
