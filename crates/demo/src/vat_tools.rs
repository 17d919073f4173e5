//! Tools of a finance server, one for each country of the European Union: enough that deferring them pays. They count as
//! tools of an MCP server.

use async_trait::async_trait;
use serde_json::json;
use throughline_conversation::{ToolCall, ToolDefinition, ToolOrigin};
use throughline_tools::{Tool, ToolContext, ToolOutput};

/// Standard rates in per mille (European Commission, rates of 2024).
const RATES: [(&str, u32); 27] = [
    ("austria", 200),
    ("belgium", 210),
    ("bulgaria", 200),
    ("croatia", 250),
    ("cyprus", 190),
    ("czechia", 210),
    ("denmark", 250),
    ("estonia", 220),
    ("finland", 255),
    ("france", 200),
    ("germany", 190),
    ("greece", 240),
    ("hungary", 270),
    ("ireland", 230),
    ("italy", 220),
    ("latvia", 210),
    ("lithuania", 210),
    ("luxembourg", 170),
    ("malta", 180),
    ("netherlands", 210),
    ("poland", 230),
    ("portugal", 230),
    ("romania", 190),
    ("slovakia", 200),
    ("slovenia", 220),
    ("spain", 210),
    ("sweden", 250),
];

/// Looks up one country's rate, or adds it to an amount.
#[derive(Debug)]
pub(super) struct VatTool {
    country: &'static str,
    rate: u32,
}

/// All tools, by name.
pub(super) fn tools() -> impl Iterator<Item = VatTool> {
    RATES.into_iter().map(|(country, rate)| VatTool { country, rate })
}

#[async_trait]
impl Tool for VatTool {
    fn definition(&self) -> ToolDefinition {
        let country = self.country;
        ToolDefinition {
            name: format!("vat_{country}"),
            description: format!(
                "Standard rate of value added tax in {country}, in per mille. With an amount in cents it also gives \
                 the amount with tax, rounded to the nearest cent, half a cent up, as the tax office of {country} \
                 wants it."
            ),
            input_schema: json!({
                "type": "object",
                "properties": {
                    "cents": { "type": "integer", "minimum": 0, "description": "Amount without tax, in cents." }
                }
            }),
            origin: ToolOrigin::Mcp,
        }
    }

    async fn call(&self, call: &ToolCall, _context: &ToolContext) -> ToolOutput {
        let rate = u64::from(self.rate);
        let mut text = format!("{}: {rate} per mille", self.country);
        if let Some(cents) = call.input.get("cents").and_then(serde_json::Value::as_u64) {
            let total = cents.saturating_mul(1_000 + rate).saturating_add(500) / 1_000;
            text.push_str(&format!("; {cents} cents are {total} with tax"));
        }
        ToolOutput::text(text)
    }
}
