//! What fills a session's window, what the next compaction would remove, and what the session has cost.

mod assumed;
pub(crate) mod closed;
mod shares;

use std::fmt;

use serde_json::Value;
use throughline_agent::{Agent, ContextReport};
use throughline_conversation::{ModelRecord, Receipt, RecordBody};
use throughline_groups::SummaryRow;
use throughline_text::group_thousands;

use crate::error::{Error, Result};
use crate::handle::{SessionHandle, SessionWriter};
use crate::totals::SessionTotals;
use shares::{CONVERSATION, Paid, shares};
use throughline_config::SessionSettings;
use throughline_connect::model_table;

pub use assumed::AssumedSettings;
pub use shares::ComponentShare;

/// Components of the window that a report lists.
const LARGEST: usize = 10;

/// A report on a session. Displayed as the figures of the window, one line for each component, and the cost.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionReport {
    /// What fills the window, and what a compaction would remove now.
    pub context: ContextReport,
    /// The components of the window, with their cached share and their cost in the newest request.
    pub shares: Vec<ComponentShare>,
    /// What the session has used and cost so far.
    pub totals: SessionTotals,
    /// The summaries that the model sees, oldest first.
    pub summaries: Vec<SummaryRow>,
    /// The settings behind the figures if no agent has the session open.
    pub assumed: Option<AssumedSettings>,
}

impl SessionReport {
    /// Dollars of this many tokens of the conversation in the newest request; `None`: the price is not known.
    #[must_use]
    pub fn conversation_dollars(&self, tokens: u64) -> Option<f64> {
        let share = self.shares.iter().find(|share| share.name == CONVERSATION)?;
        Some(share.dollars? * tokens as f64 / share.tokens.max(1) as f64)
    }

    /// The report as one object.
    ///
    /// # Errors
    /// A figure cannot be written as JSON.
    pub fn json(&self) -> Result<Value> {
        let mut json = serde_json::to_value(&self.context)?;
        if let Some(object) = json.as_object_mut() {
            object.insert("components".to_owned(), serde_json::to_value(&self.shares)?);
            object.insert("compactions".to_owned(), self.totals.compactions.into());
            let undone = self.totals.undone_compactions.len();
            object.insert("undone_compactions".to_owned(), undone.into());
            object.insert("cost".to_owned(), self.totals.json());
            object.insert("regret".to_owned(), self.totals.regret_json());
            if let Some(assumed) = &self.assumed {
                object.insert("assumed".to_owned(), serde_json::to_value(assumed)?);
            }
        }
        Ok(json)
    }
}

impl fmt::Display for SessionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let window = &self.context.window;
        let (used, effective) = (window.used.total(), window.effective_window());
        write!(f, "{} of {} tokens used", group_thousands(used), group_thousands(effective))?;
        for share in &self.shares {
            write!(f, "\n  {}: {}", share.name, group_thousands(share.tokens))?;
        }
        let [requests, cost] = self.totals.lines();
        write!(f, "\n{requests}\n{cost}")?;
        let mut more = self.totals.regret_line().into_iter().chain(self.totals.cache.line());
        more.try_for_each(|line| write!(f, "\n{line}"))
    }
}

impl SessionHandle {
    /// Reports on the session: by the agent that has it open, else by the newest request in its log, which no model is asked
    /// for.
    ///
    /// # Errors
    /// No agent has the session open and it has sent no request yet; or its log or the settings cannot be read.
    pub async fn report(&self, writer: &SessionWriter<'_>) -> Result<SessionReport> {
        let receipt = self.newest_receipt().await?;
        let reader = self.newest_model().await?;
        let (measuring, assumed);
        let agent: &Agent = match (writer, &receipt) {
            (SessionWriter::Agent(agent, _), _) => {
                assumed = None;
                agent
            }
            (SessionWriter::Handle, Some(receipt)) => {
                let opened = closed::agent(self, receipt, reader.as_ref()).await?;
                (measuring, assumed) = (opened.0, Some(opened.1));
                &measuring
            }
            (SessionWriter::Handle, None) => return Err(self.no_request()),
        };
        let context = agent.context(LARGEST).await;
        let summaries = self.summaries_in_view(agent.view()).await?;
        let table = model_table().map_err(|error| Error::Other(error.into()))?;
        let provider = reader.map(|reader| reader.origin.provider.clone()).unwrap_or_default();
        let paid = receipt.map(|receipt| Paid {
            usage: receipt.reported.unwrap_or(receipt.predicted),
            price: table.find(&provider, &receipt.model).price().at(receipt.asked_ttl().unwrap_or_default()),
        });
        let shares = shares(context.window.used, paid.as_ref());
        let totals = self.storage.session_totals(&self.session, &table).await?;
        Ok(SessionReport { context, shares, totals, summaries, assumed })
    }

    /// The settings that the session would run with now, in its own folder.
    ///
    /// # Errors
    /// The user's settings, the list of sessions or the log cannot be read.
    pub async fn settings(&self) -> Result<SessionSettings> {
        Ok(assumed::assumed(self).await?.0)
    }

    /// What the session has used and cost so far.
    ///
    /// # Errors
    /// The log or the table of models cannot be read.
    pub async fn totals(&self) -> Result<SessionTotals> {
        let table = model_table().map_err(|error| Error::Other(error.into()))?;
        self.storage.session_totals(&self.session, &table).await
    }

    pub(crate) async fn newest_receipt(&self) -> Result<Option<Receipt>> {
        let newest = self.storage.newest_record(&self.session, "receipt").await?;
        Ok(newest.and_then(|record| match record.body {
            RecordBody::Receipt(receipt) => Some(*receipt),
            _ => None,
        }))
    }

    pub(crate) async fn newest_model(&self) -> Result<Option<ModelRecord>> {
        let newest = self.storage.log().newest(&self.session, "model").await?;
        Ok(newest.and_then(|record| match record.body {
            RecordBody::Model(reader) => Some(reader),
            _ => None,
        }))
    }
}
