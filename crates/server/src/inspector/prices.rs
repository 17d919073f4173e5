//! The prices of the models of a log.

use throughline_completion::Price;
use throughline_providers::models::ModelTable;

/// Looks prices up in a table of models. A log names the same model again and again, and a search of the table is slow next to
/// the rest of what is done for a request: the last answer is remembered.
#[derive(Debug)]
pub(super) struct Prices<'t> {
    table: &'t ModelTable,
    last: Option<(String, String, Price)>,
}

impl<'t> Prices<'t> {
    pub(super) fn new(table: &'t ModelTable) -> Self {
        Self { table, last: None }
    }

    /// The price of a provider's model.
    pub(super) fn of(&mut self, provider: &str, model: &str) -> Price {
        if let Some((_, _, price)) = self.last.as_ref().filter(|last| last.0 == provider && last.1 == model) {
            return *price;
        }
        let price = self.table.find(provider, model).price();
        self.last = Some((provider.to_owned(), model.to_owned(), price));
        price
    }
}
