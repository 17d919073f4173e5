//! `cargo xtask pictures`: the output of commands, as a terminal shows it, from the texts in `docs/pictures`.
//!
//! The same text gives the same picture, byte for byte. A text is what its first line says, as the command printed it; to take it
//! again, run that command and write its output below the line.

mod animation;
mod paint;
mod svg;

use std::path::Path;

use anyhow::{Context, Result};

use crate::output;

/// Where texts and pictures are.
const FOLDER: &str = "docs/pictures";

/// A text that is drawn.
#[derive(Debug, Clone, Copy)]
struct Picture {
    /// The name of the text and of the picture.
    name: &'static str,
    /// Rows of the terminal. A longer text scrolls.
    rows: usize,
    /// What a reader hears who does not see it.
    describes: &'static str,
}

/// All of them.
const PICTURES: &[Picture] = &[
    Picture {
        name: "demo",
        rows: 26,
        describes: "A session of 20 requests in a window of 20,000 tokens: large results are stored, the window fills, \
                    a compaction frees it, the process is killed and continues.",
    },
    Picture {
        name: "audit",
        rows: 40,
        describes: "The report of throughline audit: what sessions have cost by cause and by tool, and what each policy \
                    would have cost.",
    },
];

/// Draws every picture.
pub(crate) fn run(root: &Path) -> Result<()> {
    for picture in PICTURES {
        let (file, svg) = picture.drawn(root)?;
        std::fs::write(root.join(&file), svg).with_context(|| format!("write `{file}`"))?;
        output::line(&file);
    }
    Ok(())
}

impl Picture {
    /// The path of the picture and what it has to be.
    fn drawn(self, root: &Path) -> Result<(String, String)> {
        let text = format!("{FOLDER}/{}.txt", self.name);
        let lines = std::fs::read_to_string(root.join(&text)).with_context(|| format!("read `{text}`"))?;
        Ok((format!("{FOLDER}/{}.svg", self.name), svg::draw(&lines, self.rows, self.describes)))
    }
}

#[cfg(test)]
mod tests;
