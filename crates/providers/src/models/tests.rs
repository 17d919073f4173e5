//! The table through its public interface.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use proptest::prelude::*;
use throughline_completion::{CacheRules, Prices};
use throughline_conversation::{LongPrompt, Usage};

use super::{Api, Known, ModelRow, ModelTable, TableError, Tokenizer};
use throughline_wire::anthropic::ThinkingForm;
use throughline_wire::openai::ThinkingBack;

fn find(provider: &str, model: &str) -> ModelRow {
    ModelTable::builtin().find(provider, model)
}

fn limits(provider: &str, model: &str) -> (u64, u64, Known) {
    let row = find(provider, model);
    (row.info.window, row.info.max_output, row.known)
}

fn family(name: &str) -> Known {
    Known::Family(name.to_owned())
}

/// A user's file that lives as long as the test.
struct File {
    folder: PathBuf,
    path: PathBuf,
}

impl File {
    fn new(test: &str, text: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("throughline-models-{}-{test}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("models.toml");
        fs::write(&path, text).unwrap();
        Self { folder, path }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.folder).unwrap();
    }
}

fn with(test: &str, text: &str) -> ModelTable {
    ModelTable::with_overrides(&File::new(test, text).path).unwrap()
}

fn check_error(test: &str, text: &str, expected: &Expect) {
    let file = File::new(test, text);
    let error = ModelTable::with_overrides(&file.path).unwrap_err();
    assert!(matches!(error, TableError::Entry { .. }), "{error:?}");
    expected.assert_eq(&error.to_string().replace(&file.folder.display().to_string(), "FOLDER"));
}

#[test]
fn a_model_is_found_by_its_name_an_alias_and_its_dated_forms() {
    for name in [
        "claude-opus-4-5",
        "claude-opus-4-5-20251101",
        "claude-opus-4-5-latest",
        "claude-opus-4-5@20251101",
        "claude-opus-4.5",
        "Claude-Opus-4.5",
        "anthropic/claude-opus-4.5",
        "openrouter/anthropic/claude-opus-4-5:thinking",
    ] {
        assert_eq!(limits("anthropic", name), (200_000, 64_000, Known::Exact), "{name}");
    }
    assert_eq!(find("anthropic", "claude-sonnet-4-20250514").known, Known::Exact);
    assert_eq!(find("anthropic", "claude-sonnet-4-0").info.window, 200_000);
    assert_eq!(limits("openai", "gpt-4o-2024-08-06"), (128_000, 16_384, Known::Exact));
    assert_eq!(limits("openai", "chatgpt-4o-latest"), (128_000, 16_384, Known::Exact));
    assert_eq!(limits("vllm", "Qwen/Qwen3-Coder-480B-A35B-Instruct"), (262_144, 65_536, Known::Exact));
    assert_eq!(limits("vllm", "openai/gpt-oss-120b"), (131_072, 32_768, Known::Exact));
}

#[test]
fn a_name_is_not_taken_for_a_model_that_it_only_begins_like() {
    // Each is nearer to a model that is not its prefix by letters.
    assert_eq!(limits("openai", "gpt-4o"), (128_000, 16_384, Known::Exact));
    assert_eq!(limits("openai", "gpt-4"), (8_192, 4_096, Known::Exact));
    assert_eq!(limits("openai", "o3x"), (128_000, 16_384, Known::Default));
    assert_eq!(limits("openai", "gpt-4-turbo-2024-04-09"), (128_000, 4_096, Known::Exact));
    assert_eq!(limits("openai", "gpt-4-0613").2, Known::Exact);
    assert_eq!(limits("openai", "gpt-4-1106-preview"), (8_192, 4_096, family("gpt-4")));
}

