//! What a session costs: by its events while it runs, by its log afterwards.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use throughline_agent::Event;
use throughline_completion::{Cost, Dollars, Price};
use throughline_conversation::{CacheTtl, Origin, RecordBody, Usage};
use throughline_providers::models::ModelTable;
use throughline_text::counted;

/// Adds up requests as their events come, each at the price of the model that answered it.
#[derive(Debug, Clone)]
pub struct CostMeter {
    /// `None`: every price is unknown.
    table: Option<Arc<ModelTable>>,
    origin: Origin,
    ttl: CacheTtl,
    cost: Cost,
}

impl Default for CostMeter {
    fn default() -> Self {
        Self { table: None, origin: Origin::new("", ""), ttl: CacheTtl::default(), cost: Cost::default() }
    }
}

impl CostMeter {
    /// A meter for requests to this model, until an event names another one.
    #[must_use]
    pub fn new(table: ModelTable, origin: Origin) -> Self {
        Self { table: Some(Arc::new(table)), origin, ..Self::default() }
    }

    /// Sets the table of prices.
    pub fn set_table(&mut self, table: ModelTable) {
        self.table = Some(Arc::new(table));
    }

    /// Sets the TTL at which cache writes are paid; five minutes until then.
    pub fn set_cache_ttl(&mut self, ttl: CacheTtl) {
        self.ttl = ttl;
    }

    /// Sets the model that answers from now on.
    pub fn set_origin(&mut self, origin: Origin) {
        self.origin = origin;
    }

    /// The model that answers now.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The sum so far.
    #[must_use]
    pub fn cost(&self) -> &Cost {
        &self.cost
    }

    /// Adds the cost of earlier requests.
    pub fn add(&mut self, earlier: &Cost) {
        self.cost.add(earlier);
    }

    /// Resets the sum, for another session.
    pub fn reset(&mut self) {
        self.cost = Cost::default();
    }

    /// Takes an event. Returns true if it changed the model or the sum.
    pub fn take(&mut self, event: &Event) -> bool {
        match event {
            Event::Answered { usage, .. } => self.cost.add_request(*usage, &self.price(&self.origin)),
            Event::Spent(used) => self.cost.add_side_requests(used, &self.price(&used.origin)),
            Event::Switched { to, .. } => {
                let (provider, model) = to.split_once('/').unwrap_or(("", to));
                self.origin = Origin::new(provider, model);
            }
            _ => return false,
        }
        true
    }

    fn price(&self, origin: &Origin) -> Price {
        self.table.as_ref().map_or(Price::UNKNOWN, |table| price(table, origin).at(self.ttl))
    }
}

/// The cost of a log's requests, each at the price of the model that answered it.
#[must_use]
pub fn cost_of<'r>(records: impl IntoIterator<Item = &'r RecordBody>, table: &ModelTable) -> Cost {
    let mut sum = LogCost::default();
    records.into_iter().for_each(|body| sum.add(body, table));
    sum.cost
}

/// The cost of a log that is read record by record.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LogCost {
    /// What it costs by the table.
    pub cost: Cost,
    /// Usage of the requests whose answers belong to the session.
    answers: Usage,
    provider: String,
    /// That the newest request with markers asked for.
    ttl: CacheTtl,
}

impl LogCost {
    /// The provider that answers now.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// Usage of all other requests, as reported.
    pub fn side(&self) -> Usage {
        let (all, answers) = (self.cost.usage, self.answers);
        Usage {
            input: all.input.saturating_sub(answers.input),
            cache_read: all.cache_read.saturating_sub(answers.cache_read),
            cache_write: all.cache_write.saturating_sub(answers.cache_write),
            output: all.output.saturating_sub(answers.output),
            searches: all.searches.saturating_sub(answers.searches),
        }
    }

    /// The price of a request to this model of the provider that answers now.
    pub fn price(&self, model: &str, table: &ModelTable) -> Price {
        table.find(&self.provider, model).price().at(self.ttl)
    }

    /// Adds the next record.
    pub fn add(&mut self, body: &RecordBody, table: &ModelTable) {
        match body {
            RecordBody::Model(reads) => self.provider.clone_from(&reads.origin.provider),
            RecordBody::Receipt(receipt) => {
                self.ttl = receipt.asked_ttl().unwrap_or(self.ttl);
                let price = self.price(&receipt.model, table);
                self.answers = self.answers.plus(receipt.reported.unwrap_or_default());
                self.cost.add_request(receipt.reported, &price);
            }
            RecordBody::Spent(used) => {
                self.cost.add_side_requests(used, &price(table, &used.origin).at(self.ttl));
            }
            _ => {}
        }
    }
}

fn price(table: &ModelTable, origin: &Origin) -> Price {
    table.find(&origin.provider, &origin.model).price()
}

/// The cost for a person, with the reason if it is not exact.
#[must_use]
pub fn cost_text(cost: &Cost) -> String {
    let of = |requests: u64| counted(requests, "request");
    let searches = match cost.usage.searches {
        0 => String::new(),
        more => format!(" with {}", counted(more, "web search")),
    };
    match cost.dollars() {
        _ if cost.all_requests() == 0 => "nothing yet".to_owned(),
        Dollars::Exact(dollars) => format!("{}{searches}", dollars_text(dollars)),
        Dollars::Unknown => "unknown: the model table has no price for this model".to_owned(),
        Dollars::AtLeast(dollars) => {
            let mut why = Vec::new();
            if cost.unreported > 0 {
                why.push(format!("the provider reported no usage for {}", of(cost.unreported)));
            }
            if cost.unpriced > 0 {
                why.push(format!("the price of {} is unknown", of(cost.unpriced)));
            }
            if cost.unclear > 0 {
                let what = if cost.usage.searches > 0 { "prompts or web searches" } else { "prompts" };
                why.push(format!("some {what} of {} may have had a higher price", of(cost.unclear)));
            }
            format!("at least {}{searches}: {}", dollars_text(dollars), why.join(", and "))
        }
    }
}

/// A sum in US dollars, for a person.
#[must_use]
pub fn dollars_text(dollars: f64) -> String {
    format!("${dollars:.4}")
}

/// A sum in US dollars, for a program: six decimals, without the noise of additions.
#[must_use]
pub fn dollars_figure(dollars: f64) -> f64 {
    (dollars * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests;
