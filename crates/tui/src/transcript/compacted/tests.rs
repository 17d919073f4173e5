//! Notices of compactions.

use expect_test::expect;
use throughline_conversation::{CompactionReceipt, EditReason};

use super::compacted;
use crate::line::Line;
use crate::port::CompactionNotice;

fn notice() -> CompactionNotice {
    let receipt = CompactionReceipt {
        reason: EditReason::CompactThreshold,
        before_tokens: 168_204,
        after_tokens: 24_310,
        before_messages: 212,
        after_messages: 14,
        strategies: vec!["tool_clearing".to_owned(), "summary".to_owned()],
        rewritten_tokens: 19_870,
        pays_back_after: Some(3),
        trimmed: 38,
        pins: 2,
        lost: ["src/ledger/parser.rs", "split_lines", "MAX_ROWS", "tests/parser.rs", "0x5f2a"]
            .map(str::to_owned)
            .to_vec(),
        lost_count: 9,
        blocked_ms: 0,
        authors: vec!["haiku-4-5".to_owned(), "haiku-4-5".to_owned()],
        asked: Vec::new(),
    };
    CompactionNotice { receipt, dollars: Some(0.061), dollars_at_least: false, notes: Vec::new() }
}

/// The lines, each behind a mark that shows its indentation.
fn shown(notice: &CompactionNotice, window: Option<u64>, columns: usize) -> String {
    let lines = compacted(notice, window, columns);
    lines.iter().map(|line| format!("|{}", Line::text(line))).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_compaction_is_a_picture_with_its_price() {
    let lines = [shown(&notice(), Some(184_000), 80), shown(&notice(), Some(184_000), 40)];
    expect![[r#"
        |  ◆ compacted  the window was nearly full
        |    before 168,204  ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━───  91%
        |    after   24,310  ━━━━━───────────────────────────────────  13%
        |    212 → 14 messages · summary by haiku-4-5 · 38 results trimmed · 2 pins kept
        |    $0.061, pays back after 3 requests · 19,870 tokens written to the cache
        |    9 names left: src/ledger/parser.rs, split_lines, MAX_ROWS and 6 more · the
        |    model can search for them
        |    nothing is lost: /context diff shows what left · /undo --compaction reverts

        |  ◆ compacted  the window was nearly
        |    full
        |    before 168,204  ━━━━━━━━━━━━━━─  91%
        |    after   24,310  ━━─────────────  13%
        |    212 → 14 messages · summary by
        |    haiku-4-5 · 38 results trimmed · 2
        |    pins kept
        |    $0.061, pays back after 3 requests ·
        |    19,870 tokens written to the cache
        |    9 names left: src/ledger/parser.rs
        |    and 8 more · the model can search
        |    for them
        |    nothing is lost: /context diff shows
        |    what left · /undo --compaction
        |    reverts"#]]
    .assert_eq(&lines.join("\n\n"));
}

#[test]
fn what_is_worth_a_look_is_said() {
    let mut other = notice();
    other.receipt.reason = EditReason::Manual;
    other.receipt.authors = vec!["extraction, no model".to_owned()];
    other.receipt.strategies = vec!["drop_exchanges".to_owned(), "own".to_owned()];
    (other.receipt.pays_back_after, other.receipt.trimmed, other.receipt.pins) = (None, 1, 0);
    (other.receipt.blocked_ms, other.dollars) = (4_230, None);
    (other.receipt.lost, other.receipt.lost_count) = (vec!["src/a.rs".to_owned()], 1);
    other.notes.push("its summary is short".to_owned());
    // The window is not known.
    expect![[r#"
        |  ◆ compacted  as asked · the session waited 4.2s
        |    before 168,204
        |    after   24,310
        |    212 → 14 messages · summary by extraction, no model · oldest turns dropped · 1 result trimmed
        |    frees room, does not pay back · 19,870 tokens written to the cache
        |    1 name left: src/a.rs · the model can search for them
        |    its summary is short
        |    nothing is lost: /context diff shows what left · /undo --compaction reverts"#]]
    .assert_eq(&shown(&other, None, 100));
    other.receipt.pays_back_after = Some(0);
    assert!(shown(&other, None, 100).contains("pays back at once"));
}
