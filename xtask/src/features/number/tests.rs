//! The one form of a number.

use super::Number;

#[test]
fn a_number_prints_in_the_form_it_is_written_in() {
    for word in ["S0-01", "S4-28"] {
        assert_eq!(Number::parse(word).unwrap().to_string(), word);
    }
}

#[test]
fn other_forms_are_not_numbers() {
    for word in
        ["S3-9", "s3-09", "S3-009", "S33-09", "S3_09", "S3-09,", "S3-", "S", "", "S3-+9", "S3-09..S3-11"]
    {
        assert_eq!(Number::parse(word), None, "{word}");
    }
}
