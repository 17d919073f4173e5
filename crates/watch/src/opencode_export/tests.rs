//! Subagents in what OpenCode exports.

use serde_json::json;

use super::subagents;

#[test]
fn subagents_are_named_by_the_calls_that_started_them() {
    let task = |state: serde_json::Value| json!({"type": "tool", "tool": "task", "state": state});
    let document = json!({"messages": [
        {"parts": [
            task(json!({"metadata": {"sessionId": "ses_1"}})),
            task(json!({"output": "task_id: ses_2 (for resuming)\n\n<task_result>ses_9"})),
            task(json!({"output": "<task id=\"ses_3\">\ndone"})),
            task(json!({"output": "It has found no session in the whole of the file, but ses_8."})),
            {"type": "tool", "tool": "bash", "state": {"output": "ses_7"}},
        ]},
        {"info": {}},
    ]});
    assert_eq!(subagents(&document).collect::<Vec<_>>(), ["ses_1", "ses_2", "ses_3"]);
}
