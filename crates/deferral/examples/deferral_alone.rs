//! Deferral without the rest: forty tool descriptions take too much room, a search finds the right one, and it is promoted.

use std::error::Error;
use std::sync::Arc;

use serde_json::json;
use throughline_budget::ScriptAwareEstimator;
use throughline_conversation::{ToolDefinition, ToolOrigin};
use throughline_deferral::{Bm25Ranker, DeferralManager, DeferralPolicy, ToolRanker, tool_search_tool};

const COUNTRIES: [&str; 8] =
    ["austria", "belgium", "denmark", "finland", "france", "hungary", "italy", "sweden"];

fn vat_tool(country: &str) -> ToolDefinition {
    let description = format!("Looks up the VAT rate of {country} for an amount in cents. ").repeat(5);
    let schema = json!({"type": "object", "properties": {"cents": {"type": "integer"}}});
    ToolDefinition {
        origin: ToolOrigin::Mcp,
        ..ToolDefinition::new(format!("vat_{country}"), description, schema)
    }
}

// S3-30
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let tools = COUNTRIES.map(vat_tool).into_iter().chain([tool_search_tool()]);
    let catalogue: Arc<[ToolDefinition]> = tools.collect();
    let mut manager = DeferralManager::new(DeferralPolicy::default());

    let first = manager.select(&catalogue, &ScriptAwareEstimator, 2_000, 0, 1);
    println!("{} of {} tools sent, {} deferred", first.active.len(), catalogue.len(), first.deferred);

    let hits = Bm25Ranker.rank("vat rate in hungary", &catalogue, 1).await?;
    println!("the search finds {hits:?}, promoted: {:?}", manager.promote(&hits, 1));

    let next = manager.select(&catalogue, &ScriptAwareEstimator, 2_000, 0, 1);
    println!(
        "{} tools sent, {} deferred: {}",
        next.active.len(),
        next.deferred,
        next.changed.unwrap_or_default()
    );
    Ok(())
}
