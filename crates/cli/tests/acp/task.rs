//! A whole task: tools, permission, diffs, the plan, figures.

use agent_client_protocol::v1::schema::{
    ContentBlock, PlanEntryStatus, SessionUpdate, StopReason, ToolCallContent, ToolCallStatus, ToolKind,
};
use serde_json::json;
use throughline_testserver::{Answer, Script};

use crate::editor::{Editor, said, status_of};
use crate::home::Home;

fn script() -> Script {
    let items = |first: &str, second: &str| {
        json!({ "items": [
            { "description": "Read the file", "status": first },
            { "description": "Change it", "status": second },
        ] })
    };
    let edit = json!({ "path": "a.txt", "old_string": "beta", "new_string": "gamma" });
    Script::new()
        .then(Answer::call("call_1", "update_checklist", items("in_progress", "pending")))
        .then(Answer::call("call_2", "read_file", json!({ "path": "a.txt" })))
        .then(Answer::call("call_3", "edit_file", edit))
        .then(Answer::call("call_4", "shell", json!({ "command": "cat a.txt" })))
        .then(Answer::call("call_5", "update_checklist", items("completed", "in_progress")))
        .then(Answer::text("Beta is gamma now."))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_editor_drives_a_whole_task() {
    let home = Home::new(script()).await;
    let editor = Editor::start(&home, &[]).await;
    let about = &editor.about;
    assert!(about.agent_capabilities.load_session && about.agent_capabilities.prompt_capabilities.image);
    assert_eq!(about.agent_info.as_ref().unwrap().name, "throughline");

    let id = editor.open(&home).await;
    assert!(id.starts_with("acp-"), "{id}");
    editor.answer(&["once", "once"]);
    let ended = editor.prompt(&id, "Replace beta with gamma.").await.unwrap();
    assert_eq!(ended.stop_reason, StopReason::EndTurn);
    assert_eq!(ended.meta.unwrap()["throughline"]["requests"], 6);
    assert_eq!(home.read("a.txt"), "alpha\ngamma\n");

    let updates = editor.updates(&id);
    assert_eq!(said(&updates), "Beta is gamma now.");
    let calls: Vec<_> = updates
        .iter()
        .filter_map(|update| match update {
            SessionUpdate::ToolCall(call) => Some((call.title.as_str(), call.kind, call.locations.clone())),
            _ => None,
        })
        .collect();
    let kinds: Vec<_> = calls.iter().map(|(title, kind, _)| (*title, *kind)).collect();
    let expected = [
        ("update_checklist", ToolKind::Think),
        ("read_file a.txt", ToolKind::Read),
        ("edit_file a.txt", ToolKind::Edit),
        ("shell cat a.txt", ToolKind::Execute),
        ("update_checklist", ToolKind::Think),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(calls[2].2[0].path, home.work().join("a.txt"));
    for call in 1..=5 {
        assert_eq!(
            status_of(&updates, &format!("call_{call}")),
            Some(ToolCallStatus::Completed),
            "{updates:#?}"
        );
    }

    // The whole file before and after the edit.
    let diff = updates.iter().find_map(|update| match update {
        SessionUpdate::ToolCallUpdate(update) if update.fields.status == Some(ToolCallStatus::Completed) => {
            match update.fields.content.as_deref() {
                Some([ToolCallContent::Diff(diff)]) => Some(diff.clone()),
                _ => None,
            }
        }
        _ => None,
    });
    let diff = diff.unwrap();
    assert_eq!(diff.path, home.work().join("a.txt"));
    assert_eq!((diff.old_text.as_deref(), &*diff.new_text), (Some("alpha\nbeta\n"), "alpha\ngamma\n"));

    // The output of the command, as text.
    let output = updates.iter().any(|update| match update {
        SessionUpdate::ToolCallUpdate(update) => update.fields.content.iter().flatten().any(|content| {
            matches!(content, ToolCallContent::Content(content)
                if matches!(&content.content, ContentBlock::Text(text) if text.text.contains("alpha\ngamma")))
        }),
        _ => false,
    });
    assert!(output, "{updates:#?}");

    let plans: Vec<Vec<_>> = updates
        .iter()
        .filter_map(|update| match update {
            SessionUpdate::Plan(plan) => {
                Some(plan.entries.iter().map(|entry| entry.status.clone()).collect())
            }
            _ => None,
        })
        .collect();
    use PlanEntryStatus::{Completed, InProgress, Pending};
    assert_eq!(plans, [vec![InProgress, Pending], vec![Completed, InProgress]]);

    let usage = updates.iter().rev().find_map(|update| match update {
        SessionUpdate::UsageUpdate(usage) => Some(usage.clone()),
        _ => None,
    });
    let usage = usage.unwrap();
    assert!(usage.used > 1_000 && usage.size == 200_000, "{usage:?}");
    let cost = usage.cost.unwrap();
    assert!(cost.amount > 0.0 && cost.currency == "USD", "{cost:?}");
    let title = updates.iter().find_map(|update| match update {
        SessionUpdate::SessionInfoUpdate(info) => info.title.value().cloned(),
        _ => None,
    });
    assert_eq!(title.as_deref(), Some("Replace beta with gamma."));

    // The edit was asked about with its change, and so was the command, whose sandbox may not be there.
    let asked = editor.asked();
    assert_eq!(&*asked[0].tool_call.tool_call_id.0, "call_3");
    let (code, errors) = editor.leave().await;
    assert_eq!(code, Some(0), "{errors}");
    let printed = home.printed(&["messages", "show", &id, "1"]).await;
    assert!(printed.contains("Beta is gamma now."), "{printed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_output_of_a_command_is_shown_while_it_runs() {
    let command = json!({ "command": "echo first; while [ ! -e go ]; do sleep 0.05; done; echo second" });
    let script = Script::new().then(Answer::call("call_1", "shell", command)).then(Answer::text("Done."));
    let home = Home::new(script).await;
    let editor = Editor::start(&home, &["--mode", "yolo"]).await;
    let id = editor.open(&home).await;
    let shows = |update: &SessionUpdate, text: &str| match update {
        SessionUpdate::ToolCallUpdate(update) => format!("{:?}", update.fields.content).contains(text),
        _ => false,
    };
    let turn = editor.agent.send_request(crate::editor::prompt(&id, "Go."));
    editor.wait(&id, |update| shows(update, "first")).await;
    assert_eq!(status_of(&editor.updates(&id), "call_1"), Some(ToolCallStatus::InProgress));
    std::fs::write(home.work().join("go"), "").unwrap();
    tokio::time::timeout(crate::editor::LONGEST, turn.block_task()).await.unwrap().unwrap();
    let updates = editor.updates(&id);
    assert_eq!(status_of(&updates, "call_1"), Some(ToolCallStatus::Completed));
    // All of the output, and the file that came while it ran.
    let all = updates.iter().any(|update| shows(update, "first\\nsecond") && shows(update, "Diff"));
    assert!(all, "{updates:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_sessions_work_side_by_side_in_one_process() {
    let slow =
        || Answer::text(&"word and word and ".repeat(40)).wait_each(std::time::Duration::from_millis(20));
    let home = Home::new(Script::new().then(slow()).then(slow())).await;
    let editor = Editor::start(&home, &[]).await;
    let (first, second) = (editor.open(&home).await, editor.open(&home).await);
    assert_ne!(first, second);
    let (one, two) = tokio::join!(editor.prompt(&first, "One."), editor.prompt(&second, "Two."));
    assert_eq!(
        (one.unwrap().stop_reason, two.unwrap().stop_reason),
        (StopReason::EndTurn, StopReason::EndTurn)
    );
    // Their chunks are mixed: neither waited for the other.
    let order = editor.order();
    let last_of_first = order.iter().rposition(|(id, _)| *id == first).unwrap();
    let first_of_second = order.iter().position(|(id, text)| *id == second && *text).unwrap();
    let last_of_second = order.iter().rposition(|(id, _)| *id == second).unwrap();
    let first_of_first = order.iter().position(|(id, text)| *id == first && *text).unwrap();
    assert!(first_of_second < last_of_first && first_of_first < last_of_second, "{order:?}");
    for id in [&first, &second] {
        assert_eq!(said(&editor.updates(id)), "word and word and ".repeat(40));
    }
}
