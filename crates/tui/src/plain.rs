//! The session without a terminal: lines in, lines out.

use std::collections::VecDeque;
use std::io::{BufRead, Write};
use std::time::Instant;

use throughline_permission::Approval;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::ink::Line;
use crate::options::Options;
use crate::port::{Act, Show, TurnState};
use crate::run::ScreenError;
use crate::screen::Screen;

/// Columns of the output: nobody says how wide it is, so lines are broken where a page would.
const COLUMNS: usize = 100;

/// Why a question is denied.
const NOBODY: &str = "nobody is there to ask; allow it by a rule or by the mode";

/// Shows the session as lines of text, and takes lines of standard input as what is sent, until [`Show::End`]. At the end
/// of the input the session is told to quit once it is done with what was sent.
///
/// Nobody can be asked: questions about calls are denied and pickers are closed, and both are said.
///
/// # Errors
/// [`ScreenError::Terminal`]: standard output takes nothing any more.
pub async fn run_plain(
    shows: UnboundedReceiver<Show>,
    acts: UnboundedSender<Act>,
    options: Options,
) -> Result<(), ScreenError> {
    let (lines, input) = unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if lines.send(line).is_err() {
                return;
            }
        }
    });
    let mut out = std::io::stdout();
    let told = acts.clone();
    match plain(shows, acts, input, options.first, &mut out).await {
        Ok(()) => Ok(()),
        Err(error) => {
            // A session that is gone has quit already.
            let _ = told.send(Act::Quit);
            // A reader that has seen enough is no failure.
            if error.kind() == std::io::ErrorKind::BrokenPipe {
                Ok(())
            } else {
                Err(ScreenError::Terminal(error))
            }
        }
    }
}

/// The same with any input and output.
pub(crate) async fn plain(
    mut shows: UnboundedReceiver<Show>,
    acts: UnboundedSender<Act>,
    mut input: UnboundedReceiver<String>,
    first: Option<String>,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let mut screen = Screen::new(COLUMNS, 24);
    let mut waiting: VecDeque<String> = first.into_iter().collect();
    let mut busy = false;
    let mut at_end = false;
    let mut quit = false;
    loop {
        if !busy {
            let next = waiting.pop_front();
            let mut send = match next {
                Some(text) => screen.submit(text),
                None if at_end && !quit => vec![Act::Quit],
                None => Vec::new(),
            };
            busy = send.iter().any(|act| matches!(act, Act::Submit(_)));
            quit |= send.contains(&Act::Quit);
            for act in send.drain(..) {
                // A session that is gone closes the other channel, too.
                let _ = acts.send(act);
            }
            write(&mut screen, out)?;
        }
        let show = tokio::select! {
            show = shows.recv() => show,
            line = input.recv(), if !at_end => {
                match line {
                    Some(line) if line.trim().is_empty() => {}
                    Some(line) => waiting.push_back(line),
                    None => at_end = true,
                }
                continue;
            }
        };
        let Some(show) = show else { return write(&mut screen, out) };
        match show {
            Show::Approval { request, reply } => {
                let call = &request.call;
                let notice = format!("{} may not run: {NOBODY}", call.name);
                screen.show(Show::Problem(notice), Instant::now());
                // A question that nobody waits for any more needs no answer.
                let _ = reply.send(Approval::Deny { feedback: Some(NOBODY.to_owned()) });
            }
            Show::Picker(picker) => {
                let rows = picker.rows.iter().map(|row| format!("{}  {}", row.id, row.cells.join("  ")));
                let text = rows.collect::<Vec<_>>().join("\n");
                screen.show(Show::Page { title: picker.title, text }, Instant::now());
                let _ = acts.send(Act::PickerClosed { picker: picker.id });
            }
            Show::Turn(TurnState::Idle) => {
                busy = false;
                screen.show(Show::Turn(TurnState::Idle), Instant::now());
            }
            Show::End => {
                screen.show(Show::End, Instant::now());
                return write(&mut screen, out);
            }
            other => {
                screen.show(other, Instant::now());
            }
        }
        write(&mut screen, out)?;
    }
}

fn write(screen: &mut Screen, out: &mut impl Write) -> std::io::Result<()> {
    let lines = screen.printed();
    if lines.is_empty() {
        return Ok(());
    }
    for line in lines.iter().map(Line::text) {
        writeln!(out, "{}", line.trim_end())?;
    }
    out.flush()
}

#[cfg(test)]
mod tests;
