//! Names of models: the form in which they are compared, and what a dated form looks like.

/// The form in which names are compared: lower case, `-` for `.` and `_`. The same model is `claude-opus-4.5`
/// in one place and `claude-opus-4-5` in another.
pub(super) fn canonical(name: &str) -> String {
    let name = name.trim();
    if name.is_ascii() {
        let canonical = |c: char| if matches!(c, '.' | '_') { '-' } else { c.to_ascii_lowercase() };
        return name.chars().map(canonical).collect();
    }
    name.chars().flat_map(char::to_lowercase).map(|c| if matches!(c, '.' | '_') { '-' } else { c }).collect()
}

/// The form in which names of providers are compared. Code Assist serves the models of the Gemini API.
pub(super) fn provider(name: &str) -> String {
    let name = name.trim().to_lowercase();
    if name == "gemini_gca" { "gemini".to_owned() } else { name }
}

/// The names under which a model may be in the table: its own, and what is left without vendors
/// (`openrouter/anthropic/…`), without what Amazon Bedrock adds (`us.anthropic.claude-…-v1:0`) and without the mark of a
/// tuned model (`ft:gpt-4o:…`).
pub(super) fn candidates(model: &str) -> Vec<String> {
    let name = canonical(model);
    let mut found = Vec::new();
    let mut rest = name.as_str();
    loop {
        found.push(rest.to_owned());
        found.extend(of_bedrock(rest).map(str::to_owned));
        if let Some(tuned) = rest.strip_prefix("ft:") {
            // A tuned model is like its base model, but not the same.
            found.push(tuned.replace(':', "/"));
        }
        match rest.split_once('/') {
            Some((_, after)) => rest = after,
            None => return found,
        }
    }
}

/// Where Amazon Bedrock lets a model run, in front of its vendor.
const BEDROCK_REGIONS: [&str; 8] = ["us-gov-", "us-", "eu-", "apac-", "global-", "jp-", "au-", "ca-"];

/// The name of a Claude without the region, the vendor and the version of Amazon Bedrock (`us.anthropic.claude-…-v1:0[1m]`), in
/// canonical form.
fn of_bedrock(name: &str) -> Option<&str> {
    let vendor = BEDROCK_REGIONS.iter().find_map(|region| name.strip_prefix(region)).unwrap_or(name);
    let model = vendor.strip_prefix("anthropic-").filter(|model| model.starts_with("claude"))?;
    let is_version = |version: &str| version.chars().all(|c| c.is_ascii_digit() || c == ':');
    let model = without_brackets(model);
    let (name, _) = model.rsplit_once("-v").filter(|(_, version)| is_version(version)).unwrap_or((model, ""));
    Some(name)
}

/// Returns true if the name asks for the variant of a model that costs nothing, as OpenRouter writes it.
pub(super) fn is_free(model: &str) -> bool {
    model.trim().ends_with(":free")
}

/// The rest of `name` after `start`, if `start` ends at a boundary between parts of a name.
pub(super) fn rest<'a>(name: &'a str, start: &str) -> Option<&'a str> {
    name.strip_prefix(start).filter(|rest| rest.is_empty() || rest.starts_with(['-', ':', '@', '/', '[']))
}

/// The name without what is in brackets at its end (`[1m]`).
fn without_brackets(name: &str) -> &str {
    name.strip_suffix(']').and_then(|name| name.rsplit_once('[')).map_or(name, |(name, _)| name)
}

/// Returns true if this end of a name only selects an edition of the model: nothing, `-latest`, a date, and
/// whatever stands after `@` or `:`, or in brackets (`[1m]`).
pub(super) fn is_edition(rest: &str) -> bool {
    let rest = without_brackets(rest);
    match rest.strip_prefix('-') {
        Some("latest") => true,
        Some(date) => {
            let digits = date.chars().filter(char::is_ascii_digit).count();
            let dashes = date.chars().filter(|c| *c == '-').count();
            digits + dashes == date.len() && matches!((digits, dashes), (8, 0 | 2) | (4, 0))
        }
        None => rest.is_empty() || rest.starts_with(['@', ':', '[']),
    }
}
