//! Excerpts of edits in questions.

use serde_json::json;
use throughline_tui::EditExcerpt;

use super::edited;

#[test]
fn an_edit_is_shown_with_three_whole_lines_on_each_side() {
    let content = "1\n2\n3\n4\nfive = 5;\n6\n7\n8\n9\n";
    let input = json!({ "old_string": "= 5", "new_string": "= 50" });
    let EditExcerpt { first_line, old, new } = edited(content, &input).unwrap();
    assert_eq!((first_line, old.as_str()), (2, "2\n3\n4\nfive = 5;\n6\n7\n8"));
    assert_eq!(new, "2\n3\n4\nfive = 50;\n6\n7\n8");
}

#[test]
fn a_missing_text_has_no_place() {
    let input = json!({ "old_string": "x", "new_string": "y" });
    assert_eq!(edited("a\nb\n", &input), None);
    assert_eq!(edited("a\n", &json!({ "old_string": "", "new_string": "y" })), None);
    let whole = edited("a\n", &json!({ "old_string": "a\n", "new_string": "" })).unwrap();
    assert_eq!((whole.first_line, whole.old.as_str(), whole.new.as_str()), (1, "a\n", ""));
}
