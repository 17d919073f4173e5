//! A command line of a run that cannot be read.

use std::process::ExitCode;
use std::time::Instant;

use clap::ValueEnum as _;

use super::args::Output;
use super::start_error::StartError;

/// Prints why the command line cannot be read, or the help that it asks for. A run for programs ends with its result object then, too.
pub(crate) fn misused(error: &clap::Error, started: Instant) -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if error.use_stderr() && is_run(&words) {
        let rendered = error.render().to_string();
        let first = rendered.split("\n\n").next().unwrap_or_default();
        let lines: Vec<&str> = first.trim_start_matches("error: ").lines().map(str::trim).collect();
        StartError::usage(lines.join(" ")).print_object(named_output(&words), started);
    }
    error.exit()
}

/// Returns true if the words may be those of a run: of its subcommand, or options without a subcommand.
fn is_run(words: &[String]) -> bool {
    words.first().is_some_and(|first| first.starts_with('-')) || words.iter().any(|word| word == "run")
}

/// The output format that the words name, wherever they do.
fn named_output(words: &[String]) -> Output {
    let behind = words.iter().skip(1).map(String::as_str).chain([""]);
    let named = words.iter().zip(behind).find_map(|(word, next)| match word.as_str() {
        "-o" | "--output" => Some(next),
        word => word.strip_prefix("--output=").or_else(|| word.strip_prefix("-o")),
    });
    let format = named.unwrap_or_default().trim_start_matches('=');
    Output::from_str(format, false).unwrap_or(Output::Text)
}
