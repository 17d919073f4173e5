//! The prices of a model, as decisions about compactions take them.

use throughline_compaction::RequestPrices;
use throughline_completion::Prices;

/// The prices of a model that decisions about compactions need.
#[must_use]
pub fn request_prices(prices: Prices) -> RequestPrices {
    RequestPrices {
        read: prices.cache_read,
        write: prices.cache_write,
        refetch: prices.refetch(0),
        output: prices.output,
        long: prices.long,
    }
}
