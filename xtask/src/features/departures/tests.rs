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
fn a_number_in_the_middle_is_a_mention() {
    check("- As (S0-02) says, it is so.", &[]);
}
