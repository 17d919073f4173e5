//! `throughline export`: a session's whole log, one record a line.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use throughline_continuity::{MessageLog, Part};
use throughline_conversation::Seq;

use crate::args::ExportArgs;
use crate::compose::Data;

/// Writes all records. A reader that goes away ends it quietly; a slow one gets every byte.
pub(crate) async fn run(args: &ExportArgs, data_dir: Option<PathBuf>) -> anyhow::Result<()> {
    let data = Data::open(data_dir).await?;
    let session = data.find(&args.session).await?;
    let records = data.store.message_log().read(&session, Seq(0), Part::All).await?;
    let mut out: Box<dyn Write> = match &args.output {
        Some(path) => Box::new(BufWriter::new(create(path)?)),
        None => Box::new(BufWriter::new(std::io::stdout().lock())),
    };
    for record in &records {
        let text = serde_json::to_string(record)?;
        match writeln!(out, "{text}") {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            written => written.context("could not write the export")?,
        }
    }
    match out.flush() {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        flushed => flushed.context("could not write the export"),
    }
}

/// A file that only its owner can read: sessions hold what people typed and what tools printed.
fn create(path: &Path) -> anyhow::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options.open(path).with_context(|| format!("could not write {}", path.display()))
}
