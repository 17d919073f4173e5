//! The tool `fetch`.

use std::sync::Arc;

use async_trait::async_trait;
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin};
use throughline_text::cut_end;
use throughline_tools::{Access, CANCELLED, Effect, Tool, ToolContext, ToolOutput, arguments};

use crate::body::{Body, decode};
use crate::host_lookup::{HostLookup, SystemLookup};
use crate::page::{Fetched, Page, fetch};
use crate::policy::FetchPolicy;
use crate::{proxy, target};

/// Maximum bytes of the text of a page.
const MAX_TEXT: usize = 1024 * 1024;

/// Maximum bytes of the text of an error page.
const MAX_ERROR_TEXT: usize = 2_000;

/// `fetch`: a web page as text.
#[derive(Debug, Clone)]
pub struct FetchTool {
    policy: FetchPolicy,
    lookup: Arc<dyn HostLookup>,
}

impl FetchTool {
    /// The tool with this policy.
    #[must_use]
    pub fn new(policy: FetchPolicy) -> Self {
        Self::with_lookup(policy, Arc::new(SystemLookup))
    }

    fn with_lookup(policy: FetchPolicy, lookup: Arc<dyn HostLookup>) -> Self {
        Self { policy, lookup }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    url: String,
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": { "url": { "type": "string" } },
        "required": ["url"],
        "additionalProperties": false
    })
}

#[async_trait]
impl Tool for FetchTool {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: "fetch".to_owned(),
            description: include_str!("fetch.md").trim_end().to_owned(),
            input_schema: schema(),
            origin: ToolOrigin::Builtin,
        }
    }

    fn access(&self, call: &ToolCall) -> Access {
        Access::of(Effect::Network, &call.input, "url")
    }

    async fn call(&self, call: &ToolCall, context: &ToolContext) -> ToolOutput {
        let wanted: Arguments = match arguments(call, &schema()) {
            Ok(wanted) => wanted,
            Err(output) => return output,
        };
        let url = match target::parse(&wanted.url) {
            Ok(url) => url,
            Err(why) => return ToolOutput::error(why),
        };
        tokio::select! {
            () = context.cancel.cancelled() => ToolOutput::error(CANCELLED),
            output = self.output(url) => output,
        }
    }
}

impl FetchTool {
    async fn output(&self, url: Url) -> ToolOutput {
        let time = self.policy.time;
        let timed_out = |what: &str| format!("The page {what} within {} s.", time.as_secs_f64());
        let page = match tokio::time::timeout(time, fetch(url, &self.policy, self.lookup.as_ref())).await {
            Err(_) => {
                let advice = "Try later, or another address.";
                return ToolOutput::error(format!(
                    "{}{} {advice}",
                    timed_out("did not come"),
                    proxy::not_used()
                ));
            }
            Ok(Err(why)) => return ToolOutput::error(why),
            Ok(Ok(Fetched::Moved(url))) => {
                return ToolOutput::text(format!(
                    "[the page is at another place now: {url}\nfetch that address if you want it]"
                ));
            }
            Ok(Ok(Fetched::Page(page))) => page,
        };
        let output = tokio::time::timeout(time, render(page)).await;
        output.unwrap_or_else(|_| {
            ToolOutput::error(format!("{} Try another address.", timed_out("could not be read")))
        })
    }
}

async fn render(page: Page) -> ToolOutput {
    // Parsing megabytes of markup would block other tasks.
    let (page, decoded) = match tokio::task::spawn_blocking(move || {
        let decoded = decode(&page.content_type, &page.body, &page.url);
        (page, decoded)
    })
    .await
    {
        Ok(read) => read,
        Err(error) => return ToolOutput::error(format!("The page could not be read: {error}.")),
    };
    let Page { url, status, content_type, body, truncated } = page;
    let kind = if content_type.is_empty() { "no type given" } else { content_type.as_str() };
    let head = format!("[{url}: status {status}, {kind}, {} bytes]", body.len());
    let failed = !(200..300).contains(&status);
    match decoded {
        Body::Text(text) if failed => {
            ToolOutput::error(format!("{head}\n{}", cut_end(text.trim(), MAX_ERROR_TEXT)))
        }
        Body::Text(text) => {
            let text = text.trim();
            let part = cut_end(text, MAX_TEXT);
            let left = if truncated || part.len() < text.len() {
                "\n[the page is longer; the rest was left out]"
            } else {
                ""
            };
            let text = if part.is_empty() { "[the page has no text]" } else { part };
            ToolOutput::text(format!("{head}\n{text}{left}"))
        }
        Body::Binary => ToolOutput::error(format!(
            "{head}\nThis is no text, so it is not shown. Use shell if you need the file itself."
        )),
    }
}

#[cfg(test)]
mod tests;
