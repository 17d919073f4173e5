//! `throughline export`: a session's log, one record per line.

use std::fs::{File, OpenOptions, Permissions};
use std::io::{BufWriter, ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use anyhow::{Context as _, ensure};
use throughline::Storage;

use crate::args::ExportArgs;
use crate::data_args::DataArgs;
use crate::terminal::one_line;

/// Writes all records. A closed pipe ends it quietly; a slow reader gets every byte.
pub(crate) async fn run(args: &ExportArgs, place: &DataArgs) -> anyhow::Result<()> {
    let data = Storage::open(place.data_dir.clone()).await?;
    let session = place.find(&data, &args.session).await?;
    let records = data.records(&session).await?;
    let mut out: Box<dyn Write> = match &args.output {
        Some(path) => {
            ensure!(
                !is_same(path, &data.folder.database()),
                "{} is the database; name another file",
                path.display()
            );
            Box::new(BufWriter::new(create(path)?))
        }
        None => Box::new(BufWriter::new(std::io::stdout().lock())),
    };
    let place =
        args.output.as_ref().map_or(String::from("standard output"), |path| path.display().to_string());
    let failed = || format!("could not write the export to {place}");
    for record in &records {
        let text = one_line(&serde_json::to_string(record)?);
        match writeln!(out, "{text}") {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            written => written.with_context(failed)?,
        }
    }
    match out.flush() {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        flushed => flushed.with_context(failed),
    }
}

/// Opens a file for writing, new or old, that only its owner can read: sessions hold user input and tool output.
fn create(path: &Path) -> anyhow::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    let opened = options.open(path).and_then(|file| {
        // A device or a pipe keeps its mode.
        if file.metadata()?.is_file() {
            file.set_permissions(Permissions::from_mode(0o600))?;
        }
        Ok(file)
    });
    opened.with_context(|| format!("could not write {}", path.display()))
}

/// Returns true if two paths lead to one file.
fn is_same(one: &Path, other: &Path) -> bool {
    let identity = |path: &Path| path.metadata().ok().map(|found| (found.dev(), found.ino()));
    identity(one).is_some() && identity(one) == identity(other)
}
