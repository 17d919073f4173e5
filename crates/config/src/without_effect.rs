//! Settings that can be used and have no effect, or a larger one than they seem to have.

use std::path::Path;

use throughline_settings::{Origin, Resolved, keys};

use crate::config::Config;

/// Settings that only sessions of one policy use.
const OF_POLICIES: [(&str, &str); 7] = [
    ("agent.economy", "throughline"),
    ("compaction.adapt", "throughline"),
    ("agent.max_recent_messages", "dex"),
    ("truncation.recent_results", "slop"),
    ("truncation.recent_chars", "slop"),
    ("truncation.older_chars", "slop"),
    ("truncation.inactive_chars", "slop"),
];

/// Settings that only models of some providers use.
const OF_PROVIDERS: [(&str, &[&str]); 2] =
    [("model.api", &["openai", "compatible"]), ("model.transport", &["anthropic"])];

/// A notice for each such setting that is written somewhere.
pub(crate) fn notices(config: &Config) -> Vec<String> {
    let set = &config.resolved;
    let written: Vec<_> =
        set.shown().into_iter().filter(|(_, _, origin)| *origin != Origin::Default).collect();
    let others = of_policy(set).into_iter().chain(of_provider(set));
    let mut notices: Vec<String> = Vec::new();
    for (key, of) in others {
        let own = written.iter().find(|(own, _, _)| *own == key);
        notices.extend(own.map(|(_, value, origin)| {
            format!("{key} = {value} ({origin}) has no effect in sessions of {of}")
        }));
    }
    for item in set.list(keys::WRITABLE) {
        let folder = config.folder(&item.text);
        let real = folder.canonicalize();
        let (key, text, origin) = (keys::WRITABLE.name(), &item.text, &item.origin);
        notices.extend(match real {
            Err(_) => Some(format!("{key}: {text:?} ({origin}) has no effect: it does not exist")),
            Ok(real) if real == Path::new("/") => {
                Some(format!("{key}: {text:?} ({origin}) lets commands write in every folder"))
            }
            Ok(_) => None,
        });
    }
    notices
}

/// The keys that sessions of other policies use, and the policy in force.
fn of_policy(set: &Resolved) -> Vec<(&'static str, String)> {
    let Some(policy) = set.in_force(keys::POLICY) else { return Vec::new() };
    let others = OF_POLICIES.iter().filter(|(_, own)| *own != policy);
    others.map(|(key, _)| (*key, format!("policy {policy}"))).collect()
}

/// The keys that models of other providers use, and the provider that is set.
fn of_provider(set: &Resolved) -> Vec<(&'static str, String)> {
    let Some(provider) = set.get(keys::PROVIDER) else { return Vec::new() };
    let others = OF_PROVIDERS.iter().filter(|(_, own)| !own.contains(&provider.as_str()));
    others.map(|(key, _)| (*key, format!("provider {provider}"))).collect()
}
