//! Secrets in the values of variables whose names say nothing of them.

use super::is_secret_name;

/// Bundler's own settings. All other variables that begin like these are credentials, named after their hosts.
const BUNDLER: [&str; 16] = [
    "BUNDLE_APP_CONFIG",
    "BUNDLE_BIN",
    "BUNDLE_BIN_PATH",
    "BUNDLE_CACHE_ALL",
    "BUNDLE_CACHE_PATH",
    "BUNDLE_CLEAN",
    "BUNDLE_DEPLOYMENT",
    "BUNDLE_FROZEN",
    "BUNDLE_GEMFILE",
    "BUNDLE_JOBS",
    "BUNDLE_PATH",
    "BUNDLE_RETRY",
    "BUNDLE_USER_CACHE",
    "BUNDLE_USER_CONFIG",
    "BUNDLE_USER_HOME",
    "BUNDLE_WITHOUT",
];

/// Names of options and parameters with a secret, alone or behind a sign: `-Pkey=x`, `?sig=x`.
const SECRET_OPTIONS: [&str; 8] = ["KEY", "PASS", "PAT", "PW", "PWD", "SAS", "SIG", "SIGNATURE"];

/// The least letters and digits of a token in the path of an address: package servers give out longer ones.
const TOKEN: usize = 16;

/// Returns true if the value holds a user, a password or a token of an address, or an option with a secret.
pub(super) fn has_secret(name: &str, value: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    // Addresses of proxies may be written without a scheme, `user:password@host`.
    let bare = upper.ends_with("PROXY") && !value.contains("://") && value.contains('@');
    bare || (upper.starts_with("BUNDLE_") && !BUNDLER.contains(&upper.as_str()))
        || addresses(value).any(|(host, path)| has_user(host) || has_token(path))
        || has_secret_option(value)
}

/// The addresses in a value: host with user, and path without query. Files have none.
fn addresses(value: &str) -> impl Iterator<Item = (&str, &str)> {
    let starts = value.match_indices("://").map(|(at, _)| value.split_at(at));
    let rests = starts.filter(|(before, _)| !before.ends_with("file")).filter_map(|(_, rest)| rest.get(3..));
    rests.map(|rest| {
        let rest = rest.split(['?', '#', ' ', '\n', ',', '|', ';']).next().unwrap_or_default();
        rest.split_at(rest.find('/').unwrap_or(rest.len()))
    })
}

/// Returns true if a host has a user, `user:password@host` or `token@host`. The user `git` of an address for SSH is no secret.
fn has_user(host: &str) -> bool {
    host.rsplit_once('@').is_some_and(|(user, _)| user != "git" && !user.is_empty())
}

/// Returns true if the path of an address has a token: behind `/t/`, as conda writes it, or letters and digits in one that are
/// too long for a word.
fn has_token(path: &str) -> bool {
    let is_long = |run: &str| {
        run.len() >= TOKEN
            && run.contains(|sign: char| sign.is_ascii_digit())
            && run.contains(|sign: char| sign.is_ascii_alphabetic())
    };
    let of_conda = path.split_once("/t/").is_some_and(|(_, token)| !token.is_empty());
    of_conda || path.split(|sign: char| !sign.is_ascii_alphanumeric()).any(is_long)
}

/// Returns true if there is an option, a parameter or a setting with a secret: `-Dmail.password=x`, `bearer-token=x`,
/// `access-tokens = x`.
fn has_secret_option(value: &str) -> bool {
    value.match_indices('=').any(|(at, _)| {
        let (before, behind) = value.split_at(at);
        let ends = |sign: char| sign.is_whitespace() || "|,;?&\"'".contains(sign);
        let name = before.trim_end().rsplit(ends).next().unwrap_or_default();
        let has_value = behind.get(1..).is_some_and(|value| !value.trim_start().is_empty());
        has_value && is_secret_option(name)
    })
}

fn is_secret_option(name: &str) -> bool {
    // `-Pkey`: one letter says what kind of option it is.
    let bare = name
        .strip_prefix(['-', '/'])
        .and_then(|name| name.strip_prefix(['D', 'P', 'X', '-']))
        .unwrap_or(name);
    let last = bare.rsplit(|sign: char| !sign.is_ascii_alphanumeric()).next().unwrap_or_default();
    is_secret_name(&name.replace('-', "_"))
        || SECRET_OPTIONS.contains(&last.to_ascii_uppercase().as_str())
        || last.ends_with("Key")
}
