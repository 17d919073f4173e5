//! The rules files of user and project.

use std::path::{Path, PathBuf};

use throughline_prompt::PromptSection;

use crate::cut::within;
use crate::expand::{Expander, Importing, how_to_read};
use crate::places::SessionFolders;
use crate::reading::{FileText, read, real};
use crate::refusal::Refusal;

/// Maximum characters of one file, imported ones too. Twice as much as any rules file should have that a model is to
/// follow; what is longer is mostly reference, which can be read when it is needed.
const FILE_CHARS: usize = 20_000;

/// Maximum characters of all rules together: about 15,000 tokens of English.
const ALL_CHARS: usize = 60_000;

/// The most of one file that is shown, independent of configured limits.
const MOST_FILE_CHARS: usize = 100_000;

/// Characters of each file that are reserved for notes at its end.
const REMARKS_CHARS: usize = 200;

/// Problems reported at most; a hostile file could cause millions.
const MOST_PROBLEMS: usize = 100;

/// Which files are searched, and how much of them is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesPolicy {
    /// Names of rules files. The first existing one of each folder counts. With `CLAUDE.md` among them, `CLAUDE.local.md` of the
    /// project's folders is read as well: what its user adds to the rules that all share.
    pub names: Vec<String>,
    /// Maximum characters of one file.
    pub file_chars: usize,
    /// Maximum characters of all of them together.
    pub all_chars: usize,
}

impl Default for RulesPolicy {
    fn default() -> Self {
        let names = ["AGENTS.md", "AGENT.md", "CLAUDE.md"].map(str::to_owned).to_vec();
        Self { names, file_chars: FILE_CHARS, all_chars: ALL_CHARS }
    }
}

impl RulesPolicy {
    /// Takes no more of a small window than is left for work: half a character for each of its tokens, which is an
    /// eighth of the window in English and a half in scripts of one token per character.
    #[must_use]
    pub fn within_window(self, tokens: u64) -> Self {
        let most = usize::try_from(tokens / 2).unwrap_or(usize::MAX);
        Self { file_chars: self.file_chars.min(most), all_chars: self.all_chars.min(most), ..self }
    }
}

/// A name of rules files, and the name of the file that belongs to it.
const CLAUDE_FILE: &str = "CLAUDE.md";
const CLAUDE_LOCAL_FILE: &str = "CLAUDE.local.md";

/// The owner of a rules file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Owner {
    /// The user, in the configuration.
    User,
    /// The project.
    Project,
}

/// One rules file as the model sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesFile {
    /// Whose rules they are.
    pub owner: Owner,
    /// Its real path.
    pub path: PathBuf,
    /// How model and user know it.
    pub shown: String,
    /// The text with a heading and its imports.
    pub text: String,
    /// Whether its own text is truncated.
    pub is_cut: bool,
}

/// The rules in force, as of the last read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    files: Vec<RulesFile>,
    problems: Vec<String>,
}

impl Rules {
    /// Reads the rules: the user's first, then the project's from its root down to the workspace.
    ///
    /// It never fails. A file that cannot be shown is named in the text where the model would miss it, and in
    /// [`problems`](Self::problems). The texts together have at most `policy.all_chars` characters.
    #[must_use]
    pub fn load(places: &SessionFolders, policy: &RulesPolicy) -> Self {
        let mut problems = Vec::new();
        let found = find(places, policy, &mut problems);
        let mut expander = Expander {
            places,
            file_chars: policy.file_chars.min(MOST_FILE_CHARS),
            room: policy.all_chars,
            seen: found.iter().map(|one| one.path.clone()).collect(),
            imported: 0,
            problems,
        };
        // Every file's own text comes before anybody's imports, or the first file could take the room of all.
        let own: Vec<Own<'_>> = found.into_iter().filter_map(|one| own(one, &mut expander)).collect();
        let files = own.into_iter().map(|one| with_imports(one, &mut expander)).collect();
        let mut problems = expander.problems;
        let more = problems.len().saturating_sub(MOST_PROBLEMS);
        problems.truncate(MOST_PROBLEMS);
        if more > 0 {
            problems.push(format!("and {more} more problems of this kind"));
        }
        Self { files, problems }
    }

    /// The files, in the order in which they are shown.
    #[must_use]
    pub fn files(&self) -> &[RulesFile] {
        &self.files
    }

    /// Everything that is shown changed or not at all, and why: one line for the user each.
    #[must_use]
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// One section of the prompt for each file.
    #[must_use]
    pub fn sections(&self) -> Vec<PromptSection> {
        let section = |file: &RulesFile| {
            let whose = if file.owner == Owner::User { "user's rules" } else { "rules" };
            PromptSection::project(format!("{whose} {}", file.shown), &*file.text)
        };
        self.files.iter().map(section).collect()
    }
}

