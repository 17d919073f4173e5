//! Facts in a summary, in a context, and in neither.

use super::FactFates;
use crate::compactions::{Delivery, ForeignCompaction};

#[test]
fn each_fact_is_kept_restored_or_only_stored() {
    let compaction = ForeignCompaction {
        delivery: Delivery::Delivered,
        summary: "They changed parser.rs; next: Add a\n test.".to_owned(),
        context: "Pending: add a test\nRelevant files: src/lexer.rs".to_owned(),
    };
    let facts = ["src/parser.rs", "add a test", "src/lexer.rs", "cargo test -p lexer"].map(str::to_owned);
    let fates = FactFates::of(&compaction, &facts);
    assert_eq!(fates.kept, ["src/parser.rs", "add a test"]);
    assert_eq!((fates.restored.as_slice(), fates.stored.as_slice()), (&facts[2..3], &facts[3..]));
    assert_eq!((fates.lost_by_agent(), fates.lost_in_context()), (50, 25));
    assert_eq!(FactFates::of(&compaction, &[]).lost_by_agent(), 0);
}
