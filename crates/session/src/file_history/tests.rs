//! Tests of which files a view shows.

use throughline_testkit::view;

use super::seen;

const SESSION: &str = r#"
user: go
assistant: now
  -> c1 read_file {"path":"a.rs"}
  -> c2 read_file {"path":"b.rs"}
  -> c3 grep {"path":"c.rs"}
  -> c4 write_file {"path":"d.rs"}
results:
  c1 = one
  c2 ! none
  c3 = x
  c4 = Created
assistant: more
  -> c5 edit_file {"path":"a.rs"}
  -> c6 read_file {}
results:
  c5 = Edited
  c6 = what
"#;

#[test]
fn the_newest_answer_counts_and_only_one_that_shows_the_file() {
    let view = view(SESSION);
    let seen: Vec<String> = seen(view.entries()).iter().map(|(path, seq)| format!("{path} {seq}")).collect();
    assert_eq!(seen, ["a.rs 5", "d.rs 3"]);
}
