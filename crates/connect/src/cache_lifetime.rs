//! How long cached prefixes are stored: as the settings say, by the choices of the model's provider.

use throughline_providers::models::ModelRow;

use crate::choice::CacheLifetime;
use crate::error::ConnectError;

/// The choices of a model: by the markers that its provider takes.
fn choices(row: &ModelRow) -> &'static [CacheLifetime] {
    match row.info.cache.max_breakpoints {
        0 => &[],
        _ if row.cache_breakpoints => &[CacheLifetime::HalfHour],
        _ => &[CacheLifetime::FiveMinutes, CacheLifetime::Hour],
    }
}

/// Sets the lifetime that is asked for. Without one it is an hour where that costs no more than five minutes, else the
/// provider's usual one.
///
/// # Errors
/// [`ConnectError::Usage`]: the model has no such choice; it names those that there are.
pub(crate) fn set_cache_lifetime(
    row: &mut ModelRow,
    asked: Option<CacheLifetime>,
) -> Result<(), ConnectError> {
    let choices = choices(row);
    if let Some(asked) = asked.filter(|asked| !choices.contains(asked)) {
        let names = ["auto"].into_iter().chain(choices.iter().map(|choice| choice.name()));
        let names = names.map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
        return Err(ConnectError::Usage(format!(
            "cache.ttl is {:?}, which {}/{} does not offer: set it to one of {names}",
            asked.name(),
            row.info.provider,
            row.info.name
        )));
    }
    let prices = row.info.prices;
    let no_dearer = choices.contains(&CacheLifetime::Hour) && prices.cache_write_hour <= prices.cache_write;
    if asked == Some(CacheLifetime::Hour) || asked.is_none() && no_dearer {
        row.info = row.info.clone().with_hour_cache();
    }
    Ok(())
}

#[cfg(test)]
mod tests;
