//! The user's messages and the scripted model's answers.

use serde_json::{Value, json};
use throughline_completion::{CompletionRequest, Reply};
use throughline_conversation::{ContentBlock, Message, ToolCall};

/// The user's messages, one a turn.
pub(super) const TURNS: [&str; 3] = [
    "Customers say that some invoices are one cent too low. Find out which ones, and why. Change nothing yet.",
    "Good. Check the rates against the finance server, fix the bug and prove that it is gone. Rates are in per \
     mille everywhere: keep it like that.",
    "Commit it, and tell me in two sentences what was wrong.",
];

/// The id of the call during which the demo kills the process.
pub(super) const KILLED_CALL: &str = "c-prove";

/// All answers of the model, in order over all turns.
pub(super) fn replies() -> Vec<Reply> {
    let mut replies = find();
    replies.extend(fix());
    replies.extend(commit());
    replies
}

fn find() -> Vec<Reply> {
    let mut replies = vec![
        say(
            "I'll look at what is here.",
            vec![
                call("c-list", "list_files", json!({})),
                call("c-readme", "read_file", json!({ "path": "README.md" })),
            ],
        ),
        say(
            "I'll run the tests and see what they say.",
            vec![call("c-tests", "shell", json!({ "command": "sh run-tests.sh" }))],
        ),
        Reply::Look(Box::new(|request: &CompletionRequest| {
            let input = json!({ "ref_id": newest_reference(request), "search": "FAIL" });
            blocks(
                "The result was stored; I'll read only the failures.",
                vec![call("c-fails", "read_result", input)],
            )
        })),
        say(
            "I'll read the arithmetic and the test that checks it.",
            vec![
                call("c-lib", "read_file", json!({ "path": "lib/invoice.awk" })),
                call("c-run", "read_file", json!({ "path": "tests/run.awk" })),
                call("c-rates", "read_file", json!({ "path": "data/rates.csv" })),
            ],
        ),
    ];
    let countries = ["denmark", "hungary", "sweden", "finland", "germany", "france", "italy", "spain"];
    for pair in countries.chunks(2) {
        let read = |country: &&str| {
            call(&format!("c-{country}"), "read_file", json!({ "path": format!("data/{country}.csv") }))
        };
        let text = format!("I'll compare the invoices of {}.", pair.join(" and "));
        replies.push(say(&text, pair.iter().map(read).collect()));
    }
    replies.push(say(
        "I'll look where the two paths are chosen.",
        vec![call("c-grep", "grep", json!({ "pattern": "total|high", "path": "lib" }))],
    ));
    replies.push(Reply::text(
        "The invoices of Denmark, Finland, Hungary and Sweden are wrong, and only those: their rates are 250 per \
         mille or more, so `total` in lib/invoice.awk hands them to `high`, which cuts the fraction off instead of \
         rounding it.",
    ));
    replies
}

fn fix() -> Vec<Reply> {
    vec![
        say(
            "I need the finance server's tools for these countries.",
            vec![call("c-search", "tool_search", json!({ "query": "vat rate hungary" }))],
        ),
        say(
            "I'll check the highest rate, with one of the wrong invoices.",
            vec![call("c-vat", "call_tool", json!({ "name": "vat_hungary", "input": { "cents": 10_003 } }))],
        ),
        say(
            "The rate is right, so it is the rounding. I'll fix it.",
            vec![call(
                "c-edit",
                "edit_file",
                json!({
                    "path": "lib/invoice.awk",
                    "old_string": "return int(cents * (1000 + rate) / 1000)",
                    "new_string": "return int((cents * (1000 + rate) + 500) / 1000)"
                }),
            )],
        ),
        say(
            "I'll run all tests again.",
            vec![call(KILLED_CALL, "shell", json!({ "command": "sh run-tests.sh 1" }))],
        ),
        say(
            "Nothing may fail now: I'll look at the end of the result.",
            vec![call("c-count", "shell", json!({ "command": "sh run-tests.sh | tail -n 1" }))],
        ),
        say("I'll free space before the last part.", vec![call("c-compact", "compact_context", json!({}))]),
        Reply::text("The bug is gone: 1320 invoices pass and none fails. Rates are in per mille as before."),
    ]
}

fn commit() -> Vec<Reply> {
    vec![
        say(
            "I'll commit it.",
            vec![call(
                "c-commit",
                "shell",
                json!({ "command": "git commit --all --quiet --message 'Round totals of high rates' && git log --oneline" }),
            )],
        ),
        Reply::text(
            "Totals of countries with a rate of 250 per mille and more were cut off instead of rounded, so about \
             half of their invoices were one cent too low. They are now rounded like all others, and it is committed.",
        ),
    ]
}

fn say(text: &str, calls: Vec<ToolCall>) -> Reply {
    Reply::Say(blocks(text, calls))
}

fn blocks(text: &str, calls: Vec<ToolCall>) -> Vec<ContentBlock> {
    let said = ContentBlock::Text { text: text.to_owned() };
    std::iter::once(said).chain(calls.into_iter().map(ContentBlock::ToolCall)).collect()
}

fn call(id: &str, name: &str, input: Value) -> ToolCall {
    ToolCall { id: id.to_owned(), name: name.to_owned(), input }
}

/// The reference that the newest stored result names, as a model would copy it.
fn newest_reference(request: &CompletionRequest) -> String {
    let results = request.transcript.messages().rev().flat_map(Message::tool_results);
    let named =
        |text: &str| text.rsplit_once("ref_id=\"")?.1.split_once('"').map(|(name, _)| name.to_owned());
    results.filter_map(|result| named(&result.content)).next().unwrap_or_default()
}
