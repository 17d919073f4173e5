//! The transcript as a text for a pager: the rows of the screen, with nothing left out.

use super::block::Block;
use super::scrollback::Scrollback;
use crate::options::Options;
use crate::palette::Palette;
use crate::port::Earlier;
use crate::terminal::Terminal;

/// Earlier output as the screen shows it, with inputs, results and changes whole. Lines are wrapped at the terminal's width.
#[must_use]
pub fn expanded(earlier: &[Earlier], options: &Options) -> String {
    expanded_at(earlier, Terminal::size().0, options.palette(None))
}

fn expanded_at(earlier: &[Earlier], columns: usize, palette: Palette) -> String {
    let mut scrollback = Scrollback::whole(columns);
    earlier.iter().for_each(|one| scrollback.print(Block::of(one, columns)));
    scrollback.take().iter().map(|line| line.encoded(palette, columns) + "\n").collect()
}

#[cfg(test)]
mod tests;
