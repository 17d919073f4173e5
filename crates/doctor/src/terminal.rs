//! The terminal.

use rustix::stdio::stdout;
use rustix::termios::{isatty, tcgetwinsize};

use crate::finding::{Area, Finding};

/// A narrower terminal truncates the lines of the interactive session.
const NARROW: u16 = 60;

pub(crate) fn examine() -> Finding {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let kind = variable("TERM");
    // By POSIX, the first of these that is set decides.
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    let size = tcgetwinsize(stdout()).ok().map(|size| (size.ws_col, size.ws_row));
    look(isatty(stdout()), kind.as_deref(), locale.as_deref(), size)
}

fn look(is_terminal: bool, kind: Option<&str>, locale: Option<&str>, size: Option<(u16, u16)>) -> Finding {
    if !is_terminal {
        return Finding::good(Area::Terminal, "the output is no terminal; `throughline run` needs none");
    }
    let Some(kind) = kind.filter(|kind| *kind != "dumb") else {
        return Finding::note(Area::Terminal, "TERM names no terminal that can draw a screen")
            .fix("set TERM, for example to xterm-256color");
    };
    if !locale.is_some_and(is_utf8) {
        return Finding::note(Area::Terminal, "the locale is not UTF-8, so lines and marks may look wrong")
            .fix("export LC_ALL=C.UTF-8");
    }
    let (columns, rows) = size.unwrap_or_default();
    let text = format!("{kind}, {columns}×{rows}, UTF-8");
    if (1..NARROW).contains(&columns) {
        return Finding::note(Area::Terminal, text).fix(format!("use at least {NARROW} columns"));
    }
    Finding::good(Area::Terminal, text)
}

fn is_utf8(locale: &str) -> bool {
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

#[cfg(test)]
mod tests;
