//! Checks a URL and resolves it to addresses that may be connected to.

use std::net::IpAddr;

use reqwest::Url;

use crate::address::not_public;
use crate::host_lookup::HostLookup;
use crate::policy::FetchPolicy;
use crate::proxy;

/// Parses the URL of a call.
///
/// # Errors
/// What is wrong with it, for the model.
pub(crate) fn parse(text: &str) -> Result<Url, String> {
    let url = Url::parse(text.trim()).map_err(|error| {
        format!("{text:?} is no address: {error}. Write a whole one, for example https://example.org/page.")
    })?;
    check(&url)?;
    Ok(url)
}

/// Checks that the URL has a form that can be fetched.
///
/// # Errors
/// What is wrong with it, for the model.
pub(crate) fn check(url: &Url) -> Result<(), String> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(format!("Only http and https are fetched, not {}.", url.scheme()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(
            "The address has a user name or a password in it, which would be sent to others. Leave it out."
                .to_owned(),
        );
    }
    if url.host_str().is_none_or(str::is_empty) {
        return Err("The address names no host.".to_owned());
    }
    Ok(())
}

/// Resolves the host and checks all of its addresses.
///
/// # Errors
/// Why it must not be contacted, for the model.
pub(crate) async fn addresses(
    url: &Url,
    policy: &FetchPolicy,
    lookup: &dyn HostLookup,
) -> Result<Vec<IpAddr>, String> {
    check(url)?;
    let host = url.host_str().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let addresses = match bare.parse::<IpAddr>() {
        Ok(address) => vec![address],
        Err(_) => lookup.lookup(host).await.map_err(|error| {
            let proxy = proxy::not_used();
            format!("The host {host} is not found: {error}.{proxy} Is its name right?")
        })?,
    };
    if addresses.is_empty() {
        return Err(format!("The host {host} has no address. Is its name right?"));
    }
    if policy.allows(url) {
        return Ok(addresses);
    }
    // One special address among public ones is an attack, not an accident.
    match addresses.iter().find_map(|address| Some((address, not_public(*address)?))) {
        None => Ok(addresses),
        Some((address, what)) => Err(format!(
            "{host} is {what} ({address}), which is not fetched: only public addresses are. The user can allow this host in the settings."
        )),
    }
}
