//! Prices of the models that a recording names.

use throughline_audit::ModelPrice;
use throughline_connect::{ModelRow, ModelTable};

/// What the table says of a model, at its own provider.
pub(super) fn row_of(table: &ModelTable, model: Option<&str>) -> ModelRow {
    let name = model.unwrap_or_default();
    table.find(table.provider_of(name).unwrap_or_default(), name)
}

pub(super) fn price_of(table: &ModelTable, model: Option<&str>) -> ModelPrice {
    let row = row_of(table, model);
    ModelPrice { price: row.price(), rules: row.info.cache }
}
