//! The tool `web_search`: the web by a server that answers in the JSON form of SearXNG.

use std::sync::Arc;

use async_trait::async_trait;
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin};
use throughline_text::{first_chars, headline, sanitized};
use throughline_tools::{Access, CANCELLED, Effect, Tool, ToolContext, ToolOutput, arguments};

use crate::host_lookup::{HostLookup, SystemLookup};
use crate::page::{Fetched, Page, fetch};
use crate::policy::FetchPolicy;
use crate::target;

/// Results of one call, and characters of an extract.
const MAX_RESULTS: usize = 10;
const MAX_EXTRACT: usize = 400;

/// `web_search`: titles, addresses and extracts of pages.
#[derive(Debug, Clone)]
pub struct SearchTool {
    server: Url,
    policy: FetchPolicy,
    lookup: Arc<dyn HostLookup>,
}

/// The address of a search server cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no address of a search server: write a whole one, for example http://localhost:8888")]
pub struct InvalidSearchServer(
    /// The address.
    pub String,
);

impl SearchTool {
    /// Searches by the server at this address, which may be on this machine.
    ///
    /// # Errors
    /// [`InvalidSearchServer`].
    pub fn new(address: &str) -> Result<Self, InvalidSearchServer> {
        let wrong = || InvalidSearchServer(address.to_owned());
        let mut server = target::parse(address).map_err(|_| wrong())?;
        let path = format!("{}/search", server.path().trim_end_matches('/').trim_end_matches("/search"));
        server.set_path(&path);
        server.set_query(None);
        let port = server.port_or_known_default().map_or_else(String::new, |port| format!(":{port}"));
        let host = format!("{}{port}", server.host_str().ok_or_else(wrong)?);
        let policy = FetchPolicy::new().allowing(&host).map_err(|_| wrong())?;
        Ok(Self { server, policy, lookup: Arc::new(SystemLookup) })
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    query: String,
}

/// The part of the server's answer that is used.
#[derive(Debug, Deserialize)]
struct Found {
    #[serde(default)]
    results: Vec<FoundPage>,
    /// Engines that did not answer, each with the reason.
    #[serde(default)]
    unresponsive_engines: Vec<Value>,
}

#[derive(Debug, Deserialize)]
struct FoundPage {
    url: String,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    content: Option<String>,
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": { "query": { "type": "string" } },
        "required": ["query"],
        "additionalProperties": false
    })
}

#[async_trait]
impl Tool for SearchTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: "web_search".to_owned(),
            description: include_str!("search.md").trim_end().to_owned(),
            input_schema: schema(),
            origin: ToolOrigin::Builtin,
        }
    }

    fn access(&self, call: &ToolCall) -> Access {
        Access::of(Effect::Network, &call.input, "query")
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let wanted: Arguments = match arguments(call, &schema()) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        if wanted.query.trim().is_empty() {
            return ToolOutput::error("The query is empty. Write the words to search for.");
        }
        let mut url = self.server.clone();
        url.query_pairs_mut().append_pair("q", wanted.query.trim()).append_pair("format", "json");
        tokio::select! {
            () = context.cancel.cancelled() => ToolOutput::error(CANCELLED),
            found = tokio::time::timeout(self.policy.time, fetch(url, &self.policy, self.lookup.as_ref())) => match found {
                Err(_) => ToolOutput::error(format!("The search server did not answer within {} s.", self.policy.time.as_secs())),
                Ok(Err(why)) => ToolOutput::error(format!("The search failed. {why}")),
                Ok(Ok(Fetched::Moved(url))) => ToolOutput::error(format!(
                    "The search server is at another place now ({url}); the user can change search.url in the settings."
                )),
                Ok(Ok(Fetched::Page(page))) => rendered(&wanted.query, &page),
            },
        }
    }
}

fn rendered(query: &str, page: &Page) -> ToolOutput {
    if !(200..300).contains(&page.status) {
        let advice = match page.status {
            403 => " Its settings must allow the form json (search.formats).",
            429 => " It limits the rate; search again later.",
            _ => "",
        };
        return ToolOutput::error(format!("The search server answered with status {}.{advice}", page.status));
    }
    let found: Found = match serde_json::from_slice(&page.body) {
        Ok(found) => found,
        Err(error) => {
            return ToolOutput::error(format!("The search server gave no JSON of SearXNG: {error}."));
        }
    };
    let engines = match found.unresponsive_engines.len() {
        0 => String::new(),
        count => format!("\n[{count} engines of the server did not answer]"),
    };
    if found.results.is_empty() {
        return ToolOutput::text(format!("[nothing found for {query:?}; use fewer or other words]{engines}"));
    }
    let rows = found.results.iter().take(MAX_RESULTS).enumerate().map(|(index, page)| {
        let title = headline(page.title.as_deref().unwrap_or_default(), 200);
        let extract =
            page.content.as_deref().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
        let extract = sanitized(first_chars(&extract, MAX_EXTRACT)).into_owned();
        format!("{}. {title}\n   {}\n   {extract}", index + 1, sanitized(&page.url))
    });
    ToolOutput::text(format!("{}{engines}", rows.collect::<Vec<_>>().join("\n")))
}

#[cfg(test)]
mod tests;
