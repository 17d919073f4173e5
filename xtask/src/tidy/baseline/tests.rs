//! Reading, lowering and writing the counts.

use std::collections::BTreeMap;

use super::Baseline;

const TEXT: &str = "# a comment\n\ndialect agent 5\ndialect cli 7\nlong cli 1\n";

#[test]
fn a_crate_without_a_row_may_have_none() {
    let baseline = Baseline::parse(TEXT).unwrap();
    assert_eq!((baseline.limit("dialect", "agent"), baseline.limit("dialect", "tui")), (5, 0));
    assert_eq!((baseline.total("dialect"), baseline.total("other")), (12, 0));
}

#[test]
fn counts_are_lowered_and_never_raised() {
    let mut baseline = Baseline::parse(TEXT).unwrap();
    baseline.lower("dialect", &BTreeMap::from([("agent", 9), ("cli", 3), ("tui", 4)]));
    baseline.lower("long", &BTreeMap::new());
    let rows: Vec<_> = baseline.text().lines().skip(1).map(str::to_owned).collect();
    assert_eq!(rows, ["dialect agent 5", "dialect cli 3"]);
}

#[test]
fn what_is_written_is_read_again() {
    let baseline = Baseline::parse(TEXT).unwrap();
    assert_eq!(Baseline::parse(&baseline.text()).unwrap(), baseline);
}

#[test]
fn a_row_of_another_form_is_an_error() {
    for row in ["dialect agent", "dialect agent many", "dialect agent 5 6"] {
        let error = Baseline::parse(row).unwrap_err().to_string();
        assert_eq!(error, format!("xtask/src/tidy/baseline.txt: `{row}` is not `rule crate count`"));
    }
}
