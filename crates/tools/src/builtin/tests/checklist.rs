//! Tests of the tool that sets the checklist.

use serde_json::json;

use super::Workspace;

#[tokio::test]
async fn the_output_is_the_list_or_its_error() {
    let workspace = Workspace::of(&[]);
    let items = json!([
        {"description": "look", "status": "completed"},
        {"description": "fix", "status": "in_progress"},
    ]);
    let text = workspace.fine("update_checklist", json!({ "items": items })).await;
    assert_eq!(text, "- [x] look\n- [~] fix\n[1 of 2 steps completed]");
    let items =
        json!([{"description": "a", "status": "in_progress"}, {"description": "b", "status": "in_progress"}]);
    let text = workspace.refused("update_checklist", json!({ "items": items })).await;
    assert_eq!(
        text,
        "The checklist was not changed: steps 1 and 2 are both in_progress; at most one may be: set the other to \
         pending or completed."
    );
    let text = workspace
        .refused("update_checklist", json!({"items": [{"description": "a", "status": "done"}]}))
        .await;
    assert!(
        text.contains("unknown variant `done`, expected one of `pending`, `in_progress`, `completed`"),
        "{text}"
    );
}
