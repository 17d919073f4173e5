//! Recorded inputs are found again.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::{InputHistory, LARGEST, LONGEST, MAX_INPUTS};

fn inputs(data: &Path, workspace: &str) -> InputHistory {
    InputHistory::new(data, Path::new(workspace))
}

#[test]
fn each_workspace_has_its_own() {
    let data = tempfile::tempdir().unwrap();
    let (one, two) = (inputs(data.path(), "/one"), inputs(data.path(), "/two"));
    assert_eq!(one.earlier().unwrap(), Vec::<String>::new());
    for (inputs, text) in [(&one, "a\nb"), (&two, "c"), (&one, "/compact ü"), (&one, "/compact ü")] {
        inputs.record(text).unwrap();
    }
    assert_eq!(one.earlier().unwrap(), ["a\nb", "/compact ü"]);
    assert_eq!(two.earlier().unwrap(), ["c"]);
    let mode = fs::metadata(data.path().join("inputs.jsonl")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn inputs_of_a_session_follow_it_into_another_workspace() {
    let data = tempfile::tempdir().unwrap();
    let (one, two) = (inputs(data.path(), "/one"), inputs(data.path(), "/two"));
    for text in ["moves", "stays"] {
        one.record(text).unwrap();
    }
    one.hand_to(Path::new("/two"), &["moves\nwith a file".to_owned()]).unwrap();
    assert_eq!(
        (one.earlier().unwrap(), two.earlier().unwrap()),
        (vec!["stays".to_owned()], vec!["moves".to_owned()])
    );
}

#[test]
fn a_line_that_was_cut_off_costs_only_itself() {
    let data = tempfile::tempdir().unwrap();
    let inputs = inputs(data.path(), "/one");
    inputs.record("before").unwrap();
    let file = data.path().join("inputs.jsonl");
    let mut text = fs::read(&file).unwrap();
    text.extend(b"{\"workspace\":\"/one\",\"te\xff");
    fs::write(&file, text).unwrap();
    inputs.record("after").unwrap();
    assert_eq!(inputs.earlier().unwrap(), ["before", "after"]);
}

#[test]
fn a_pasted_login_code_is_not_recorded() {
    let data = tempfile::tempdir().unwrap();
    let inputs = inputs(data.path(), "/one");
    for text in
        ["/mcp login docs", "/mcp login docs http://127.0.0.1:4711/?code=c&state=s", "/mcp list all of it"]
    {
        inputs.record(text).unwrap();
    }
    assert_eq!(inputs.earlier().unwrap(), ["/mcp login docs", "/mcp list all of it"]);
}

#[test]
fn the_file_stays_small_and_the_newest_stay_in_it() {
    let data = tempfile::tempdir().unwrap();
    let inputs = inputs(data.path(), "/one");
    inputs.record(&"x".repeat(LONGEST + 1)).unwrap();
    assert_eq!(inputs.earlier().unwrap(), Vec::<String>::new(), "a pasted text is not recorded");
    let long = "ü".repeat(LONGEST / 2 - 8);
    let file = data.path().join("inputs.jsonl");
    let mut largest = 0;
    for number in 0..400 {
        inputs.record(&format!("{number} {long}")).unwrap();
        largest = largest.max(fs::metadata(&file).unwrap().len());
    }
    assert!(largest <= LARGEST + 2 * LONGEST as u64, "{largest}");
    let newest = inputs.earlier().unwrap();
    let numbers: Vec<&str> = newest.iter().filter_map(|text| text.split(' ').next()).collect();
    let first: usize = numbers.first().unwrap().parse().unwrap();
    let expected: Vec<String> = (first..400).map(|number| number.to_string()).collect();
    assert_eq!(numbers, expected, "they are in order, without a gap");
    assert!(numbers.len() > 30);
    fs::remove_file(&file).unwrap();
    for number in 0..MAX_INPUTS + 5 {
        inputs.record(&number.to_string()).unwrap();
    }
    let newest = inputs.earlier().unwrap();
    assert_eq!((newest.len(), newest.first().unwrap().as_str()), (MAX_INPUTS, "5"));
}

#[test]
fn a_folder_instead_of_the_file_is_an_error_that_names_it() {
    let data = tempfile::tempdir().unwrap();
    fs::create_dir(data.path().join("inputs.jsonl")).unwrap();
    let inputs = inputs(data.path(), "/one");
    for error in [inputs.record("a").unwrap_err(), inputs.earlier().unwrap_err()] {
        assert!(error.to_string().contains("inputs.jsonl"), "{error}");
    }
}

#[test]
fn inputs_of_a_deleted_message_are_removed_from_their_workspace() {
    let data = tempfile::tempdir().unwrap();
    let (one, two) = (inputs(data.path(), "/one"), inputs(data.path(), "/two"));
    for (inputs, text) in [(&one, "the code"), (&one, "the code is heron"), (&one, "look"), (&two, "look")] {
        inputs.record(text).unwrap();
    }
    one.remove(&["the code is heron\n[file a.rs]".to_owned(), "look".to_owned()]).unwrap();
    assert_eq!(one.earlier().unwrap(), ["the code"]);
    assert_eq!(two.earlier().unwrap(), ["look"]);
    inputs(&data.path().join("missing"), "/one").remove(&["look".to_owned()]).unwrap();
}
