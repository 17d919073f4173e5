//! The engine as the owner of a loop uses it: through its public interface, without an agent.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests may fail")]

mod engine {
    mod blank;
    mod changes;
    mod cut_off;
    mod docs;
    mod harness;
    mod keys;
    mod lives;
    mod order;
    mod own_loop;
    mod scale;
    mod short_reports;
    mod summaries;
    mod switching;
    mod sync;
    mod tools;
}
