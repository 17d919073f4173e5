//! Numbers of groups, rows and compactions as people type them. A bad one is an error, never "everything".

use throughline_conversation::ExchangeId;

/// How many rows a list has: from 1 on.
pub(crate) fn parse_count(text: &str) -> Result<u64, String> {
    whole(text, 1, "say how many groups to list: a whole number from 1 on")
}

/// The number of a group: from 1 on.
pub(crate) fn parse_group(text: &str) -> Result<ExchangeId, String> {
    let means = "a group has a number from 1 on, as `throughline messages list` shows it";
    whole(text, 1, means).map(ExchangeId)
}

/// How many of the newest groups are shown; 0 means all of them.
pub(crate) fn parse_window(text: &str) -> Result<u32, String> {
    let means =
        "say how many of the newest groups are shown: a whole number from 1 to 4294967295, or 0 for all";
    let number = whole(text, 0, means)?;
    u32::try_from(number).map_err(|_| format!("{text:?} is too large; {means}"))
}

/// The number of a compaction: from 1 on.
pub(crate) fn parse_compaction(text: &str) -> Result<u64, String> {
    whole(text, 1, "compactions are counted from 1, the oldest")
}

/// The number of a checkpoint: from 1 on.
pub(crate) fn parse_checkpoint(text: &str) -> Result<u64, String> {
    whole(text, 1, "checkpoints are counted from 1, the oldest")
}

/// The number of a rule, as `/permissions` lists it: from 1 on.
pub(crate) fn parse_rule(text: &str) -> Result<u64, String> {
    whole(text, 1, "give the number of a rule, as /permissions lists it")
}

fn whole(text: &str, least: u64, means: &str) -> Result<u64, String> {
    // `+5` and `５` are numbers to some parsers; here a number is digits.
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { text.parse().ok() } else { None };
    number.filter(|number| *number >= least).ok_or_else(|| format!("{text:?} does not fit; {means}"))
}

#[cfg(test)]
mod tests {
    use super::{parse_compaction, parse_count, parse_group, parse_window};

    // F-35
    #[test]
    fn a_bad_number_is_an_error_that_says_what_it_may_be() {
        for bad in ["", "0", "-1", "+5", "five", "3.5", "1e3", " 7", "٣", "99999999999999999999999"] {
            let error = parse_count(bad).unwrap_err();
            assert!(error.contains("from 1 on"), "{bad}: {error}");
            assert!(parse_group(bad).unwrap_err().contains("from 1 on"), "{bad}");
            assert!(parse_compaction(bad).unwrap_err().contains("from 1"), "{bad}");
        }
        for bad in ["", "-1", "all", "none", "0x5", "4294967296", "99999999999999999999999"] {
            let error = parse_window(bad).unwrap_err();
            assert!(error.contains("or 0 for all"), "{bad}: {error}");
        }
    }

    #[test]
    fn a_good_number_is_taken() {
        assert_eq!(parse_count("20"), Ok(20));
        assert_eq!(parse_group("3").map(|group| group.0), Ok(3));
        assert_eq!((parse_window("0"), parse_window("4294967295")), (Ok(0), Ok(u32::MAX)));
        assert_eq!(parse_compaction("007"), Ok(7));
    }
}
