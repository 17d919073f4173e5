//! Policies and estimators as command line values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use throughline::Policy;
use throughline_audit::{Economy, Estimator, SummaryStyle};

/// Parses the name of a policy.
pub(crate) fn policy_parser() -> impl TypedValueParser<Value = Policy> {
    let values = Policy::ALL.map(|policy| PossibleValue::new(policy.name()).help(policy.summary()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Policy>())
}

/// Parses a setting of the dial.
pub(crate) fn economy_parser() -> impl TypedValueParser<Value = Economy> {
    let values = Economy::ALL.map(|economy| PossibleValue::new(economy.name()).help(economy.summary()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Economy>())
}

/// Parses a style of summaries.
pub(crate) fn summary_parser() -> impl TypedValueParser<Value = SummaryStyle> {
    let values = SummaryStyle::ALL.map(|style| PossibleValue::new(style.name()).help(style.summary()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<SummaryStyle>())
}

/// Parses the name of an estimator.
pub(crate) fn estimator_parser() -> impl TypedValueParser<Value = Estimator> {
    let values =
        Estimator::ALL.map(|estimator| PossibleValue::new(estimator.name()).help(estimator.summary()));
    PossibleValuesParser::new(values).try_map(|name| name.parse::<Estimator>())
}
