//! The files that instruct the model once their project is trusted.

use std::path::{Path, PathBuf};

use crate::named_files::{MAX_FILES, markdown_files};
use crate::places::SessionFolders;
use crate::skills::{MOST_ENTRIES, SKILL_FILE, SkillsPolicy, inner_folders};
use crate::{agents, output_styles};

/// What a file of a project is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ProjectFileKind {
    /// The text of a skill.
    Skill,
    /// A kind of sub-agents.
    Agent,
    /// An output style.
    OutputStyle,
}

/// A file that instructs the model once its project is trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectFile {
    /// What it is.
    pub kind: ProjectFileKind,
    /// The folder of the project that it is for, from the root on; empty: the root.
    pub folder: PathBuf,
    /// Its path, from the root on.
    pub path: PathBuf,
}

impl ProjectFile {
    /// All that a session in these folders would find, whether they can be used or not. The files of a folder are the same wherever
    /// in it the session works.
    #[must_use]
    pub fn all(places: &SessionFolders) -> Vec<Self> {
        let mut files = Vec::new();
        for above in places.folders() {
            let folder = above.strip_prefix(places.root()).unwrap_or(above);
            let mut add = |kind, path: &Path| {
                let path = path.strip_prefix(places.root()).unwrap_or(path).to_owned();
                files.push(Self { kind, folder: folder.to_owned(), path });
            };
            for name in SkillsPolicy::default().folders {
                let skills = inner_folders(&above.join(name)).into_iter().take(MOST_ENTRIES);
                let texts = skills.map(|folder| folder.join(SKILL_FILE));
                texts.filter(|file| file.exists()).for_each(|file| add(ProjectFileKind::Skill, &file));
            }
            for (kind, name) in [
                (ProjectFileKind::Agent, agents::FOLDER),
                (ProjectFileKind::OutputStyle, output_styles::FOLDER),
            ] {
                for place in [".throughline", ".claude"] {
                    let found = markdown_files(&above.join(place).join(name)).into_iter().take(MAX_FILES);
                    found.for_each(|file| add(kind, &file));
                }
            }
        }
        files
    }
}
