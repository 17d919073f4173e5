//! The file of a bundle: a line of text, and behind it a database, compressed with gzip.
//!
//! The line is `throughline-bundle 1 DIGEST BYTES`: the SHA-256 of everything behind it, and the size of the database. A file that
//! was truncated or changed is refused before anything of it is stored.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read, Seek as _, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};
use throughline_text::hexadecimal;

use crate::error::{Attempt as _, Error, Result};

/// How the first line begins.
const NAME: &str = "throughline-bundle";
/// The version of the form.
const VERSION: &str = "1";
/// Maximum bytes of the first line.
const LINE: u64 = 256;

/// Writes the file of a database. `folder` is for temporary files.
pub(super) fn write(database: &Path, folder: &Path, out: &mut (dyn Write + Send)) -> Result<()> {
    let attempt = || "could not compress the bundle".to_owned();
    let mut packed = tempfile::tempfile_in(folder).attempt(attempt)?;
    let mut plain = File::open(database).attempt(attempt)?;
    let mut encoder = GzEncoder::new(BufWriter::new(&mut packed), Compression::default());
    let bytes = io::copy(&mut plain, &mut encoder).attempt(attempt)?;
    encoder.finish().and_then(|mut written| written.flush()).attempt(attempt)?;
    packed.rewind().attempt(attempt)?;
    let digest = digest(&mut packed).attempt(attempt)?;
    packed.rewind().attempt(attempt)?;
    let written = writeln!(out, "{NAME} {VERSION} {digest} {bytes}")
        .and_then(|()| io::copy(&mut packed, out))
        .and_then(|_| out.flush());
    written.map_err(|error| Error::Other(error.into()))
}

/// Returns true if a file begins with the name of the form.
pub(super) fn is_bundle(path: &Path) -> Result<bool> {
    let unreadable = || format!("could not read {}", path.display());
    let mut start = Vec::new();
    File::open(path)
        .attempt(unreadable)?
        .take(NAME.len() as u64)
        .read_to_end(&mut start)
        .attempt(unreadable)?;
    Ok(start == NAME.as_bytes())
}

/// Unpacks a file into `database` once its digest is right. `folder` is for temporary files.
pub(super) fn read(path: &Path, folder: &Path, database: &Path) -> Result<()> {
    let shown = path.display();
    let unreadable = || format!("could not read {shown}");
    let mut file = BufReader::new(File::open(path).attempt(unreadable)?);
    let mut line = Vec::new();
    file.by_ref().take(LINE).read_until(b'\n', &mut line).attempt(unreadable)?;
    let line = String::from_utf8_lossy(&line);
    let (digest, bytes) = match line.split_whitespace().collect::<Vec<_>>().as_slice() {
        [NAME, VERSION, digest, bytes] => (*digest, bytes.parse::<u64>().ok().ok_or_else(|| damaged(path))?),
        [NAME, version, ..] => {
            return Err(Error::usage(format!(
                "{shown} is a bundle of version {version}, and this program reads version {VERSION}: update it"
            )));
        }
        _ => {
            return Err(Error::usage(format!(
                "{shown} is no bundle: write one with `throughline export SESSION --bundle -o FILE`"
            )));
        }
    };
    // What is verified is what is unpacked, whatever happens to the file meanwhile.
    let mut packed = tempfile::tempfile_in(folder).attempt(unreadable)?;
    io::copy(&mut file, &mut packed).attempt(unreadable)?;
    packed.rewind().attempt(unreadable)?;
    if self::digest(&mut packed).attempt(unreadable)? != digest {
        return Err(damaged(path));
    }
    packed.rewind().attempt(unreadable)?;
    let mut target = File::create_new(database).attempt(unreadable)?;
    let mut plain = GzDecoder::new(BufReader::new(packed)).take(bytes.saturating_add(1));
    let unpacked = io::copy(&mut plain, &mut target).map_err(|_| damaged(path))?;
    if unpacked == bytes { Ok(()) } else { Err(damaged(path)) }
}

fn damaged(path: &Path) -> Error {
    Error::usage(format!(
        "{} is damaged or not whole: copy it again from where it was written",
        path.display()
    ))
}

/// The SHA-256 of the rest of a file, in hexadecimal digits.
fn digest(file: &mut File) -> io::Result<String> {
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hexadecimal(digest.finalize().iter())),
            read => digest.update(buffer.get(..read).unwrap_or_default()),
        }
    }
}
