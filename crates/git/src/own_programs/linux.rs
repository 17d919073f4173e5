//! What a git executes, and the limit to that.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use landlock::{
    AccessFs, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, RulesetError, path_beneath_rules,
};

use crate::environment::environment;

/// The maximum length of the path of a loader, in bytes.
const LONGEST: usize = 4_096;

/// The files that each git of this process executes.
static KNOWN: Mutex<BTreeMap<PathBuf, Option<Arc<[PathBuf]>>>> = Mutex::new(BTreeMap::new());

/// The files that this git executes when it works alone. `None`: it is a script or a program that starts git, which does not
/// work alone.
///
/// # Errors
/// The system does not start it.
pub(super) fn programs_of(git: &Path) -> io::Result<Option<Arc<[PathBuf]>>> {
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(programs) = known.get(git) {
        return Ok(programs.clone());
    }
    let programs = find_programs(git)?;
    known.insert(git.to_owned(), programs.clone());
    Ok(programs)
}

/// Git, what loads it, and the copy of it that it starts itself.
fn find_programs(git: &Path) -> io::Result<Option<Arc<[PathBuf]>>> {
    let Ok(loader) = loader(git) else { return Ok(None) };
    let programs: Vec<PathBuf> = loader.into_iter().chain([git.to_owned()]).collect();
    let mut command = Command::new(git);
    command.arg("--exec-path").current_dir("/").stdin(Stdio::null()).stderr(Stdio::null());
    command.env_clear().envs(environment(std::env::vars_os()));
    let output = alone(&programs, || command.output())?;
    match output.status.code() {
        Some(0) => {
            let own = Path::new(OsStr::from_bytes(output.stdout.trim_ascii())).join("git");
            Ok(Some(programs.into_iter().chain([own]).collect()))
        }
        Some(_) => Ok(None),
        None => Err(io::Error::other(output.status.to_string())),
    }
}

/// Starts a program in a thread of its own, which executes these files only: what a thread has limited, it cannot undo.
pub(super) fn alone<T: Send>(
    programs: &[PathBuf],
    start: impl FnOnce() -> io::Result<T> + Send,
) -> io::Result<T> {
    std::thread::scope(|scope| {
        let limited = || limit(programs).and_then(|()| start());
        let started = std::thread::Builder::new().spawn_scoped(scope, limited)?.join();
        started.map_err(|_| io::Error::other("the thread that starts a program has failed"))?
    })
}

/// Lets this thread, and what it starts, execute these files only. Where the kernel cannot do that, it does nothing.
fn limit(programs: &[PathBuf]) -> io::Result<()> {
    let set = || -> Result<(), RulesetError> {
        // Without a rule for it no file could be moved from one folder to another.
        let rules = Ruleset::default().handle_access(AccessFs::Execute | AccessFs::Refer)?.create()?;
        let rules = rules.add_rules(path_beneath_rules(programs, AccessFs::Execute))?;
        rules.add_rules(path_beneath_rules(["/"], AccessFs::Refer))?.restrict_self()?;
        Ok(())
    };
    set().map_err(io::Error::other)
}

/// The program that the kernel starts to load this one, which is an ELF file of 64 bits of this machine
/// (<https://refspecs.linuxfoundation.org/elf/gabi4+/ch5.pheader.html>). Empty: it loads itself.
///
/// # Errors
/// It is another kind of file, such as a script.
fn loader(program: &Path) -> io::Result<Option<PathBuf>> {
    let file = File::open(program)?;
    let read = |at: u64, length: usize| {
        let mut bytes = vec![0; length];
        file.read_exact_at(&mut bytes, at).map(|()| bytes)
    };
    let invalid = || io::Error::from(io::ErrorKind::InvalidData);
    let header = read(0, 64)?;
    if !header.starts_with(b"\x7fELF\x02") {
        return Err(invalid());
    }
    let (first, size, count) = (number::<8>(&header, 32), number::<2>(&header, 54), number::<2>(&header, 56));
    for index in 0..count {
        let part = read(first.wrapping_add(index * size), 56)?;
        if number::<4>(&part, 0) == INTERPRETER {
            let length = usize::try_from(number::<8>(&part, 32)).ok().filter(|length| *length <= LONGEST);
            let path = read(number::<8>(&part, 8), length.ok_or_else(invalid)?)?;
            return Ok(path.split(|byte| *byte == 0).next().map(|path| OsStr::from_bytes(path).into()));
        }
    }
    Ok(None)
}

/// The type of the part that names the loader.
const INTERPRETER: u64 = 3;

/// The number in some bytes of a header. Both have a length that holds it.
fn number<const LENGTH: usize>(bytes: &[u8], at: usize) -> u64 {
    let mut wide = [0; 8];
    let start = if cfg!(target_endian = "big") { 8 - LENGTH } else { 0 };
    let found = bytes.iter().skip(at).take(LENGTH);
    wide.iter_mut().skip(start).zip(found).for_each(|(to, from)| *to = *from);
    u64::from_ne_bytes(wide)
}
