//! From an entry to an answer, for the provider that is asked.

use throughline_completion::{CacheRules, ModelInfo, Prices};
use throughline_text::group_thousands;
use throughline_wire::anthropic::ThinkingForm;

use super::entry::{DollarPrices, TableEntry};
use super::name;
use super::row::{Api, Known, ModelRow, Tokenizer};
use super::search_price::SearchPrice;
use super::table::TableMatch;

/// How to set other figures.
const OVERRIDE: &str = "set others in a [[model]] entry of your models.toml";

/// The kind of provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProviderKind {
    Anthropic,
    OpenAi,
    Gemini,
    Ollama,
    /// Any server that speaks OpenAI's protocol.
    Compatible,
}

impl ProviderKind {
    fn of(provider: &str) -> Self {
        match provider {
            "anthropic" => Self::Anthropic,
            "openai" => Self::OpenAi,
            "gemini" => Self::Gemini,
            "ollama" => Self::Ollama,
            _ => Self::Compatible,
        }
    }

    /// Window and output of a model that nothing is known of: what even small models of the provider have.
    fn limits(self) -> (u64, u64) {
        match self {
            Self::Anthropic => (200_000, 8_192),
            Self::OpenAi => (128_000, 16_384),
            Self::Gemini => (1_048_576, 8_192),
            // A larger window takes memory on the user's own machine, so it has to be asked for.
            Self::Ollama => (8_192, 2_048),
            Self::Compatible => (32_768, 4_096),
        }
    }

    fn cache(self) -> CacheRules {
        match self {
            Self::Anthropic => CacheRules::anthropic(),
            _ => CacheRules::automatic(),
        }
    }

    fn prices(self) -> Prices {
        match self {
            Self::Anthropic => Prices::anthropic(),
            // Both read the cache for a tenth and write it for nothing more.
            _ => Prices::openai(),
        }
    }

    fn api(self) -> Option<Api> {
        match self {
            Self::Anthropic | Self::Gemini | Self::Ollama => None,
            Self::OpenAi => Some(Api::Responses),
            Self::Compatible => Some(Api::Chat),
        }
    }
}

/// The answer for a model, whether an entry was found or not.
pub(super) fn row(
    found: Option<TableMatch<'_>>,
    searches: Option<&SearchPrice>,
    provider: &str,
    model: &str,
) -> ModelRow {
    let mut row = found_row(found, provider, model);
    row.info.web_search = searches.is_some_and(|searches| searches.offered);
    row.dollars_per_search = searches.map(SearchPrice::dollars_per_search);
    row.search_source = searches.map(|searches| searches.source().to_owned());
    row
}

fn found_row(found: Option<TableMatch<'_>>, provider: &str, model: &str) -> ModelRow {
    let kind = ProviderKind::of(&name::provider(provider));
    let Some(found) = found else { return unknown(kind, provider, model) };
    let entry = found.entry;
    let own = entry.provider.is_none() || entry.provider == Some(name::provider(provider));
    let priced = own && !found.family;
    // What the file says of one model is no word about its relatives, unless it says who serves them.
    let window_said = own && entry.window_said && (!found.family || entry.family || entry.provider.is_some());
    let (window, max_output, cut) = limits(kind, entry, own && entry.provider.is_some() || window_said);
    // Behind a gateway Claude has the rules of its maker, and caches nothing without a marker.
    let is_claude = kind == ProviderKind::Compatible && entry.provider.as_deref() == Some("anthropic");
    let rules = if is_claude { ProviderKind::Anthropic } else { kind };
    let marked = kind == ProviderKind::OpenAi && entry.cache_breakpoints;
    let (mut cache, prices) = match marked {
        true => (CacheRules::openai_marked(), Prices::openai_marked()),
        false => (rules.cache(), rules.prices()),
    };
    if let Some(min_tokens) = entry.min_cached.filter(|_| own || is_claude) {
        cache.min_tokens = min_tokens;
    }
    let assumed = found.family.then(|| assumption(model, found));
    let said = entry.note.clone().filter(|_| priced);
    let notes: Vec<String> = [assumed, cut, said].into_iter().flatten().collect();
    ModelRow {
        info: ModelInfo {
            provider: provider.to_owned(),
            cache,
            prices: Prices {
                long: entry.long_prompt.filter(|_| priced),
                ..entry.dollars.filter(|_| !found.family).map_or(prices, |dollars| multiples(dollars, prices))
            },
            ..ModelInfo::with_window(model, window, max_output)
        },
        window_said,
        known: if found.family { Known::Family(found.by.to_owned()) } else { Known::Exact },
        tokenizer: entry.tokenizer,
        api: entry.api.filter(|_| own && kind.api().is_some()).or(kind.api()),
        thinking: entry.thinking,
        thinking_form: entry.thinking_form,
        // A newer model may be bound where its family is not, and refuses a changed conversation then.
        bound_thinking: entry.bound_thinking
            || found.family && entry.thinking_form == Some(ThinkingForm::Adaptive),
        cache_diagnostics: entry.cache_diagnostics,
        cache_breakpoints: marked,
        thinking_back: entry.thinking_back,
        images: entry.images,
        dollars_per_million_input: if name::is_free(model) {
            Some(0.0)
        } else {
            entry.dollars.filter(|_| priced).map(|dollars| dollars.input)
        },
        dollars_per_search: None,
        search_source: None,
        note: (!notes.is_empty()).then(|| notes.join("; ")),
        source: entry.source.clone(),
    }
}

