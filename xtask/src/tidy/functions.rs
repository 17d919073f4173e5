//! A function fits on a screen, and its parameters have names of their own.

use super::Finding;
use super::sources::{Source, Sources};
use crate::tokens::Token;

/// Above this a function does two things.
const MAX_LINES: usize = 60;

/// Functions that are too long, without those of tests.
pub(super) fn long(sources: &Sources<'_>) -> Vec<Finding> {
    each(sources, |source, function| {
        let lines = body_end(function)? - function.first()?.line + 1;
        let name = function.get(1)?.text;
        let says = format!("`{name}` has {lines} lines, the limit is {MAX_LINES}: split it by what it does");
        (lines > MAX_LINES)
            .then(|| Finding::at(source.file, function.first().map_or(0, |token| token.line), says))
    })
}

/// Parameters that are a tuple pattern, which hides how many there are.
pub(super) fn tuples(sources: &Sources<'_>) -> Vec<Finding> {
    each(sources, |source, function| {
        let pattern = tuple_parameter(function)?;
        let says =
            format!("`{}` takes a tuple pattern: pass each parameter, or a struct", function.get(1)?.text);
        Some(Finding::at(source.file, pattern.line, says))
    })
}

/// What is found over every function outside tests; a function starts with its `fn`.
fn each(sources: &Sources<'_>, find: impl Fn(&Source<'_>, &[Token<'_>]) -> Option<Finding>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in sources.rust.iter().filter(|source| source.is_in_src()) {
        let code = source.code();
        let starts = code.windows(2).enumerate().filter(|(_, pair)| {
            pair.first().is_some_and(|first| first.is("fn")) && !pair.iter().any(|token| token.is("("))
        });
        findings.extend(starts.filter_map(|(at, _)| find(source, code.get(at..)?)));
    }
    findings
}

/// The line of the bracket that closes the body; nothing for a declaration.
fn body_end(function: &[Token<'_>]) -> Option<usize> {
    let mut round = 0_usize;
    let mut curly = 0_usize;
    for token in function {
        match token.text {
            _ if token.is("(") || token.is("[") => round += 1,
            _ if token.is(")") || token.is("]") => round = round.saturating_sub(1),
            _ if token.is(";") && round == 0 && curly == 0 => return None,
            _ if token.is("{") => curly += 1,
            _ if token.is("}") => {
                curly = curly.saturating_sub(1);
                if curly == 0 {
                    return Some(token.line);
                }
            }
            _ => {}
        }
    }
    None
}

/// The bracket that opens a tuple pattern in the list of parameters.
fn tuple_parameter<'a, 'b>(function: &'a [Token<'b>]) -> Option<&'a Token<'b>> {
    let mut angle = 0_usize;
    let mut rest = function.iter().skip(2).peekable();
    // Past the generic parameters, whose bounds may have brackets.
    let mut before = "";
    for token in rest.by_ref() {
        match token.text {
            _ if token.is("<") => angle += 1,
            _ if token.is(">") && before != "-" => angle = angle.saturating_sub(1),
            _ if token.is("(") && angle == 0 => break,
            _ => {}
        }
        before = token.text;
    }
    let mut depth = 0_usize;
    let mut starts = true;
    for token in rest {
        if token.is("(") && depth == 0 && starts {
            return Some(token);
        }
        match token.text {
            _ if ["(", "[", "{", "<"].iter().any(|open| token.is(open)) => depth += 1,
            _ if token.is(")") && depth == 0 => return None,
            _ if [")", "]", "}"].iter().any(|close| token.is(close)) => depth = depth.saturating_sub(1),
            _ if token.is(">") && before != "-" => depth = depth.saturating_sub(1),
            _ => {}
        }
        starts = token.is(",") && depth == 0;
        before = token.text;
    }
    None
}

#[cfg(test)]
mod tests;
