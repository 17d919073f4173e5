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
    let new = "assistant: A report.\n  -> c4 write_file {\"path\":\"report.md\",\"content\":\"bad\"}\n\
               results:\n  c4 = ok\n";
    let text = format!("{TWO_READ}{again}{new}");
    assert_eq!(count(&text, 50), 2);
    assert_eq!(count(&text, 2), 1, "only b.rs was read by one of the two newest messages");
}

#[test]
fn reading_for_long_without_a_change_is_no_preparation_of_one() {
    let look = |number: usize| {
        format!(
            "assistant: Next.\n  -> d{number} read_file {{\"path\":\"more_{number}.rs\"}}\nresults:\n  d{number} = text\n"
        )
    };
    let more = |steps: usize| (0..steps).map(look).collect::<String>();
    assert_eq!(count(&format!("{TWO_READ}{}", more(9)), 10), 11);
    assert_eq!(count(&format!("{TWO_READ}{}", more(10)), 10), 0);
    let edit = "assistant: A fix.\n  -> c3 edit_file {\"path\":\"a.rs\",\"old_string\":\"one\",\"new_string\":\"1\"}\n\
                results:\n  c3 = ok\n";
    assert_eq!(count(&format!("{TWO_READ}{}{edit}", more(10)), 10), 9, "a change begins the work");
}
