//! The project of a workspace, and its files that can start programs or instruct the model.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use throughline_instructions::{ProjectFile, ProjectFileKind, SessionFolders};

use throughline_text::{cut_end, error_chain, hexadecimal, sanitized};

use crate::command_files::CommandFiles;
use crate::error::{Attempt as _, ConfigError, Result};
use crate::hook_texts::{HookText, PROJECT_FILES};

/// A larger file holds no settings.
const MAX_BYTES: u64 = 1024 * 1024;

/// Maximum number of MCP servers that are listed, and maximum bytes of what one of them runs.
const MAX_SERVERS: usize = 20;
const MAX_SHOWN: usize = 300;

/// Maximum number of files of a kind that are listed.
const MAX_LISTED: usize = 10;

/// A project: the folder with `.git` that is nearest above the workspace, or the workspace itself.
#[derive(Debug, Clone)]
pub struct Project {
    /// Its folder, with all links followed.
    pub root: PathBuf,
    /// The text of `.throughline/config.toml`.
    pub config: Option<String>,
    /// The text of `.mcp.json`.
    pub mcp: Option<String>,
    /// Its hooks.
    pub hooks: Vec<HookText>,
    /// Its slash commands: those of `.throughline/commands`, then those of `.claude/commands`, by name. Of two with the same name the
    /// first counts. Only a trusted project has commands.
    pub commands: Vec<ProjectCommand>,
    /// The project's root in the main working tree of its repository, if it is a linked worktree of one.
    pub main: Option<PathBuf>,
    /// Why files cannot be read.
    pub problems: Vec<String>,
    /// The folder that is worked in.
    pub(crate) workspace: PathBuf,
    /// Its other files that instruct the model. A file that cannot be read has no text; the session reports it.
    instructing: Vec<(ProjectFile, Option<String>)>,
}

impl Project {
    /// Reads the files of the project that a workspace belongs to. They are read once: what is trusted is what is used. A file
    /// that cannot be read counts as missing, or a repository could stop every session in it.
    #[must_use]
    pub fn read(workspace: &Path) -> Self {
        let places = SessionFolders::of(workspace, None);
        let root = places.root();
        let mut problems = Vec::new();
        let mut read = |name| {
            text(root, name).unwrap_or_else(|error| {
                problems.push(error_chain(&error));
                None
            })
        };
        let (config, mcp) = (read(".throughline/config.toml"), read(".mcp.json"));
        let hooks = PROJECT_FILES.iter().filter_map(|name| {
            let foreign = name.starts_with(".claude");
            HookText::of(root.join(name).display().to_string(), read(name)?, foreign)
        });
        let hooks = hooks.collect();
        let files = ProjectFile::all(&places).into_iter();
        let instructing = files.map(|file| {
            let text = text(root, &file.path).ok().flatten();
            (file, text)
        });
        Self {
            root: root.to_owned(),
            config,
            mcp,
            hooks,
            commands: commands(root),
            main: Some(places.main_root()).filter(|main| main != root),
            problems,
            workspace: places.workspace().to_owned(),
            instructing: instructing.collect(),
        }
    }

    /// The path of its settings file.
    #[must_use]
    pub fn config_name(&self) -> String {
        self.root.join(".throughline/config.toml").display().to_string()
    }

    /// The path of its file of MCP servers.
    #[must_use]
    pub fn mcp_name(&self) -> String {
        self.root.join(".mcp.json").display().to_string()
    }

    /// Its MCP servers with what they would run or connect to, one per line.
    #[must_use]
    pub fn servers(&self) -> Vec<String> {
        let text = self.mcp.iter();
        text.flat_map(|text| server_lines(text, &self.mcp_name(), MAX_SERVERS)).collect()
    }

    /// What its files say to the model, one per line.
    #[must_use]
    pub fn instructions(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (kind, name, does) in [
            (ProjectFileKind::Skill, "skill", "it tells the model what to do"),
            (ProjectFileKind::Agent, "kind of sub-agents", "it tells sub-agents what to do"),
            (
                ProjectFileKind::OutputStyle,
                "output style",
                "it tells the model how to work, if you choose it",
            ),
        ] {
            let files = self.instructing.iter().map(|(file, _)| file).filter(|file| file.kind == kind);
            let line = |file: &ProjectFile| format!("the {name} in {}: {does}", place(file));
            add_lines(&mut lines, files.map(line).collect(), name);
        }
        let commands = self.commands.iter().map(|command| {
            let path = command.path.strip_prefix(&self.root).unwrap_or(&command.path);
            let (name, path) = (shown(Path::new(&command.name)), shown(path));
            format!("the command /{name} in {path}: a prompt that you may send")
        });
        add_lines(&mut lines, commands.collect(), "command");
        lines
    }

    /// A collision-resistant hash of the files of each folder between the root and the workspace, by the folder's path from the root
    /// on. The root has one in any case, other folders where they have such files. Moving the project changes none.
    #[must_use]
    pub fn fingerprints(&self) -> BTreeMap<String, String> {
        let mut hashes = BTreeMap::from([(String::new(), self.root_hash())]);
        for (file, text) in &self.instructing {
            let hash = hashes.entry(file.folder.display().to_string()).or_default();
            add_part(hash, file.path.as_os_str().as_encoded_bytes());
            add_part(hash, text.as_deref().map(str::as_bytes));
        }
        hashes.into_iter().map(|(folder, hash)| (folder, hexadecimal(&hash.finalize()))).collect()
    }

