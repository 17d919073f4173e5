//! Putting imported files into the text that imports them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use throughline_text::first_chars;

use crate::cut::within;
use crate::imports::{Scanner, is_meant_as_file};
use crate::places::SessionFolders;
use crate::reading::{read, real};

/// How many files deep imports go: a rules file's own imports are the first.
const MAX_DEPTH: usize = 5;

/// Files that are imported at most, in all.
const MAX_IMPORTS: usize = 100;

/// Kept for notes about imports that find no room.
const NOTES_CHARS: usize = 1_000;

/// Of an imported path so much is repeated in a note.
const PATH_CHARS: usize = 200;

/// The state shared by all rules files of one load.
#[derive(Debug)]
pub(crate) struct Expander<'a> {
    pub(crate) places: &'a SessionFolders,
    /// Maximum characters of one file.
    pub(crate) file_chars: usize,
    /// Characters that are left for everything.
    pub(crate) room: usize,
    /// Files that are shown already.
    pub(crate) seen: BTreeSet<PathBuf>,
    pub(crate) imported: usize,
    pub(crate) problems: Vec<String>,
}

/// One rules file while its imports are put in.
#[derive(Debug)]
pub(crate) struct Importing<'a> {
    /// The folder that no import may leave.
    pub(crate) inside: &'a Path,
    /// The rules file, named in problems for the user.
    pub(crate) shown: &'a str,
    /// Imports that could not even be mentioned.
    pub(crate) unsaid: usize,
}

impl Expander<'_> {
    /// The text with its imports. The text itself is paid for; whatever comes into it is paid here.
    pub(crate) fn expand(
        &mut self,
        text: &str,
        folder: &Path,
        depth: usize,
        file: &mut Importing<'_>,
    ) -> String {
        let mut scanner = Scanner::default();
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            out.push_str(line);
            for path in scanner.imports(line) {
                let ended = out.ends_with('\n');
                if let Some(block) = self.import(path, folder, depth, ended, file) {
                    if !ended {
                        out.push('\n');
                    }
                    out.push_str(&block);
                }
            }
        }
        out
    }

    /// The blocks below the line of an import. Each block pays for the line end before it as well.
    fn import(
        &mut self,
        path: &str,
        folder: &Path,
        depth: usize,
        ended: bool,
        file: &mut Importing<'_>,
    ) -> Option<String> {
        let (wanted, allowed) = self.places.imported(path, folder, file.inside);
        if !is_meant_as_file(path) && !wanted.is_file() {
            return None;
        }
        let named = first_chars(path, PATH_CHARS);
        let found = allowed.iter().map(|inside| real(&wanted, inside));
        let found = found.reduce(|before, next| if next.is_ok() { next } else { before });
        let real = match found {
            Some(Ok(real)) => real,
            Some(Err(why)) => return self.left_out(named, &why.to_string(), ended, file),
            None => return None,
        };
        if self.seen.contains(&real) {
            return self.note(
                &format!("[@{named}: this file is shown elsewhere in these rules.]"),
                ended,
                file,
            );
        }
        if depth >= MAX_DEPTH {
            let why = format!("imports go {MAX_DEPTH} files deep and no deeper");
            return self.left_out(named, &why, ended, file);
        }
        if self.imported >= MAX_IMPORTS {
            let why = format!("no more than {MAX_IMPORTS} files are imported");
            return self.left_out(named, &why, ended, file);
        }
        let found = match read(&real) {
            Ok(found) => found,
            Err(why) => return self.left_out(named, &why.to_string(), ended, file),
        };
        let shown = self.places.shown(&real);
        let (begin, end) = (format!("[begin of {shown}]\n"), format!("[end of {shown}]\n"));
        // The line ends before the block and after its text.
        let frame = begin.chars().count() + end.chars().count() + 2;
        let most = self.file_chars.min(self.room.saturating_sub(frame + NOTES_CHARS));
        let text = found.text.trim_end();
        let Some((own, cut)) = within(text, found.hidden, most, &how_to_read(self.places, &real)) else {
            let why = format!("there is no room for it; {}", how_to_read(self.places, &real));
            return self.left_out(named, &why, ended, file);
        };
        self.room = self.room.saturating_sub(frame + own.chars().count());
        self.imported += 1;
        self.tell_of(&shown, cut, found.removed);
        let folder = real.parent().map_or_else(|| real.clone(), Path::to_owned);
        self.seen.insert(real);
        let mut body = self.expand(&own, &folder, depth + 1, file);
        if !body.ends_with('\n') {
            body.push('\n');
        }
        Some(format!("{begin}{body}{end}"))
    }

    /// Reports to the user what of a file is shown changed or not at all.
    pub(crate) fn tell_of(&mut self, shown: &str, cut: bool, removed: usize) {
        if cut {
            self.problems.push(format!("{shown} is too long: only its beginning and its end are shown"));
        }
        if removed > 0 {
            self.problems
                .push(format!("{shown} has {removed} invisible or control characters; they are left out"));
        }
    }

    fn left_out(&mut self, path: &str, why: &str, ended: bool, file: &mut Importing<'_>) -> Option<String> {
        self.problems.push(format!("{} imports @{path}, which is left out: {why}", file.shown));
        self.note(&format!("[@{path} is left out: {why}.]"), ended, file)
    }

    fn note(&mut self, note: &str, ended: bool, file: &mut Importing<'_>) -> Option<String> {
        let price = note.chars().count() + 1 + usize::from(!ended);
        match self.room.checked_sub(price) {
            Some(left) => {
                self.room = left;
                Some(format!("{note}\n"))
            }
            None => {
                file.unsaid += 1;
                None
            }
        }
    }
}

/// How the model reads what is not shown of a file.
pub(crate) fn how_to_read(places: &SessionFolders, real: &Path) -> String {
    let shown = places.shown(real);
    if places.is_reachable(real) {
        format!("read_file shows all of {shown}")
    } else {
        format!("it is in {shown}, where file tools do not reach: ask the user when you need it")
    }
}

#[cfg(test)]
mod tests;