/// What is taken for true of a model that the table has only a relative of.
fn assumption(model: &str, found: TableMatch<'_>) -> String {
    format!(
        "Unknown model {model:?}: assuming the window of {} tokens and the limits of {}, and no price",
        group_thousands(found.entry.usable()),
        found.by
    )
}

/// Window, output, and a note where they are less than the model's own. Ollama gives a model the window that it
/// is asked for; only an entry for Ollama, or the user's own for the model, says that the machine has `room` for more
/// than the default.
fn limits(kind: ProviderKind, entry: &TableEntry, room: bool) -> (u64, u64, Option<String>) {
    let usable = entry.usable();
    let (window, max_output) = kind.limits();
    if kind != ProviderKind::Ollama || room || usable <= window {
        return (usable, entry.max_output, None);
    }
    let note = format!(
        "only {} of the model's window of {} tokens are requested; {OVERRIDE}, with provider = \"ollama\"",
        group_thousands(window),
        group_thousands(usable)
    );
    (window, entry.max_output.min(max_output), Some(note))
}

/// Prices as multiples of that of input. A provider's rule fills in what the entry leaves out.
fn multiples(dollars: DollarPrices, rule: Prices) -> Prices {
    let multiple = |price: Option<f64>| price.map(|price| price / dollars.input);
    let cache_write = multiple(dollars.cache_write).unwrap_or(rule.cache_write);
    Prices {
        cache_read: multiple(dollars.cache_read).unwrap_or(rule.cache_read),
        cache_write,
        cache_write_hour: multiple(dollars.cache_write_hour)
            .unwrap_or(rule.cache_write_hour.max(cache_write)),
        output: dollars.output / dollars.input,
        long: rule.long,
    }
}

fn unknown(kind: ProviderKind, provider: &str, model: &str) -> ModelRow {
    let (window, max_output) = kind.limits();
    let note = format!(
        "Unknown model {model:?}: assuming a window of {} tokens and answers of up to {}",
        group_thousands(window),
        group_thousands(max_output)
    );
    ModelRow {
        info: ModelInfo {
            name: model.to_owned(),
            provider: provider.to_owned(),
            window,
            max_output,
            cache: kind.cache(),
            prices: kind.prices(),
            web_search: false,
            thinking: None,
        },
        window_said: false,
        known: Known::Default,
        tokenizer: Tokenizer::Estimate,
        api: kind.api(),
        thinking: false,
        thinking_form: None,
        bound_thinking: false,
        cache_diagnostics: false,
        cache_breakpoints: false,
        thinking_back: None,
        images: false,
        dollars_per_million_input: name::is_free(model).then_some(0.0),
        dollars_per_search: None,
        search_source: None,
        note: Some(note),
        source: None,
    }
}
