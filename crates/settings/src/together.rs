//! Values that are right alone and cannot hold together.

use crate::key::keys;
use crate::resolve::Holds;
use crate::{Key, Resolved, SettingsError};

/// Looks for them.
pub(crate) fn check(resolved: &Resolved) -> Result<(), SettingsError> {
    let warn = (keys::CONTEXT_WARN_PCT, keys::CONTEXT_COMPACT_PCT);
    in_order(resolved, warn, |warn, compact| warn <= compact, "a warning comes before the compaction")?;
    let block = (keys::COMPACT_TRIGGER, keys::HARD_BLOCK);
    in_order(resolved, block, |compact, block| compact <= block, "the compaction comes before the block")?;
    for window in [keys::CONTEXT_BUDGET, keys::CONTEXT_WINDOW_MAX, keys::WINDOW] {
        let answer = (keys::MAX_OUTPUT_TOKENS, window);
        in_order(resolved, answer, |answer, window| answer < window, "an answer has to fit into the window")?;
    }
    for named in [keys::BASE_URL.name(), keys::KEY_FILE.name(), keys::HEADERS.name()] {
        let Some(origin) = resolved.written(named).filter(|_| resolved.get(keys::PROVIDER).is_none()) else {
            continue;
        };
        let key = named.split_once('.').map_or(named, |(_, name)| name).to_owned();
        let why = "it says where a key is sent, so write whose it is too: `provider` in [model], \"compatible\" for a \
                   server of your own"
            .to_owned();
        return Err(SettingsError { origin, key, why });
    }
    Ok(())
}

/// The first value must stand to the second as `fits` says; the error names the one that was written last.
fn in_order<T: Holds + std::fmt::Display>(
    resolved: &Resolved,
    (first, second): (Key<T>, Key<T>),
    fits: impl Fn(&T, &T) -> bool,
    why: &str,
) -> Result<(), SettingsError> {
    let (Some(low), Some(high)) = (resolved.get(first), resolved.get(second)) else { return Ok(()) };
    if fits(&low, &high) {
        return Ok(());
    }
    let short = |key: Key<T>| key.name().split_once('.').map_or(key.name(), |(_, name)| name);
    let (one, other) = (short(first), short(second));
    let why = format!("{one} is {low} and {other} is {high} ({}): {why}", resolved.origin(second));
    Err(SettingsError { origin: resolved.origin(first), key: one.to_owned(), why })
}
