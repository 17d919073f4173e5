//! Variables in a text.

use super::split_at_variables;

#[test]
fn a_variable_is_a_whole_name() {
    let split = |text| {
        split_at_variables(text)
            .into_iter()
            .map(|(text, name)| format!("{text}|{}", name.unwrap_or_default()))
            .collect::<Vec<_>>()
    };
    assert_eq!(split("Bearer $KEY"), ["Bearer |KEY", "|"]);
    assert_eq!(split("${A}$AB-${"), ["|A", "|AB", "-${|"]);
    assert_eq!(split("5$ ${B ä$"), ["5$ ${B ä$|"]);
    assert_eq!(split("$$A$"), ["$|A", "$|"]);
    assert_eq!(split(""), ["|"]);
}