#[test]
fn an_unknown_member_has_the_figures_of_the_longest_family() {
    assert_eq!(
        limits("anthropic", "claude-sonnet-4-9-20271231"),
        (200_000, 64_000, family("claude-sonnet-4"))
    );
    assert_eq!(limits("anthropic", "claude-legend-9"), (200_000, 8_192, family("claude")));
    assert_eq!(limits("openai", "gpt-5.9-ultra"), (272_000, 128_000, family("gpt-5")));
    assert_eq!(limits("openai", "gpt-5.1-codex-ultra"), (272_000, 128_000, family("gpt-5.1-codex")));
    assert_eq!(limits("openai", "o4-mini-deep-research"), (200_000, 100_000, family("o4-mini")));
    assert_eq!(limits("lmstudio", "qwen3-4b-instruct"), (32_768, 8_192, family("qwen3")));
    assert_eq!(
        limits("together", "meta-llama/Meta-Llama-3.1-8B-Instruct-Turbo"),
        (128_000, 4_096, family("meta-llama-3.1"))
    );
    for tuned in ["ft:gpt-4o-mini-2024-07-18:org::id", "ft:gpt-4o-mini:org"] {
        assert_eq!(limits("openai", tuned), (128_000, 16_384, family("gpt-4o-mini")), "{tuned}");
    }
    let row = find("openai", "gpt-5.9-ultra");
    // The kind of model is likely the same, the price is not.
    assert_eq!(
        (row.tokenizer, row.api, row.dollars_per_million_input),
        (Tokenizer::O200k, Some(Api::Responses), None)
    );
    expect![[r#"
        Unknown model "gpt-5.9-ultra": assuming the window of 272,000 tokens and the limits of gpt-5, and no price"#]]
    .assert_eq(&row.note.unwrap());
}

#[test]
fn the_form_of_thinking_is_that_of_the_model() {
    use ThinkingForm::{Adaptive, Budget, Either};
    let form = |model| find("anthropic", model).thinking_form;
    for (model, expected) in [
        ("claude-sonnet-4-5", Some(Budget)),
        ("claude-haiku-4-5-20251001", Some(Budget)),
        ("claude-opus-4-6", Some(Either)),
        ("claude-opus-4-7", Some(Adaptive)),
        ("claude-opus-4-8", Some(Adaptive)),
        ("claude-opus-5", Some(Adaptive)),
        ("claude-sonnet-5", Some(Adaptive)),
        ("claude-fable-5", Some(Adaptive)),
        // What is newer than the table is like the newest.
        ("claude-fable-5-2", Some(Adaptive)),
        ("claude-legend-9", Some(Adaptive)),
        // Another vendor behind the same API.
        ("kimi-k9", None),
    ] {
        assert_eq!(form(model), expected, "{model}");
    }
    let bound = |model| find("anthropic", model).bound_thinking;
    assert!(bound("claude-fable-5-1") && bound("claude-haiku-5-5") && bound("claude-opus-5.5"));
    assert!(!bound("claude-opus-5") && !bound("claude-fable-5") && !bound("kimi-k9"));
    let own = with("form", "[[model]]\nname = \"claude-opus-5\"\nthinking_form = \"budget\"\n");
    let row = own.find("anthropic", "claude-opus-5");
    assert_eq!((row.thinking_form, row.info.window), (Some(Budget), 1_000_000));
    assert_eq!(own.find("anthropic", "claude-sonnet-5").thinking_form, Some(Adaptive));
}

#[test]
fn an_unknown_model_has_the_safe_default_of_its_provider() {
    for (provider, window, max_output, api) in [
        ("anthropic", 200_000, 8_192, None),
        ("openai", 128_000, 16_384, Some(Api::Responses)),
        ("ollama", 8_192, 2_048, None),
        ("my-server", 32_768, 4_096, Some(Api::Chat)),
        ("", 32_768, 4_096, Some(Api::Chat)),
    ] {
        let row = find(provider, "house-special");
        assert_eq!((row.info.window, row.info.max_output, row.api), (window, max_output, api), "{provider}");
        assert_eq!((row.known, row.tokenizer), (Known::Default, Tokenizer::Estimate));
        assert_eq!((row.info.name.as_str(), row.info.provider.as_str()), ("house-special", provider));
    }
    expect![[
        r#"Unknown model "house-special": assuming a window of 32,768 tokens and answers of up to 4,096"#
    ]]
    .assert_eq(&find("my-server", "house-special").note.unwrap());
}

#[test]
fn the_window_is_no_more_than_the_input_that_a_model_takes() {
    // 400,000 tokens of input and output, but 272,000 of input.
    assert_eq!(limits("openai", "gpt-5"), (272_000, 128_000, Known::Exact));
    assert_eq!(limits("openai", "gpt-6-sol"), (922_000, 128_000, Known::Exact));
}

#[test]
fn the_shortest_cached_prefix_is_that_of_the_model() {
    let min = |provider, model| find(provider, model).info.cache.min_tokens;
    for (model, tokens) in [
        ("claude-opus-5", 512),
        ("claude-sonnet-4-5", 1_024),
        ("claude-opus-4-7", 2_048),
        ("claude-haiku-4-5", 4_096),
        ("claude-unheard-of", 4_096),
    ] {
        assert_eq!(min("anthropic", model), tokens, "{model}");
    }
    assert_eq!(min("openai", "gpt-5"), 1_024);
    let markers = |provider| find(provider, "anthropic/claude-opus-5").info.cache;
    assert_eq!((markers("anthropic").max_breakpoints, markers("anthropic").min_tokens), (4, 512));
    // A gateway passes the markers on; other models of its own take none.
    assert_eq!((markers("openrouter").max_breakpoints, markers("openrouter").min_tokens), (4, 512));
    assert_eq!(find("openrouter", "openai/gpt-5").info.cache.max_breakpoints, 0);
}

#[test]
fn gemini_caches_by_itself_from_a_minimum_that_depends_on_the_model() {
    for (model, least) in [
        ("gemini-2.5-flash-lite", 2_048),
        ("gemini-2.5-flash", 2_048),
        ("gemini-2.5-pro", 4_096),
        ("gemini-3-pro", 4_096),
        ("gemini-3.5-flash", 4_096),
        ("gemini-9-unheard-of", 4_096),
    ] {
        let cache = find("gemini", model).info.cache;
        assert_eq!((cache.min_tokens, cache.max_breakpoints), (least, 0), "{model}");
    }
}

#[test]
fn openai_takes_breakpoints_from_gpt_5_6_on() {
    for (model, takes) in [
        ("gpt-5.5", false),
        ("gpt-5.6", true),
        ("gpt-5.6-luna", true),
        ("gpt-6-sol", true),
        ("gpt-6-new", true),
    ] {
        let row = find("openai", model);
        let expected = if takes { CacheRules::openai_marked() } else { CacheRules::automatic() };
        assert_eq!((row.cache_breakpoints, row.info.cache), (takes, expected), "{model}");
        assert!((row.info.prices.cache_write - if takes { 1.25 } else { 1.0 }).abs() < 1e-9, "{model}");
    }
    // Another server may not know them.
    let row = find("openrouter", "openai/gpt-6-sol");
    assert_eq!((row.cache_breakpoints, row.info.cache), (false, CacheRules::automatic()));
}

#[test]
fn prices_are_multiples_of_the_price_of_input() {
    let near = |one: f64, other: f64| assert!((one - other).abs() < 1e-9, "{one} is not {other}");
    let opus = find("anthropic", "claude-opus-5-5");
    near(opus.info.prices.cache_read, 0.05);
    near(opus.info.prices.cache_write, 1.25);
    near(opus.info.prices.cache_write_hour, 2.0);
    near(opus.info.prices.output, 5.0);
    assert_eq!(opus.dollars_per_million_input, Some(4.0));
    let mini = find("openai", "gpt-4o-mini");
    near(mini.info.prices.cache_read, 0.5);
    near(mini.info.prices.output, 4.0);
    let luna = find("openai", "gpt-6-luna").info.prices;
    near(luna.cache_write, 1.25);
    near(luna.cache_write_hour, 1.25);
    // Its cache is read for a fortieth, not for the usual tenth.
    near(find("anthropic", "claude-fable-5-1").info.prices.cache_read, 0.025);
    // Where a price is not known, the provider's rule gives it.
    near(find("openai", "gpt-5.6-terra").info.prices.cache_write, 1.25);
    assert_eq!(find("openai", "gpt-5.6").dollars_per_million_input, None);
    // The price of one provider is not that of another.
    assert_eq!(find("openrouter", "anthropic/claude-opus-5-5").dollars_per_million_input, None);
}

#[test]
fn long_prompts_have_a_price_of_their_own() {
    let long = |provider, model| find(provider, model).info.prices.long;
    let tier = |over, input, output| Some(LongPrompt { over, input, output });
    assert_eq!(long("openai", "gpt-6-sol"), tier(272_000, 2.0, 1.5));
    assert_eq!(long("gemini", "gemini-2.5-pro"), tier(200_000, 2.0, 1.5));
    assert_eq!(long("anthropic", "claude-haiku-5-5"), tier(100_000, 5.0, 5.0));
    assert_eq!(long("openai", "gpt-5"), None);
    // It is no longer a note, which would be shown at each start.
    assert_eq!(find("openai", "gpt-6-sol").note, None);
    let dollars = |tokens| {
        let usage = Usage { input: tokens, output: 1_000_000, ..Usage::default() };
        find("openai", "gpt-6-sol").price().dollars(usage).unwrap()
    };
    assert!((dollars(100_000) - (0.2 + 10.0)).abs() < 1e-9);
    assert!((dollars(300_000) - (1.2 + 15.0)).abs() < 1e-9);
    let own =
        with("long", "[[model]]\nname = \"gpt-6-sol\"\nlong_prompt = { over = 9, input = 3, output = 1 }\n");
    assert_eq!(own.find("openai", "gpt-6-sol").info.prices.long, tier(9, 3.0, 1.0));
}

#[test]
fn ollama_is_asked_for_a_small_window_until_somebody_asks_for_more() {
    let row = find("ollama", "gpt-oss:20b");
    assert_eq!((row.info.window, row.info.max_output, row.known), (8_192, 2_048, Known::Exact));
    assert!(row.thinking);
    expect![[r#"only 8,192 of the model's window of 131,072 tokens are requested; set others in a [[model]] entry of your models.toml, with provider = "ollama""#]]
        .assert_eq(&row.note.unwrap());
    let table = with("ollama", "[[model]]\nprovider = \"ollama\"\nname = \"gpt-oss:20b\"\nwindow = 65_536\n");
    let row = table.find("ollama", "gpt-oss:20b");
    assert_eq!((row.info.window, row.info.max_output, row.note), (65_536, 32_768, None));
    assert!(row.window_said);
    // Only for Ollama, and only for this name.
    assert_eq!(table.find("vllm", "gpt-oss-20b").info.window, 131_072);
    assert_eq!(table.find("ollama", "gpt-oss:120b").info.window, 8_192);
}

#[test]
fn a_window_is_the_users_word_where_his_file_says_one_for_the_model() {
    let said = |text: &str, provider: &str, model: &str| {
        let row = with("said", text).find(provider, model);
        (row.window_said, row.info.window)
    };
    let anybody = "[[model]]\nname = \"gpt-oss:20b\"\nwindow = 65_536\n";
    assert_eq!(said(anybody, "ollama", "gpt-oss:20b"), (true, 65_536));
    assert_eq!(said(anybody, "vllm", "gpt-oss:20b"), (true, 65_536));
    // It is no word about another model, nor is a word about something else one about the window.
    assert_eq!(said(anybody, "ollama", "gpt-oss:120b"), (false, 8_192));
    assert_eq!(
        said("[[model]]\nname = \"gpt-oss:20b\"\nimages = true\n", "ollama", "gpt-oss:20b"),
        (false, 8_192)
    );
    let relatives = "[[model]]\nname = \"llm\"\nwindow = 65_536\nmax_output = 9\n";
    assert_eq!(said(relatives, "ollama", "llm-large"), (false, 8_192));
    assert_eq!(said(&format!("{relatives}family = true\n"), "ollama", "llm-large"), (true, 65_536));
    assert_eq!(said(&format!("{relatives}provider = \"ollama\"\n"), "ollama", "llm-large"), (true, 65_536));
    // What is said once stays said.
    let twice = format!("{anybody}[[model]]\nname = \"gpt-oss:20b\"\nimages = true\n");
    assert_eq!(said(&twice, "ollama", "gpt-oss:20b"), (true, 65_536));
    assert!(!find("openai", "gpt-5").window_said);
}

#[test]
fn an_entry_of_the_user_changes_what_it_says_and_leaves_the_rest() {
    let table = with(
        "merge",
        r#"
[[model]]
name = "claude-opus-4-5"
max_output = 32_000
note = "as our contract says"

[[model]]
name = "gpt-5"
window = 400_000

[[model]]
provider = "house"
name = "special"
aliases = ["chef"]
window = 16_000
max_output = 1_000
tokenizer = "cl100k"
images = true
dollars = { input = 2, output = 3 }
"#,
    );
    let opus = table.find("anthropic", "claude-opus-4-5-20251101");
    assert_eq!(
        (opus.info.window, opus.info.max_output, opus.info.cache.min_tokens),
        (200_000, 32_000, 4_096)
    );
    assert_eq!(opus.note.as_deref(), Some("as our contract says"));
    assert_eq!(opus.dollars_per_million_input, Some(5.0));
    assert_eq!(table.find("openai", "gpt-5").info.window, 400_000);
    let special = table.find("house", "chef-2026-01-31");
    assert_eq!((special.info.window, special.known), (16_000, Known::Exact));
    assert_eq!((special.tokenizer, special.images, special.thinking), (Tokenizer::Cl100k, true, false));
    assert_eq!((special.dollars_per_million_input, special.info.prices.output), (Some(2.0), 1.5));
    // The built-in table is unchanged.
    assert_eq!(find("anthropic", "claude-opus-4-5").info.max_output, 64_000);
}

#[test]
fn a_dated_name_can_have_figures_of_its_own() {
    let table = with("dated", "[[model]]\nname = \"claude-sonnet-4-20250514\"\nwindow = 1_000_000\n");
    let dated = table.find("anthropic", "claude-sonnet-4-20250514");
    assert_eq!((dated.info.window, dated.info.max_output), (1_000_000, 64_000));
    assert_eq!(table.find("anthropic", "claude-sonnet-4").info.window, 200_000);
}

#[test]
fn the_later_entry_of_one_name_wins() {
    let table = with(
        "twice",
        "[[model]]\nname = \"a\"\nwindow = 9_000\nmax_output = 10\n[[model]]\nname = \"A\"\nwindow = 7_000\n",
    );
    assert_eq!(table.find("house", "a").info.window, 7_000);
}

#[test]
fn an_empty_file_changes_nothing() {
    let table = with("empty", "# nothing yet\n");
    assert_eq!(table.find("openai", "gpt-5"), find("openai", "gpt-5"));
}

#[test]
fn prices_and_their_factors_are_finite_and_in_range() {
    let refused = |line: &str| {
        let file = File::new("range", &format!("[[model]]\nname = \"gpt-4\"\n{line}\n"));
        ModelTable::with_overrides(&file.path).unwrap_err().to_string()
    };
    for prices in [
        "input = -1, output = 1",
        "input = inf, output = 1",
        "input = 1, output = -1",
        "input = 1, output = inf",
        "input = 1, output = 1, cache_read = -0.1",
        "input = 1, output = 1, cache_write = nan",
    ] {
        let error = refused(&format!("dollars = {{ {prices} }}"));
        assert!(error.contains("prices are dollars per million tokens"), "{prices}: {error}");
    }
    for factors in [
        "input = 0, output = 1",
        "input = 1, output = 0",
        "input = 1, output = inf",
        "input = -1, output = 1",
    ] {
        let error = refused(&format!("long_prompt = {{ over = 9, {factors} }}"));
        assert!(error.contains("are numbers above 0"), "{factors}: {error}");
    }
}

#[test]
fn an_error_names_the_file_the_line_the_key_and_the_fix() {
    check_error(
        "unknown-key",
        "\n[[model]]\nname = \"a\"\nwindw = 9000\n",
        &expect![
            "the model file FOLDER/models.toml, line 4, `windw`: unknown field `windw`, expected one of `name`, `provider`, `aliases`, `family`, `window`, `max_input`, `max_output`, `min_cached`, `tokenizer`, `api`, `thinking`, `thinking_form`, `bound_thinking`, `cache_diagnostics`, `cache_breakpoints`, `thinking_back`, `images`, `dollars`, `long_prompt`, `note`, `source`"
        ],
    );
    check_error(
        "unknown-table",
        "[[models]]\nname = \"a\"\n",
        &expect![
            "the model file FOLDER/models.toml, line 1, `[[models]]`: unknown field `models`, expected `model`"
        ],
    );
    check_error(
        "type",
        "[[model]]\nname = \"a\"\nmax_output = 10\nwindow = \"big\"\n",
        &expect![[
            r#"the model file FOLDER/models.toml, line 4, `window`: invalid type: string "big", expected u64"#
        ]],
    );
    check_error(
        "variant",
        "[[model]]\nname = \"a\"\ntokenizer = \"llama\"\n",
        &expect![
            "the model file FOLDER/models.toml, line 3, `tokenizer`: unknown variant `llama`, expected one of `o200k`, `o200k_harmony`, `cl100k`, `p50k`, `r50k`, `estimate`"
        ],
    );
    check_error(
        "negative",
        "[[model]]\nname = \"a\"\nwindow = -1\n",
        &expect![
            "the model file FOLDER/models.toml, line 3, `window`: invalid value: integer `-1`, expected u64"
        ],
    );
    check_error(
        "missing",
        "[[model]]\nname = \"house-special\"\nmax_output = 10\n",
        &expect![[
            r#"the model file FOLDER/models.toml, line 1, `window` of "house-special": is missing, and no known model has this name: add it, in tokens"#
        ]],
    );
    check_error(
        "output",
        "# ours\n[[model]]\nname = \"gpt-4\"\n\nmax_output = 8_192\n",
        &expect![[
            r#"the model file FOLDER/models.toml, line 5, `max_output` of "gpt-4": 8192 must be less than the window of 8192: write fewer, or a larger window"#
        ]],
    );
    check_error(
        "zero",
        "[[model]]\nname = \"gpt-4\"\nmax_output = 0\n",
        &expect![[
            r#"the model file FOLDER/models.toml, line 3, `max_output` of "gpt-4": an answer has at least one token"#
        ]],
    );
    check_error(
        "input",
        "[[model]]\nname = \"gpt-4\"\nmax_input = 9_000\n",
        &expect![[
            r#"the model file FOLDER/models.toml, line 3, `max_input` of "gpt-4": cannot be more than the window: leave it out"#
        ]],
    );
    check_error(
        "price",
        "[[model]]\nname = \"gpt-4\"\ndollars = { input = 0, output = 1 }\n",
        &expect![[
            r#"the model file FOLDER/models.toml, line 3, `dollars` of "gpt-4": prices are dollars per million tokens, and that of input is above 0: for a model that costs nothing, leave `dollars` out"#
        ]],
    );
    check_error(
        "name",
        "[[model]]\nname = \" \"\n",
        &expect![[
            r#"the model file FOLDER/models.toml, line 2, `name` of " ": write the model's name as requests name it"#
        ]],
    );
    check_error(
        "alias",
        "[[model]]\nname = \"gpt-4\"\naliases = [\"\"]\n",
        &expect![[
            r#"the model file FOLDER/models.toml, line 3, `aliases` of "gpt-4": an alias is a name, not an empty text"#
        ]],
    );
    check_error(
        "no-toml",
        "model\n",
        &expect!["the model file FOLDER/models.toml, line 1, `model`: key with no value, expected `=`"],
    );
}

#[test]
fn a_missing_file_is_named() {
    let error = ModelTable::with_overrides(Path::new("/nowhere/models.toml")).unwrap_err();
    assert!(matches!(error, TableError::Read { .. }), "{error:?}");
    assert_eq!(error.to_string(), "cannot read the model file /nowhere/models.toml");
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn what_becomes_of_thinking_is_said_for_models_that_need_it_and_by_the_user() {
    let back = |row: ModelRow| row.thinking_back;
    for name in ["deepseek-v4-pro", "deepseek/deepseek-v4-flash", "kimi-k2-thinking", "moonshotai/kimi-k2.6"]
    {
        assert_eq!(back(find("house", name)), Some(ThinkingBack::Always), "{name}");
    }
    for name in ["deepseek-chat", "kimi-k2-0905", "qwen3-coder", "never-heard-of"] {
        assert_eq!(back(find("house", name)), None, "{name}");
    }
    let text = "[[model]]\nname = \"kimi-k2.5\"\nthinking_back = \"never\"\n\n[[model]]\nname = \"own\"\nwindow = 9000\n\
                max_output = 900\nthinking_back = \"as_it_came\"\n";
    let table = with("thinking-back", text);
    assert_eq!(back(table.find("house", "kimi-k2.5")), Some(ThinkingBack::Never));
    assert_eq!(back(table.find("house", "own")), Some(ThinkingBack::AsItCame));
}

#[test]
fn every_row_of_the_table_can_be_worked_with() {
    // The names as the file has them, so that none is forgotten here.
    let table: toml::Table = include_str!("models.toml").parse().unwrap();
    let entries = table["model"].as_array().unwrap();
    assert!(entries.len() > 70, "{}", entries.len());
    for entry in entries {
        let name = entry["name"].as_str().unwrap();
        let provider = entry.get("provider").and_then(toml::Value::as_str).unwrap_or("server");
        let row = find(provider, name);
        let expected = if entry.get("family").is_some() { family(name) } else { Known::Exact };
        assert_eq!(row.known, expected, "{name}");
        assert!(row.info.max_output < row.info.window, "{name}");
        assert!(row.info.window <= u64::try_from(entry["window"].as_integer().unwrap()).unwrap(), "{name}");
        let prices = row.info.prices;
        assert!((0.0..=1.0).contains(&prices.cache_read) && prices.output >= 1.0, "{name}");
        assert!(prices.cache_write >= 1.0 && prices.cache_write_hour >= prices.cache_write, "{name}");
        let own = ["anthropic", "gemini"].contains(&provider);
        assert_eq!(row.api.is_some(), !own, "{name}");
        for alias in entry.get("aliases").and_then(toml::Value::as_array).into_iter().flatten() {
            let alias = find(provider, alias.as_str().unwrap());
            assert_eq!(
                (alias.info.window, alias.info.max_output),
                (row.info.window, row.info.max_output),
                "{name}"
            );
        }
    }
}

proptest! {
    #[test]
    fn any_name_has_an_answer_that_can_be_worked_with(
        provider in prop_oneof![Just("anthropic".to_owned()), Just("openai".to_owned()), Just("ollama".to_owned()), any::<String>()],
        model in prop_oneof![any::<String>(), "(ft:)?([a-z]{0,3}/){0,2}(claude|gpt|o3|qwen3|İ)[-.:@/_0-9a-z]{0,20}"],
    ) {
        let row = find(&provider, &model);
        prop_assert!(row.info.max_output < row.info.window);
        prop_assert_eq!(row.info.name, model);
        prop_assert_eq!(row.known == Known::Exact || row.note.is_some(), true);
    }

    #[test]
    fn what_the_user_says_wins(
        name in "[a-z][a-z0-9.-]{0,12}|claude-opus-5|gpt-5|gpt-oss|qwen3-coder",
        provider in prop::sample::select(vec!["anthropic", "openai", "ollama", "house"]),
        window in 1_001_u64..3_000_000,
    ) {
        let text = format!("[[model]]\nprovider = \"{provider}\"\nname = \"{name}\"\nwindow = {window}\nmax_output = 1000\nmax_input = {window}\n");
        let row = with(&format!("wins-{window}"), &text).find(provider, &name);
        prop_assert_eq!((row.info.window, row.info.max_output, row.known), (window, 1_000, Known::Exact));
    }
}

#[test]
fn a_search_has_the_price_of_its_provider_and_is_offered_where_the_model_takes_it() {
    for (provider, model, offered, dollars) in [
        ("anthropic", "claude-opus-4-5", true, Some(0.01)),
        ("openai", "gpt-5", true, Some(0.01)),
        ("openai", "gpt-4.1-nano", false, Some(0.01)),
        ("openai", "openai/GPT-4.1_nano", false, Some(0.01)),
        ("gemini", "gemini-2.5-pro", false, Some(0.035)),
        ("gemini", "gemini-3-pro", true, Some(0.014)),
        ("ollama", "qwen3:8b", false, None),
        ("house", "gpt-5", false, None),
    ] {
        let row = find(provider, model);
        assert_eq!((row.info.web_search, row.dollars_per_search), (offered, dollars), "{provider} {model}");
        // The text of the source, not its key in the file.
        let source = row.search_source.as_deref();
        assert_eq!(source.is_some_and(|source| source.contains(' ')), dollars.is_some(), "{source:?}");
    }
}

#[test]
fn the_provider_of_a_model_is_known_by_its_name_alone() {
    let table = ModelTable::builtin();
    assert_eq!(table.provider_of("claude-opus-4-5"), Some("anthropic"));
    assert_eq!(table.provider_of("gpt-5"), Some("openai"));
    assert_eq!(table.provider_of("gemini-2.5-pro"), Some("gemini"));
    assert_eq!(table.provider_of("unheard-of"), None);
    let house = with(
        "provider-of",
        "[[model]]\nname = \"special\"\nprovider = \"House\"\nwindow = 9_000\nmax_output = 9\n",
    );
    assert_eq!(house.provider_of("special-2026-01-31"), Some("house"));
}

#[test]
fn the_fingerprint_of_a_table_changes_with_what_it_says() {
    let builtin = ModelTable::builtin().fingerprint();
    let of = |text: &str| with("fingerprint", text).fingerprint();
    let images = of("[[model]]\nname = \"gpt-5\"\nimages = false\n");
    assert_eq!(of(""), builtin);
    assert_eq!(images, of("[[model]]\nname = \"gpt-5\"\nimages = false\n"));
    assert!(images != builtin && images != of("[[model]]\nname = \"gpt-5\"\nimages = true\n"));
}

#[cfg(feature = "tokens")]
#[test]
fn a_tokenizer_knows_its_encoding() {
    use crate::tokens::Encoding;

    for (name, encoding) in [
        ("o200k", Encoding::O200k),
        ("o200k_harmony", Encoding::O200kHarmony),
        ("cl100k", Encoding::Cl100k),
        ("p50k", Encoding::P50k),
        ("r50k", Encoding::R50k),
    ] {
        let text = format!("[[model]]\nname = \"m\"\nwindow = 9\nmax_output = 1\ntokenizer = \"{name}\"\n");
        assert_eq!(with(name, &text).find("house", "m").tokenizer.encoding(), Some(encoding));
    }
    assert_eq!(find("openai", "gpt-5").tokenizer.encoding(), Some(Encoding::O200k));
    assert_eq!(find("openai", "gpt-4").tokenizer.encoding(), Some(Encoding::Cl100k));
    assert_eq!(find("anthropic", "claude-opus-5").tokenizer.encoding(), None);
}

#[test]
fn names_of_bedrock_and_brackets_select_the_model_and_free_variants_cost_nothing() {
    let own = find("anthropic", "claude-sonnet-4-5-20250929");
    for name in [
        "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "apac.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "global.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "anthropic.claude-sonnet-4-5-20250929-v1:0",
        "bedrock/us.anthropic.claude-sonnet-4-5-v2",
        "claude-sonnet-4-5[1m]",
        "claude-sonnet-4-5-20250929[1m]",
        "us.anthropic.claude-sonnet-4-5-20250929-v1[1m]",
        "global.anthropic.claude-sonnet-4-5-20250929-v1:0[1m]",
    ] {
        let row = find("anthropic", name);
        assert_eq!(row.known, Known::Exact, "{name}");
        assert_eq!(row.price(), own.price(), "{name}");
        assert_eq!((row.info.window, row.info.max_output), (own.info.window, own.info.max_output), "{name}");
    }
    assert_eq!(find("anthropic", "claude-opus-4-6[1m]").info.window, 1_000_000);
    assert!(!matches!(find("anthropic", "us.amazon.nova-pro-v1:0").known, Known::Exact));
    for (provider, name) in [
        ("openrouter", "openai/gpt-5.1-codex:free"),
        ("openai", "openai/gpt-5.1-codex:free"),
        ("compatible", "house/special:free"),
    ] {
        assert_eq!(find(provider, name).dollars_per_million_input, Some(0.0), "{provider} {name}");
    }
    let nitro = find("openai", "openai/gpt-5.1-codex:nitro");
    assert_eq!(nitro.price(), find("openai", "gpt-5.1-codex").price());
}

// A name that a client knows is a model of the table with its source, or has a note that says what is assumed, and no price.
#[test]
fn every_name_of_the_clients_is_a_dated_entry_or_an_assumption_that_is_said() {
    let mut exact = 0;
    let mut assumed = Vec::new();
    for line in include_str!("sdk_names.txt").lines().filter(|line| !line.starts_with('#')) {
        let (provider, model) = line.split_once(' ').unwrap();
        let row = find(provider, model);
        if row.known == Known::Exact {
            exact += 1;
            let source = row.source.unwrap();
            assert!(source.contains("read 2026-"), "{model}: {source}");
        } else {
            let note = row.note.unwrap();
            assert!(note.starts_with("Unknown model") && note.contains("assuming"), "{model}: {note}");
            assert_eq!(row.dollars_per_million_input, None, "{model}");
            assumed.push(model);
        }
    }
    expect![[r#"
        101 exact
        claude-mythos-5-2
        claude-mythos-preview
        gpt-5.2-pro
        gpt-5.2-pro-2025-12-11
        gpt-5.1-mini
        gpt-audio-mini
        gpt-audio-mini-2025-12-15
        gpt-4o-audio-preview
        gpt-4o-audio-preview-2024-10-01
        gpt-4o-audio-preview-2024-12-17
        gpt-4o-audio-preview-2025-06-03
        gpt-4o-mini-audio-preview
        gpt-4o-mini-audio-preview-2024-12-17
        gpt-4o-search-preview
        gpt-4o-mini-search-preview
        gpt-4o-search-preview-2025-03-11
        gpt-4o-mini-search-preview-2025-03-11
        codex-mini-latest
        gpt-4-0125-preview
        gpt-4-turbo-preview
        gpt-4-1106-preview
        gpt-4-vision-preview
        gpt-4-32k
        gpt-4-32k-0314
        gpt-4-32k-0613
        gpt-3.5-turbo-16k
        gpt-3.5-turbo-16k-0613
        o1-pro
        o1-pro-2025-03-19
        o3-pro
        o3-pro-2025-06-10
        o3-deep-research
        o3-deep-research-2025-06-26
        o4-mini-deep-research
        o4-mini-deep-research-2025-06-26
        computer-use-preview
        computer-use-preview-2025-03-11
        gpt-5.5-pro
        gpt-5.5-pro-2026-04-23
        gpt-5-pro
        gpt-5-pro-2025-10-06
        gpt-daybreak-blue-latest
        gpt-daybreak-red-latest
        gpt-5.6-cyber
        gpt-6-cyber
        gpt-rosalind-research
        gpt-6-rosalind
        gpt-6.2-astra-law
        gemma-4-26b-a4b-it
        gemma-4-31b-it
        gemini-flash-latest
        gemini-flash-lite-latest
        gemini-pro-latest
        gemini-3.5-flash-lite
        gemini-2.5-flash-image
        gemini-3.1-pro-preview-customtools
        gemini-3.1-flash-lite
        gemini-3.1-flash-lite-image
        gemini-3-pro-image
        nano-banana-pro-preview
        gemini-3.1-flash-image
        gemini-nano-banana-2.1
        gemini-3.1-flash-tts-preview
        gemini-3.6-flash
        gemini-3.8-flash-tts
        gemini-3.8-flash-lite-tts
        gemini-3.5-transcribe
        lyria-3-clip-preview
        lyria-3-pro-preview
        gemini-robotics-er-1.6-preview
        gemini-robotics-er-2-preview
        lyria-3.5
        gemini-omni-1.2-flash
        gemini-omni-1.1-flash
        gemini-omni-flash-preview"#]]
    .assert_eq(&format!("{exact} exact\n{}", assumed.join("\n")));
}

// The price of an older model is not that of a newer one, and what a newer one may refuse is not sent to it.
#[test]
fn a_model_newer_than_the_table_has_no_price_and_the_cautious_form() {
    let row = find("anthropic", "claude-opus-5-9");
    assert_eq!((row.known.clone(), row.dollars_per_million_input), (family("claude-opus-5"), None));
    assert_eq!(row.info.prices, Prices::anthropic());
    assert!(row.bound_thinking);
    assert_eq!(limits("openai", "gpt-6.9-sol"), (272_000, 128_000, family("gpt-6")));
    assert_eq!(find("openai", "gpt-6.9-sol").dollars_per_million_input, None);
    assert_eq!(limits("gemini", "gemini-5-xenon"), (1_048_576, 8_192, family("gemini")));
}

#[test]
fn the_newest_models_have_their_own_prices() {
    let dollars = |provider, model| {
        let row = find(provider, model);
        let input = row.dollars_per_million_input.unwrap();
        let round = |price: f64| (price * 1_000.0).round() / 1_000.0;
        let prices = row.info.prices;
        (row.info.window, input, round(input * prices.cache_read), round(input * prices.output))
    };
    assert_eq!(dollars("anthropic", "claude-fable-5-2"), (1_000_000, 8.0, 0.2, 40.0));
    assert_eq!(dollars("anthropic", "claude-fable-5-1"), (1_000_000, 10.0, 0.25, 50.0));
    assert_eq!(dollars("openai", "gpt-6.2-sol"), (922_000, 2.0, 0.1, 10.0));
    assert_eq!(dollars("openai", "gpt-6.2-astra"), (922_000, 8.0, 0.4, 40.0));
    assert_eq!(dollars("openai", "gpt-6.1-terra"), (922_000, 1.0, 0.05, 5.0));
    assert_eq!(dollars("gemini", "gemini-4-neon"), (1_048_576, 3.0, 0.15, 15.0));
}
