//! Lifetimes by provider.

use throughline_conversation::CacheTtl;
use throughline_providers::models::ModelTable;

use super::*;

fn set(provider: &str, model: &str, asked: Option<CacheLifetime>) -> Result<ModelRow, String> {
    let mut row = ModelTable::builtin().find(provider, model);
    set_cache_lifetime(&mut row, asked).map_err(|error| error.text())?;
    Ok(row)
}

#[test]
fn anthropic_offers_five_minutes_and_an_hour_which_costs_more_to_write() {
    for (asked, minutes, ttl, write) in [
        (None, 5, CacheTtl::FiveMinutes, 1.25),
        (Some(CacheLifetime::FiveMinutes), 5, CacheTtl::FiveMinutes, 1.25),
        (Some(CacheLifetime::Hour), 60, CacheTtl::OneHour, 2.0),
    ] {
        let info = set("anthropic", "claude-sonnet-4-5", asked).unwrap().info;
        assert_eq!((info.cache.idle_minutes(), info.cache.ttl()), (minutes, ttl), "{asked:?}");
        assert!((info.prices.cache_write - write).abs() < 1e-9, "{asked:?}: {:?}", info.prices);
    }
}

#[test]
fn without_a_choice_an_hour_is_asked_for_where_it_costs_no_more() {
    let mut row = ModelTable::builtin().find("anthropic", "claude-sonnet-4-5");
    row.info.prices.cache_write_hour = row.info.prices.cache_write;
    set_cache_lifetime(&mut row, None).unwrap();
    assert_eq!(row.info.cache.ttl(), CacheTtl::OneHour);
}

#[test]
fn another_lifetime_is_an_error_that_names_the_choices() {
    for (provider, model, asked, choices) in [
        ("anthropic", "claude-sonnet-4-5", CacheLifetime::HalfHour, "\"auto\", \"5m\", \"1h\""),
        ("openai", "gpt-6-sol", CacheLifetime::Hour, "\"auto\", \"30m\""),
        ("openai", "gpt-5.1", CacheLifetime::HalfHour, "\"auto\""),
        ("gemini", "gemini-3-pro", CacheLifetime::FiveMinutes, "\"auto\""),
    ] {
        let error = set(provider, model, Some(asked)).unwrap_err();
        assert!(error.contains(&format!("{provider}/{model}")), "{error}");
        assert!(error.ends_with(&format!("one of {choices}")), "{error}");
    }
    let row = set("openai", "gpt-6-sol", Some(CacheLifetime::HalfHour)).unwrap();
    assert_eq!((row.info.cache.idle_minutes(), row.info.cache.ttl()), (30, CacheTtl::FiveMinutes));
}
