//! The permission rules of the settings.

use throughline_permission::{RuleKind, Rules};
use throughline_settings::{Resolved, keys};

use crate::error::{Attempt as _, Result};

/// The rules of the settings.
///
/// # Errors
/// A rule that cannot be used, with its place.
pub fn rules(set: &Resolved) -> Result<Rules> {
    let mut rules = Rules::new();
    for (kind, key) in
        [(RuleKind::Deny, keys::DENY), (RuleKind::Ask, keys::ASK), (RuleKind::Allow, keys::ALLOW)]
    {
        for item in set.list(key) {
            let place = item.origin.to_string();
            rules.add(kind, &item.text, &place).attempt(|| format!("the {} rule of {place}", kind.name()))?;
        }
    }
    Ok(rules)
}
