//! Tools of a loop that has no other crate than the engine.

use serde_json::json;
use throughline_engine::{ContextEngine, Message, ModelInfo, Next, SessionId, ToolDefinition, ToolOrigin};
use throughline_policies::{Estimator, Policy};

// S3-15
#[tokio::test]
async fn descriptions_that_take_too_much_room_are_deferred_where_the_caller_allows_it() {
    let about = "It is explained at length. ".repeat(20);
    let tool =
        |number| ToolDefinition::new(format!("far_{number}"), about.clone(), json!({ "type": "object" }));
    let always: Vec<ToolDefinition> = (0..40).map(tool).collect();
    let deferrable: Vec<ToolDefinition> = (0..40).map(tool).map(ToolDefinition::deferrable).collect();
    assert_eq!((always[0].origin, deferrable[0].origin), (ToolOrigin::Builtin, ToolOrigin::Mcp));
    for (tools, all) in [(always, true), (deferrable, false)] {
        let info = ModelInfo::with_window("test", 24_000, 2_000);
        let settings = Policy::Throughline.settings(24_000, 2_000);
        let builder = ContextEngine::builder(info, Estimator::default().counter(), settings).tools(&tools);
        let mut engine = builder.open(SessionId::new("mine").unwrap()).await.unwrap();
        engine.user(Message::user("Search.")).await.unwrap();
        let Next::Request(next) = engine.next_request().await.unwrap() else { panic!("no request") };
        let far = next.request.tools.iter().filter(|tool| tool.name.starts_with("far_")).count();
        assert_eq!(far == tools.len(), all, "{far} of {}", tools.len());
    }
}
