//! When a compaction pays for itself.

/// Requests after which leaving out `removed` tokens has paid for writing `rewritten` tokens to the cache again. `read` and `write` are prices of a token read from and written to the cache.
///
/// Without the compaction each request would have read the rewritten tokens, or those before the edit, from the cache:
/// writing them costs the difference, once. `Some(0)`: at once; `None`: never.
#[must_use]
pub fn pays_back_after(removed: u64, rewritten: u64, read: f64, write: f64) -> Option<u64> {
    requests_until_paid(rewritten as f64 * (write - read), removed as f64 * read)
}

/// Requests after which so much saving in each of them has paid a price. `Some(0)`: at once; `None`: never.
pub(crate) fn requests_until_paid(price: f64, saving: f64) -> Option<u64> {
    if price <= 0.0 {
        return Some(0);
    }
    let requests = (price / saving).ceil();
    // A division by a saving of nothing is infinite, and such a compaction never pays.
    (saving > 0.0 && requests.is_finite()).then_some(requests as u64)
}

#[cfg(test)]
mod tests;
