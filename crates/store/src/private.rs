//! Files and folders that only their owner can read, whatever the umask is.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a folder, and those above it, for the owner alone (0700). One that exists is left unchanged.
pub(crate) fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(path)
}

/// Opens a file to read and write, and creates it if it is missing, for the owner alone (0600). One that
/// others could read is closed to them.
pub(crate) fn open_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let file = options.open(path)?;
    close_to_others(&file)?;
    Ok(file)
}

/// Creates a database file if it is missing, for the owner alone (0600), and closes one that others could read to them.
///
/// The file is never opened under its name: the locks that SQLite has on it belong to the process, and closing any descriptor of
/// a file ends all of them, those of other connections of this process included (fcntl(2), "Record locking").
///
/// # Errors
/// It cannot be created, or not be read and written.
#[cfg(unix)]
pub(crate) fn prepare_database(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let found = match path.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return create_database(path),
        found => found?,
    };
    if found.is_dir() {
        return Err(rustix::io::Errno::ISDIR.into());
    }
    let mode = found.permissions().mode();
    if mode & 0o077 != 0 {
        fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700))?;
    }
    let both = rustix::fs::Access::READ_OK | rustix::fs::Access::WRITE_OK;
    Ok(rustix::fs::accessat(rustix::fs::CWD, path, both, rustix::fs::AtFlags::EACCESS)?)
}

/// Creates it under another name, and gives it its own when it is closed.
#[cfg(unix)]
fn create_database(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let made = tempfile::Builder::new().prefix(".throughline-new-").tempfile_in(folder)?.into_temp_path();
    match made.persist_noclobber(path) {
        Ok(()) => Ok(()),
        // Another process has made it meanwhile.
        Err(_) if path.exists() => Ok(()),
        // A link to a missing file, or a disk without hard links: no connection can have the file yet.
        Err(_) => open_file(path).map(drop),
    }
}

#[cfg(not(unix))]
pub(crate) fn prepare_database(path: &Path) -> io::Result<()> {
    open_file(path).map(drop)
}

#[cfg(unix)]
fn close_to_others(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = file.metadata()?.permissions().mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    file.set_permissions(fs::Permissions::from_mode(mode & 0o700))
}

#[cfg(not(unix))]
fn close_to_others(_file: &File) -> io::Result<()> {
    Ok(())
}
