//! Opening a file, and nothing that only looks like one: reading a pipe or a device may never end.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io::Error;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::OFlags;

/// Why a file was not opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It is no regular file but this.
    #[error("it is no regular file")]
    Special(FileType),
    /// The system refuses.
    #[error("it cannot be opened")]
    Refused(#[from] Error),
}

/// Opens a file for reading, without waiting for anybody. Links are followed.
///
/// # Errors
/// [`OpenError`] when it cannot be opened, or is a folder, a pipe or a device.
pub fn open_regular(path: &Path) -> Result<(File, Metadata), OpenError> {
    // Before it is opened: some devices do something when they are.
    regular(path.metadata()?)?;
    // Without waiting: it may have become a pipe since it was looked at.
    let flags = OFlags::NONBLOCK.bits() as i32;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let metadata = regular(file.metadata()?)?;
    Ok((file, metadata))
}

fn regular(metadata: Metadata) -> Result<Metadata, OpenError> {
    if metadata.is_file() { Ok(metadata) } else { Err(OpenError::Special(metadata.file_type())) }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::{OpenError, open_regular};

    fn pipe(path: &Path) {
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    #[test]
    fn a_file_is_opened_and_all_else_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "text").unwrap();
        std::os::unix::fs::symlink("file", at("link")).unwrap();
        pipe(&at("pipe"));
        for name in ["file", "link"] {
            let (mut file, metadata) = open_regular(&at(name)).unwrap();
            let mut text = String::new();
            file.read_to_string(&mut text).unwrap();
            assert_eq!((text.as_str(), metadata.len()), ("text", 4));
        }
        for path in [at("pipe").as_path(), folder.path(), Path::new("/dev/null")] {
            assert!(matches!(open_regular(path), Err(OpenError::Special(_))), "{}", path.display());
        }
        assert!(matches!(open_regular(&at("none")), Err(OpenError::Refused(_))));
    }

    #[test]
    fn a_pipe_that_takes_the_place_of_a_file_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), "text").unwrap();
        pipe(&at("pipe"));
        std::os::unix::fs::symlink("file", at("place")).unwrap();
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for target in ["pipe", "file"].into_iter().cycle() {
                    if done.load(Ordering::Relaxed) {
                        break;
                    }
                    std::os::unix::fs::symlink(target, at("new")).unwrap();
                    std::fs::rename(at("new"), at("place")).unwrap();
                }
            });
            // Plain opening hangs here, sooner or later: nobody writes into the pipe.
            for _ in 0..5_000 {
                if let Ok((_, metadata)) = open_regular(&at("place")) {
                    assert!(metadata.is_file());
                }
            }
            done.store(true, Ordering::Relaxed);
        });
    }
}
