//! The tool.

use std::sync::Arc;

use async_trait::async_trait;
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Value, json};
use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin};
use throughline_text::cut_end;
use throughline_tools::{Access, CANCELLED, Effect, Tool, ToolContext, ToolOutput, arguments};

use crate::text::{Reading, read};
use crate::visit::{Answer, Page, visit};
use crate::{FetchPolicy, HostLookup, SystemLookup, place, proxy};

/// Most bytes of the text of a page.
const MOST_TEXT: usize = 1024 * 1024;

/// Most bytes of what a server says when it has no page.
const MOST_ERROR: usize = 2_000;

/// `fetch`: a page of the web as text.
#[derive(Debug, Clone)]
pub struct FetchTool {
    policy: FetchPolicy,
    lookup: Arc<dyn HostLookup>,
}

impl FetchTool {
    /// The tool under this policy.
    #[must_use]
    pub fn new(policy: FetchPolicy) -> Self {
        Self { policy, lookup: Arc::new(SystemLookup) }
    }

    /// The same, with another way to find the addresses of hosts.
    #[must_use]
    pub fn looking_up(self, lookup: Arc<dyn HostLookup>) -> Self {
        Self { lookup, ..self }
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
        let url = match place::read(&wanted.url) {
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
        let late = |what: &str| format!("The page {what} within {} s.", time.as_secs_f64());
        let page = match tokio::time::timeout(time, visit(url, &self.policy, self.lookup.as_ref())).await {
            Err(_) => {
                let advice = "Try later, or another address.";
                return ToolOutput::error(format!("{}{} {advice}", late("did not come"), proxy::not_used()));
            }
            Ok(Err(why)) => return ToolOutput::error(why),
            Ok(Ok(Answer::Moved(url))) => {
                return ToolOutput::text(format!(
                    "[the page is at another place now: {url}\nfetch that address if you want it]"
                ));
            }
            Ok(Ok(Answer::Page(page))) => page,
        };
        let read = tokio::time::timeout(time, shown(page)).await;
        read.unwrap_or_else(|_| {
            ToolOutput::error(format!("{} Try another address.", late("could not be read")))
        })
    }
}

async fn shown(page: Page) -> ToolOutput {
    // Megabytes of markup take long enough to keep other tasks waiting.
    let (page, reading) = match tokio::task::spawn_blocking(move || {
        let reading = read(&page.content_type, &page.body, &page.url);
        (page, reading)
    })
    .await
    {
        Ok(read) => read,
        Err(error) => return ToolOutput::error(format!("The page could not be read: {error}.")),
    };
    let Page { url, status, content_type, body, cut } = page;
    let kind = if content_type.is_empty() { "no type given" } else { content_type.as_str() };
    let head = format!("[{url}: status {status}, {kind}, {} bytes]", body.len());
    let failed = !(200..300).contains(&status);
    match reading {
        Reading::Text(text) if failed => {
            ToolOutput::error(format!("{head}\n{}", cut_end(text.trim(), MOST_ERROR)))
        }
        Reading::Text(text) => {
            let text = text.trim();
            let part = cut_end(text, MOST_TEXT);
            let left = if cut || part.len() < text.len() {
                "\n[the page is longer; the rest was left out]"
            } else {
                ""
            };
            let text = if part.is_empty() { "[the page has no text]" } else { part };
            ToolOutput::text(format!("{head}\n{text}{left}"))
        }
        Reading::Binary => ToolOutput::error(format!(
            "{head}\nThis is no text, so it is not shown. Use shell if you need the file itself."
        )),
    }
}
