//! What the prompt cache has saved.

use throughline_providers::models::ModelTable;

use super::timeline::RequestPoint;

/// Dollars that requests would have cost more, had nothing been read from the cache; `None`: no price is known.
pub(crate) fn cache_saving(points: &[RequestPoint], table: &ModelTable) -> Option<f64> {
    let mut models: Vec<(&str, u64)> = Vec::new();
    for point in points {
        match models.iter_mut().find(|(model, _)| *model == point.model) {
            Some((_, read)) => *read += point.usage.cache_read,
            None => models.push((&point.model, point.usage.cache_read)),
        }
    }
    let saved = models.into_iter().filter_map(|(model, read)| {
        let price = table.find(table.provider_of(model).unwrap_or_default(), model).price();
        let token = price.dollars_per_million_input? / 1_000_000.0;
        Some(read as f64 * token * (1.0 - price.multiples.cache_read))
    });
    saved.reduce(|one, other| one + other)
}
