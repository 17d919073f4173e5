//! Items with numbers, and items without.

use super::of;

#[track_caller]
fn check(page: &str, expect: &[(&str, &str)]) {
    let found: Vec<(String, String)> =
        of(page).into_iter().map(|(number, reason)| (number.to_string(), reason)).collect();
    let expect: Vec<(String, String)> =
        expect.iter().map(|(number, reason)| ((*number).to_owned(), (*reason).to_owned())).collect();
    assert_eq!(found, expect);
}

#[test]
fn an_item_names_its_numbers_at_its_end() {
    check(
        "# P\n\n- *Both sides count it.* Else a loop\n  begins (S0-06, S0-02).\n- no number (S1).\n\ntext (S1-01).\n",
        &[("S0-02", "Both sides count it"), ("S0-06", "Both sides count it")],
    );
}

#[test]
fn each_sentence_of_an_item_may_have_its_numbers() {
    check(
        "- *It counts* (see S1) once (S0-19). The line\n  has per cent (S0-22); and more (S0-30).",
        &[("S0-19", "It counts (see S1) once"), ("S0-22", "The line has per cent"), ("S0-30", "and more")],
    );
}

#[test]
fn a_number_in_the_middle_is_a_mention() {
    check("- As (S0-02) says, it is so.", &[]);
}