/// A file that is there.
#[derive(Debug)]
struct FoundRules<'a> {
    owner: Owner,
    path: PathBuf,
    /// The folder that its imports may not leave.
    inside: &'a Path,
    /// The folder of the file.
    folder: &'a Path,
    text: FileText,
}

fn find<'a>(
    places: &'a SessionFolders,
    policy: &RulesPolicy,
    problems: &mut Vec<String>,
) -> Vec<FoundRules<'a>> {
    let mut found: Vec<FoundRules<'a>> = Vec::new();
    let user = places.config().map(|config| (Owner::User, config, config));
    let project = places.folders().into_iter().map(|folder| (Owner::Project, folder, places.root()));
    let shared: Vec<&str> = policy.names.iter().map(String::as_str).collect();
    let local: &[&str] = if shared.contains(&CLAUDE_FILE) { &[CLAUDE_LOCAL_FILE] } else { &[] };
    let names = |(owner, folder, inside)| {
        let local = if owner == Owner::Project { local } else { &[] };
        [&*shared, local].map(|names| (owner, folder, inside, names))
    };
    for (owner, folder, inside, names) in user.into_iter().chain(project).flat_map(names) {
        for name in names {
            let path = folder.join(name);
            let opened = real(&path, inside).and_then(|path| Ok((read(&path)?, path)));
            match opened {
                Err(Refusal::Missing) if path.symlink_metadata().is_err() => continue,
                // Two folders may share a file by a link.
                Ok((_, path)) if found.iter().any(|other| other.path == path) => {}
                Ok((text, path)) => found.push(FoundRules { owner, path, inside, folder, text }),
                Err(why) => problems.push(format!("{} is left out: {why}", places.shown(&path))),
            }
            break;
        }
    }
    found
}

/// A file whose own text has its room.
#[derive(Debug)]
struct Own<'a> {
    found: FoundRules<'a>,
    shown: String,
    heading: String,
    text: String,
    is_cut: bool,
}

fn own<'a>(found: FoundRules<'a>, expander: &mut Expander<'_>) -> Option<Own<'a>> {
    let places = expander.places;
    let shown = places.shown(&found.path);
    let text = found.text.text.trim_end();
    if text.is_empty() {
        return None;
    }
    let heading = heading(&found, places, &shown);
    let fixed = heading.chars().count() + REMARKS_CHARS;
    let most = expander.file_chars.min(expander.room.saturating_sub(fixed));
    let cut = within(text, found.text.hidden, most, &how_to_read(places, &found.path));
    let Some((text, is_cut)) = cut.filter(|_| expander.room >= fixed) else {
        expander.problems.push(format!("{shown} is left out: there is no room for it"));
        return None;
    };
    expander.room = expander.room.saturating_sub(fixed + text.chars().count());
    expander.tell_of(&shown, is_cut, found.text.removed);
    Some(Own { found, shown, heading, text, is_cut })
}

/// The heading that the model sees before a file's text.
fn heading(found: &FoundRules<'_>, places: &SessionFolders, shown: &str) -> String {
    match found.owner {
        Owner::User => "# Rules of the user\n\n".to_owned(),
        Owner::Project if found.folder == places.root() => format!("# Rules of the project ({shown})\n\n"),
        Owner::Project => {
            let folder = places.shown(found.folder);
            let folder = if folder == "." { "the working folder".to_owned() } else { folder };
            format!(
                "# Rules of the project for {folder} ({shown})\n\nWhere they differ from rules of folders above, these hold.\n\n"
            )
        }
    }
}

fn with_imports(own: Own<'_>, expander: &mut Expander<'_>) -> RulesFile {
    let Own { found, shown, heading, text, is_cut } = own;
    let mut importing = Importing { inside: found.inside, shown: &shown, unsaid: 0 };
    let text = expander.expand(&text, found.path.parent().unwrap_or(found.folder), 0, &mut importing);
    let mut remarks = String::new();
    if importing.unsaid > 0 {
        remarks.push_str(&format!("\n[{} imports are left out: there is no room.]", importing.unsaid));
    }
    if found.text.removed > 0 {
        remarks.push_str(&format!(
            "\n[{} invisible characters were taken out of this file.]",
            found.text.removed
        ));
    }
    let text = format!("{heading}{}{remarks}", text.trim_end());
    RulesFile { owner: found.owner, path: found.path, shown, text, is_cut }
}

#[cfg(test)]
mod tests;