    /// The hash of settings, servers, hooks and commands.
    fn root_hash(&self) -> Sha256 {
        let mut hash = Sha256::new();
        for text in [&self.config, &self.mcp] {
            add_part(&mut hash, text.as_deref().map(str::as_bytes));
        }
        for hooks in &self.hooks {
            let path = Path::new(&hooks.place);
            let path = path.strip_prefix(&self.root).unwrap_or(path);
            add_part(&mut hash, path.as_os_str().as_encoded_bytes());
            add_part(&mut hash, hooks.text.as_bytes());
        }
        for command in &self.commands {
            let path = command.path.strip_prefix(&self.root).unwrap_or(&command.path);
            add_part(&mut hash, path.as_os_str().as_encoded_bytes());
            add_part(&mut hash, command.text.as_bytes());
        }
        hash
    }
}

/// Adds a text or nothing to a hash, so that no two rows of parts are the same bytes.
fn add_part<'p>(hash: &mut Sha256, part: impl Into<Option<&'p [u8]>>) {
    let part = part.into();
    hash.update(part.map_or(u64::MAX, |part| part.len() as u64).to_le_bytes());
    hash.update(part.unwrap_or_default());
}

/// Adds as many lines as are listed of a kind, and says how many more there are.
fn add_lines(lines: &mut Vec<String>, of_kind: Vec<String>, name: &str) {
    let more = of_kind.len().saturating_sub(MAX_LISTED);
    lines.extend(of_kind.into_iter().take(MAX_LISTED));
    if more > 0 {
        lines.push(format!("{more} more files: {name}"));
    }
}

/// How the user knows a file: a skill by its folder.
fn place(file: &ProjectFile) -> String {
    match (file.kind, file.path.parent()) {
        (ProjectFileKind::Skill, Some(folder)) => shown(folder),
        _ => shown(&file.path),
    }
}

fn shown(path: &Path) -> String {
    sanitized(&path.to_string_lossy()).replace(['\n', '\t'], " ")
}

/// A prompt that a project has as a slash command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectCommand {
    /// Its name, without `/`: that of its file, behind those of the folders that it is in, with colons.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// It is written for Claude Code.
    pub of_claude: bool,
    /// Its text.
    pub text: String,
}

/// The slash commands of the project with this root that can be read.
fn commands(root: &Path) -> Vec<ProjectCommand> {
    let mut commands: Vec<ProjectCommand> = Vec::new();
    for (folder, of_claude) in [(".throughline/commands", false), (".claude/commands", true)] {
        for (name, path) in CommandFiles::of(Some(root), &root.join(folder)) {
            if commands.iter().all(|other| other.name != name) {
                let text = text(root, &path).ok().flatten();
                commands.extend(text.map(|text| ProjectCommand { name, path, of_claude, text }));
            }
        }
    }
    commands
}

/// The servers of a file in the form of `.mcp.json`, at most this many, with what they would run or connect to, one per line.
pub(crate) fn server_lines(text: &str, place: &str, most: usize) -> Vec<String> {
    let parsed: Option<Value> = serde_json::from_str(text).ok();
    let Some(servers) = parsed.as_ref().and_then(|value| value.get("mcpServers")?.as_object()) else {
        return vec![format!("the MCP servers of {place}: they could run commands")];
    };
    let mut lines: Vec<String> = servers
        .iter()
        .take(most)
        .map(|(name, entry)| format!("the MCP server {name:?} ({place}): it {}", purpose(entry)))
        .collect();
    if let Some(more) = servers.len().checked_sub(most).filter(|more| *more > 0) {
        lines.push(format!("{more} more MCP servers ({place})"));
    }
    lines
}

/// What a server of `.mcp.json` would do when it starts.
fn purpose(entry: &Value) -> String {
    if entry.get("disabled").and_then(Value::as_bool) == Some(true) {
        return "is disabled".to_owned();
    }
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let cut = |text: String| cut_end(&sanitized(&text), MAX_SHOWN).replace(['\n', '\t'], " ");
    match (entry.get("command"), entry.get("url")) {
        (Some(command), _) => {
            let arguments = entry.get("args").and_then(Value::as_array).into_iter().flatten().map(word);
            // Words with spaces stay recognizable.
            let quoted =
                |text: String| if text.contains(char::is_whitespace) { format!("{text:?}") } else { text };
            let words: Vec<String> = std::iter::once(word(command)).chain(arguments).map(quoted).collect();
            format!("runs `{}`", cut(words.join(" ")))
        }
        (None, Some(url)) => format!("connects to {}", cut(word(url))),
        (None, None) => "names neither a command nor an address".to_owned(),
    }
}

/// The text of a file of the project; `None` if it is missing.
fn text(root: &Path, name: impl AsRef<Path>) -> Result<Option<String>> {
    let path = root.join(name);
    if path.symlink_metadata().is_err() {
        return Ok(None);
    }
    let shown = path.display();
    let real = path.canonicalize().attempt(|| format!("cannot follow {shown}"))?;
    if !real.starts_with(root) {
        return Err(ConfigError::usage(format!(
            "{shown} leads out of the project; replace the link by a file"
        )));
    }
    let metadata = fs::metadata(&real).attempt(|| format!("cannot read {shown}"))?;
    if !metadata.is_file() {
        return Err(ConfigError::usage(format!("{shown} is no file; remove it")));
    }
    if metadata.len() > MAX_BYTES {
        let text = format!("{shown} is larger than {MAX_BYTES} bytes; write less into it");
        return Err(ConfigError::usage(text));
    }
    fs::read_to_string(&real).map(Some).attempt(|| format!("cannot read {shown}"))
}
