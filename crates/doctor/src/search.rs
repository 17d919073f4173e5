//! The search of the web: whose it is, and what it costs.

use throughline_config::Config;
use throughline_connect::ConnectedModel;
use throughline_settings::keys;
use throughline_text::plain;

use crate::finding::{Area, Finding};

/// `connected`: the model that a session would use; `None`: it is not known.
pub(crate) fn examine(config: &Config, connected: Option<&ConnectedModel>) -> Finding {
    let server = config.resolved.get(keys::SEARCH_URL).map(|url| plain(&url));
    if config.resolved.get(keys::SEARCH_PROVIDER) != Some(true) {
        return match server {
            Some(server) => Finding::good(Area::Search, format!("by the server at {server}")),
            None => Finding::good(
                Area::Search,
                "off; search.provider = true is that of the model's provider, search.url that of a SearXNG server",
            ),
        };
    }
    let elsewhere = server.as_ref().map(|server| format!(", else by the server at {server}"));
    let elsewhere = elsewhere.unwrap_or_default();
    let Some(row) = connected.map(|connected| &connected.row) else {
        return Finding::note(Area::Search, format!("by the model's provider if it has one{elsewhere}"));
    };
    let name = format!("{}/{}", row.info.provider, plain(&row.info.name));
    match (row.info.web_search, server) {
        (true, _) => {
            let price = row.dollars_per_search.map_or(String::new(), |dollars| {
                format!(", {:.0} US dollars for 1,000 searches", dollars * 1_000.0)
            });
            Finding::good(Area::Search, format!("by the provider of {name}{price}"))
        }
        (false, Some(server)) => {
            Finding::good(Area::Search, format!("by the server at {server}: the provider of {name} has none"))
        }
        (false, None) => Finding::problem(
            Area::Search,
            format!("search.provider has no effect: the provider of {name} has no web search that works next to tools"),
        )
        .fix(
            "set search.url to a SearXNG server, or use a model of Anthropic, of OpenAI by its Responses API, or Gemini 3 and later",
        ),
    }
}
