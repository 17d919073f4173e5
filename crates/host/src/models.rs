//! The table of models, for contexts.

use throughline_connect::counter;
use throughline_contexts::{KnownModel, ModelFacts};
use throughline_providers::models::{Known, ModelTable};

/// The rows of a table of models.
#[derive(Debug)]
pub(crate) struct TableFacts(pub(crate) ModelTable);

impl ModelFacts for TableFacts {
    fn find(&self, provider: &str, model: &str) -> Option<KnownModel> {
        let row = self.0.find(provider, model);
        // The defaults of a provider are a guess. The caller says the window then.
        (row.known != Known::Default)
            .then(|| KnownModel { counter: Some(counter(row.tokenizer)), info: row.info })
    }
}
