//! Excerpts of edits in questions.

use serde_json::json;
use throughline_tui::EditExcerpt;

use super::changed;

fn excerpt(first_line: usize, old: &str, new: &str) -> EditExcerpt {
    EditExcerpt::new(first_line, old.to_owned(), new.to_owned())
}

#[test]
fn an_edit_is_shown_with_three_whole_lines_on_each_side() {
    let content = "1\n2\n3\n4\nfive = 5;\n6\n7\n8\n9\n";
    let input = json!({ "old_string": "= 5", "new_string": "= 50" });
    let expected = excerpt(2, "2\n3\n4\nfive = 5;\n6\n7\n8\n", "2\n3\n4\nfive = 50;\n6\n7\n8\n");
    assert_eq!(changed(content, "edit_file", &input), Some(expected));
}

#[test]
fn a_missing_text_has_no_place() {
    let input = json!({ "old_string": "x", "new_string": "y" });
    assert_eq!(changed("a\nb\n", "edit_file", &input), None);
    let two = json!({ "edits": [{ "old_string": "a", "new_string": "b" }, input] });
    assert_eq!(changed("a\n", "multi_edit", &two), None);
    assert_eq!(changed("a\n", "edit_file", &json!({ "old_string": "", "new_string": "y" })), None);
    let whole = changed("a\n", "edit_file", &json!({ "old_string": "a\n", "new_string": "" }));
    assert_eq!(whole, Some(excerpt(1, "a\n", "")));
}

#[test]
fn every_place_of_an_edit_is_in_its_excerpt() {
    let content = "a\n".repeat(200);
    let input = json!({ "old_string": "a", "new_string": "b", "replace_all": true });
    let expected = excerpt(1, &content, &"b\n".repeat(200)).in_places(200);
    assert_eq!(changed(&content, "edit_file", &input), Some(expected));
    let content = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    let input = json!({ "edits": [
        { "old_string": "5", "new_string": "five" },
        { "old_string": "five\n6", "new_string": "six" },
    ] });
    let expected = excerpt(2, "2\n3\n4\n5\n6\n7\n8\n9\n", "2\n3\n4\nsix\n7\n8\n9\n");
    assert_eq!(changed(content, "multi_edit", &input), Some(expected));
}

#[test]
fn a_file_that_is_written_again_is_compared_with_the_one_before() {
    let content: String = (0..200).map(|line| format!("{line}\n")).collect();
    let expected = excerpt(1, &content, "x\ny\nz\n");
    assert_eq!(changed(&content, "write_file", &json!({ "content": "x\ny\nz\n" })), Some(expected));
    let same = changed("a\n", "write_file", &json!({ "content": "a\n" }));
    assert_eq!(same, Some(excerpt(1, "a\n", "a\n")));
}
