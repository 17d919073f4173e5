//! Values that are right alone and cannot hold together.

use throughline_budget::Threshold;

use crate::error::SettingsError;
use crate::key::Key;
use crate::key::keys;
use crate::resolve::Holds;
use crate::resolve::Resolved;

/// Looks for them.
pub(crate) fn check(resolved: &Resolved) -> Result<(), SettingsError> {
    Order { low: keys::WARN_AT, high: keys::COMPACT_AT, why: "a warning comes before the compaction" }
        .check(resolved, |warn, compact| !is_above(*warn, *compact))?;
    Order { low: keys::COMPACT_AT, high: keys::BLOCK_AT, why: "a compaction comes before the block" }
        .check(resolved, |compact, block| !is_above(*compact, *block))?;
    for window in [keys::CONTEXT_BUDGET, keys::WINDOW] {
        Order { low: keys::MAX_OUTPUT_TOKENS, high: window, why: "an answer has to fit into the window" }
            .check(resolved, |answer, window| answer < window)?;
    }
    let both = (
        resolved.written(keys::ENCRYPTION_KEY_FILE.name()),
        resolved.written(keys::ENCRYPTION_KEY_COMMAND.name()),
    );
    if let (Some(file), Some(origin)) = both {
        let why = format!("encryption.key_file is set, too ({file}): write one of the two, there is one key");
        return Err(SettingsError { origin, key: "key_command".to_owned(), why });
    }
    for named in [keys::BASE_URL.name(), keys::KEY_FILE.name(), keys::HEADERS.name()] {
        let Some(origin) = resolved.written(named).filter(|_| resolved.get(keys::PROVIDER).is_none()) else {
            continue;
        };
        let key = named.split_once('.').map_or(named, |(_, name)| name).to_owned();
        let why = "a key is sent to it, so name its provider too: `provider` in [model], \"compatible\" for a server of \
                   your own"
            .to_owned();
        return Err(SettingsError { origin, key, why });
    }
    Ok(())
}

/// Returns true if the first is reached later in any window. Those of different units depend on the window.
fn is_above(one: Threshold, other: Threshold) -> bool {
    match (one, other) {
        (Threshold::PercentEffective(one), Threshold::PercentEffective(other))
        | (Threshold::PercentWindow(one), Threshold::PercentWindow(other)) => one > other,
        (Threshold::Tokens(one), Threshold::Tokens(other)) => one > other,
        (Threshold::Remaining(one), Threshold::Remaining(other)) => one < other,
        _ => false,
    }
}

/// Two keys of which one must be below the other.
struct Order<T> {
    low: Key<T>,
    high: Key<T>,
    /// The reason, for the error.
    why: &'static str,
}

impl<T: Holds + std::fmt::Display> Order<T> {
    /// Fails if both are set and `fits` rejects their values.
    fn check(&self, resolved: &Resolved, fits: impl Fn(&T, &T) -> bool) -> Result<(), SettingsError> {
        let (Some(low), Some(high)) = (resolved.get(self.low), resolved.get(self.high)) else {
            return Ok(());
        };
        if fits(&low, &high) {
            return Ok(());
        }
        let short = |key: Key<T>| key.name().split_once('.').map_or(key.name(), |(_, name)| name);
        let (one, other) = (short(self.low), short(self.high));
        let why =
            format!("{one} is {low} and {other} is {high} ({}): {}", resolved.origin(self.high), self.why);
        Err(SettingsError { origin: resolved.origin(self.low), key: one.to_owned(), why })
    }
}
