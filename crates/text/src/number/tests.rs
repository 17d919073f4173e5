//! Grouping, with its law.

use proptest::prelude::*;

use super::{counted, group_thousands, scale_part, whole_numbers};

// S3-09
#[test]
fn thousands_are_set_apart() {
    let shown = [0, 7, 999, 1_000, 48_231, 100_000, 1_234_567, u64::MAX].map(group_thousands);
    let expected = ["0", "7", "999", "1,000", "48,231", "100,000", "1,234,567", "18,446,744,073,709,551,615"];
    assert_eq!(shown, expected);
}

#[test]
fn a_count_agrees_with_what_it_counts() {
    let shown = [(0, "line"), (1, "line"), (2, "match"), (2, "entry"), (2, "day"), (1_200, "token")]
        .map(|(number, thing)| counted(number, thing));
    assert_eq!(shown, ["0 lines", "1 line", "2 matches", "2 entries", "2 days", "1,200 tokens"]);
}

proptest! {
    #[test]
    fn scaled_parts_add_up_to_no_more_than_the_whole(
        parts in prop::collection::vec(0..1_000_000_u64, 1..9), more in 0..9_u64, shown: u32,
    ) {
        let whole = parts.iter().sum::<u64>() + more;
        let shown = u64::from(shown);
        let sum: u64 = parts.iter().map(|part| scale_part(*part, whole, shown)).sum();
        prop_assert!(sum <= shown, "{sum} of {shown}");
    }

    #[test]
    fn grouping_adds_only_commas(number: u64) {
        let grouped = group_thousands(number);
        prop_assert_eq!(grouped.replace(',', "").parse::<u64>(), Ok(number));
        let parts: Vec<&str> = grouped.split(',').collect();
        prop_assert!((1..=3).contains(&parts[0].len()));
        prop_assert!(parts[1..].iter().all(|part| part.len() == 3));
    }
}

#[test]
fn numbers_of_a_text() {
    assert_eq!(
        whole_numbers("12,844 tokens > 8_192. (gpt-4, 1.5 of [1, 98304])"),
        [12_844, 8_192, 1, 98_304]
    );
}
