//! Lines that say what may or should be done.

/// Returns true if a line of a result tells its reader something: it addresses a model, or speaks about instructions, rules
/// and summaries.
pub(crate) fn instructs(line: &str) -> bool {
    const PHRASES: &[&str] = &[
        "assistant must",
        "assistant should",
        "assistant,",
        "system notice",
        "system:",
        "system message",
        "ignore all",
        "ignore previous",
        "ignore the",
        "disregard",
        "earlier instructions",
        "previous instructions",
        "new instructions",
        "you must",
        "you are now",
        "you may now",
        "from now on",
        "when summarizing",
        "when you summarize",
        "in the summary",
        "constraint",
        "restriction",
        "the user has",
        "the user said",
        "the user wants",
        "the user no longer",
        "no longer applies",
        "policy update",
        "note to the agent",
        "important:",
    ];
    let line = line.to_lowercase();
    PHRASES.iter().any(|phrase| line.contains(phrase)) || withdraws(&line)
}

/// Returns true if a line says what may or should be done: it is no value of anything.
pub(crate) fn is_guidance(line: &str) -> bool {
    const WORDS: &[&str] = &[
        "must",
        "should",
        "may",
        "allowed",
        "permitted",
        "freely",
        "approved",
        "authorized",
        "free",
        "delete",
    ];
    instructs(line) || words(line).iter().any(|word| WORDS.contains(&word.as_str()))
}

/// Returns true if a line says that something that the user asked for holds no more.
pub(crate) fn withdraws(line: &str) -> bool {
    const ENDS: &[&str] = &[
        "revoke",
        "lifted",
        "withdr",
        "waive",
        "rescind",
        "no longer appl",
        "no longer hold",
        "no longer in force",
        "no longer required",
        "not required any more",
        "supersede",
        "overrid",
    ];
    const WHAT: &[&str] = &[
        "rule",
        "constraint",
        "restriction",
        "limit",
        "policy",
        "requirement",
        "ban",
        "prohibition",
        "instruction",
    ];
    let line = line.to_lowercase();
    ENDS.iter().any(|end| line.contains(end)) && WHAT.iter().any(|what| line.contains(what))
}

/// The words of a line in lower case.
pub(crate) fn words(line: &str) -> Vec<String> {
    let words = line.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}
