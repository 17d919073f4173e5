//! Prices of the requests of a log, as its records name models and caches.

use throughline_completion::Price;
use throughline_conversation::{CacheTtl, Origin, RecordBody};
use throughline_providers::models::ModelTable;

/// Looks prices up in a table of models, record by record. A log names the same model again and again, and a search of the table
/// is slow next to the rest of what is done for a request: the last answer is remembered.
#[derive(Debug)]
pub(super) struct Prices<'t> {
    table: &'t ModelTable,
    /// Who answers now.
    provider: String,
    /// What the newest request with markers asked for.
    ttl: CacheTtl,
    last: Option<(String, String, Price)>,
}

impl<'t> Prices<'t> {
    pub(super) fn new(table: &'t ModelTable) -> Self {
        Self { table, provider: String::new(), ttl: CacheTtl::default(), last: None }
    }

    /// Takes the next record, before the price of what it tells is asked for.
    pub(super) fn take(&mut self, body: &RecordBody) {
        match body {
            RecordBody::Model(reader) => self.provider.clone_from(&reader.origin.provider),
            RecordBody::Receipt(receipt) => self.ttl = receipt.asked_ttl().unwrap_or(self.ttl),
            _ => {}
        }
    }

    /// The price of a request to this model of the provider that answers now.
    pub(super) fn of(&mut self, model: &str) -> Price {
        let provider = std::mem::take(&mut self.provider);
        let price = self.find(&provider, model);
        self.provider = provider;
        price
    }

    /// The price of a request to a model.
    pub(super) fn of_origin(&mut self, origin: &Origin) -> Price {
        self.find(&origin.provider, &origin.model)
    }

    fn find(&mut self, provider: &str, model: &str) -> Price {
        if let Some((_, _, price)) = self.last.as_ref().filter(|last| last.0 == provider && last.1 == model) {
            return price.at(self.ttl);
        }
        let price = self.table.find(provider, model).price();
        self.last = Some((provider.to_owned(), model.to_owned(), price));
        price.at(self.ttl)
    }
}
