//! What the next request will use, by its prediction and by what the last one was charged for.

use throughline_conversation::Usage;

/// A request that was answered: what was predicted for it, and what the provider reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AnsweredRequest {
    pub(crate) predicted: Usage,
    pub(crate) reported: Usage,
}

/// The usage of a request with this predicted input and this many tokens of output. `last` is the request before it, by the
/// same model.
///
/// A prediction at or above the last report has learnt from it and is used unchanged. One below it has not: some
/// providers charge for more than the prompt, such as the passes of their own tools. Then the report is the base. What
/// the request has grown by is added to it. If the request has shrunk, which only a compaction does by much, the report
/// shrinks in proportion.
///
/// Input is expected to be read from the cache as predicted, as far as the last prediction came true: a provider that read
/// half of what was expected is expected to read half again. It never reads more than it was charged for before. The rest
/// is written to the cache if the provider reports writes.
pub(crate) fn expected_usage(predicted: Usage, last: Option<AnsweredRequest>, output: u64) -> Usage {
    let Some(last) = last else { return Usage { output, ..predicted } };
    let prompt = expected_prompt(predicted.prompt(), last.predicted.prompt(), last.reported.prompt());
    let cache_read = if predicted.cache_read == 0 || last.predicted.cache_read == 0 {
        predicted.cache_read
    } else {
        in_proportion(last.reported.cache_read, predicted.cache_read, last.predicted.cache_read)
    };
    let cache_read = cache_read.min(last.reported.prompt()).min(prompt);
    let new = prompt - cache_read;
    let is_written =
        last.reported.cache_write > 0 || (predicted.cache_write > 0 && last.predicted.cache_write == 0);
    let input = if is_written { predicted.input.min(new) } else { new };
    Usage { input, cache_read, cache_write: new - input, output, searches: 0 }
}

/// Tokens of the prompt, by what is predicted now, what was predicted last, and what was reported then.
fn expected_prompt(predicted: u64, last_predicted: u64, last_reported: u64) -> u64 {
    if predicted >= last_reported {
        predicted
    } else if predicted >= last_predicted {
        last_reported.saturating_add(predicted - last_predicted)
    } else {
        predicted.max(in_proportion(last_reported, predicted, last_predicted))
    }
}

/// `whole` times `part` divided by `of`, which is not 0, rounded up.
fn in_proportion(whole: u64, part: u64, of: u64) -> u64 {
    let scaled = (u128::from(whole) * u128::from(part)).div_ceil(u128::from(of.max(1)));
    u64::try_from(scaled).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
