//! Files that were read and not changed.

use throughline_testkit::view;

use super::unchanged_reads;

fn count(text: &str, within: usize) -> u64 {
    unchanged_reads(view(text).entries(), within)
}

const TWO_READ: &str = "user: go\nassistant: I look.\n  -> c1 read_file {\"path\":\"a.rs\"}\n  \
                        -> c2 read_file {\"path\":\"b.rs\"}\nresults:\n  c1 = one\n  c2 = two\n";

#[test]
fn a_file_counts_until_it_is_changed() {
    assert_eq!(count(TWO_READ, 50), 2);
    let edit = "assistant: A fix.\n  -> c3 edit_file {\"path\":\"a.rs\",\"old_string\":\"one\",\"new_string\":\"1\"}\n\
                results:\n  c3 = ok\n";
    assert_eq!(count(&format!("{TWO_READ}{edit}"), 50), 1);
    let new = "assistant: A report.\n  -> c3 write_file {\"path\":\"report.md\",\"content\":\"bad\"}\n\
               results:\n  c3 = ok\n";
    assert_eq!(
        count(&format!("{TWO_READ}{new}"), 50),
        2,
        "a file that was not read is no work on those that were"
    );
}

#[test]
fn a_file_counts_once_and_only_while_it_was_read_lately() {
    let again = "assistant: Once more.\n  -> c3 read_file {\"path\":\"b.rs\"}\nresults:\n  c3 = two\n";
    let text = format!("{TWO_READ}{again}");
    assert_eq!(count(&text, 50), 2);
    assert_eq!(count(&text, 1), 1, "only b.rs was read by the newest message");
}
