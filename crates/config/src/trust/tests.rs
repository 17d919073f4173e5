//! For which folders and files a decision holds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::{Trust, TrustFile};
use crate::project::Project;

/// A repository `main` with folders in it, and a file of decisions.
struct Stage {
    _folder: TempDir,
    root: PathBuf,
    file: TrustFile,
}

impl Stage {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("main/sub/deep")).unwrap();
        let stage = Self { _folder: folder, file: TrustFile::in_folder(&root.join("data")), root };
        stage.git("main", &["init", "-q"]);
        stage
    }

    fn git(&self, folder: &str, args: &[&str]) {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-C"]).arg(self.root.join(folder));
        git.args(args).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        assert!(git.status().unwrap().success(), "git {args:?}");
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn skill(&self, folder: &str, name: &str) {
        let text = format!("---\nname: {name}\ndescription: Helps.\n---\nHelp.\n");
        self.put(&format!("{folder}/.claude/skills/{name}/SKILL.md"), &text);
    }

    fn project(&self, folder: &str) -> Project {
        Project::read(&self.root.join(folder))
    }

    fn trust(&self, folder: &str) {
        self.file.grant(&self.project(folder)).unwrap();
    }

    fn of(&self, folder: &str) -> Trust {
        self.file.of(&self.project(folder)).unwrap()
    }
}

#[test]
fn trust_in_a_project_holds_in_all_its_folders() {
    let stage = Stage::new();
    stage.skill("main", "one");
    stage.trust("main");
    assert_eq!([stage.of("main"), stage.of("main/sub/deep")], [Trust::Trusted; 2]);
    stage.trust("main/sub");
    assert_eq!([stage.of("main"), stage.of("main/sub")], [Trust::Trusted; 2]);
    stage.skill("main", "two");
    assert_eq!([stage.of("main"), stage.of("main/sub")], [Trust::Changed; 2]);
}

#[test]
fn a_folder_with_files_of_its_own_is_asked_about_once() {
    let stage = Stage::new();
    stage.trust("main");
    stage.skill("main/sub", "own");
    assert_eq!(
        [stage.of("main"), stage.of("main/sub"), stage.of("main/sub/deep")],
        [Trust::Trusted, Trust::Changed, Trust::Changed]
    );
    stage.trust("main/sub");
    stage.trust("main");
    assert_eq!([stage.of("main"), stage.of("main/sub"), stage.of("main/sub/deep")], [Trust::Trusted; 3]);
    stage.skill("main/sub", "another");
    assert_eq!([stage.of("main"), stage.of("main/sub")], [Trust::Trusted, Trust::Changed]);
}

#[test]
fn each_file_that_instructs_the_model_is_a_part_of_what_is_trusted() {
    for path in [
        ".throughline/agents/explore.md",
        ".claude/agents/ag.md",
        ".throughline/commands/go.md",
        ".claude/commands/sub/go.md",
        ".claude/output-styles/brief.md",
        ".throughline/output-styles/brief.md",
        ".agents/skills/one/SKILL.md",
    ] {
        let stage = Stage::new();
        let file = format!("main/{path}");
        stage.trust("main");
        stage.put(&file, "---\nname: a\ndescription: b\n---\nBe kind.\n");
        assert_eq!(stage.of("main"), Trust::Changed, "{path} is new");
        let lines = stage.project("main").instructions();
        let place = path.trim_end_matches("/SKILL.md");
        assert!(matches!(lines.as_slice(), [line] if line.contains(place)), "{lines:?}");
        stage.trust("main");
        assert_eq!(stage.of("main"), Trust::Trusted, "{path}");
        stage.put(&file, "---\nname: a\ndescription: b\n---\nBe cruel.\n");
        assert_eq!(stage.of("main"), Trust::Changed, "{path} has changed");
    }
}

#[test]
fn a_command_that_leads_out_of_the_project_is_not_used() {
    let stage = Stage::new();
    stage.put("secret.md", "The secret.");
    fs::create_dir_all(stage.root.join("main/.claude/commands")).unwrap();
    let link = stage.root.join("main/.claude/commands/go.md");
    std::os::unix::fs::symlink(stage.root.join("secret.md"), link).unwrap();
    assert!(stage.project("main").commands.is_empty());
}

#[test]
fn a_worktree_of_git_is_trusted_with_the_files_of_its_main_tree() {
    let stage = Stage::new();
    stage.put("main/.throughline/hooks.json", "{\"hooks\": {}}");
    stage.skill("main", "one");
    stage.git("main", &["add", "."]);
    stage.git("main", &["commit", "-q", "-m", "one"]);
    stage.git("main", &["worktree", "add", "-q", "../tree"]);
    fs::create_dir(stage.root.join("tree/sub")).unwrap();
    assert_eq!(stage.of("tree"), Trust::Unknown, "nothing is trusted yet");
    stage.trust("main");
    assert_eq!([stage.of("tree"), stage.of("tree/sub")], [Trust::Trusted; 2]);
    stage.skill("tree", "two");
    assert_eq!([stage.of("tree"), stage.of("main")], [Trust::Unknown, Trust::Trusted]);
    stage.trust("tree");
    assert_eq!(stage.of("tree"), Trust::Trusted);
}

#[test]
fn a_folder_that_names_itself_a_worktree_is_not_trusted() {
    let stage = Stage::new();
    stage.put("main/.throughline/config.toml", "[permissions]\nmode = \"yolo\"\n");
    stage.git("main", &["add", "."]);
    stage.git("main", &["commit", "-q", "-m", "one"]);
    stage.git("main", &["worktree", "add", "-q", "../tree"]);
    stage.trust("main");
    stage.put("copy/.throughline/config.toml", "[permissions]\nmode = \"yolo\"\n");
    fs::copy(stage.root.join("tree/.git"), stage.root.join("copy/.git")).unwrap();
    assert_eq!([stage.of("tree"), stage.of("copy")], [Trust::Trusted, Trust::Unknown]);
}

#[test]
fn a_refusal_holds_in_all_folders_until_the_files_change() {
    let stage = Stage::new();
    stage.skill("main", "one");
    stage.file.refuse(&stage.project("main/sub")).unwrap();
    let refused = |folder: &str| stage.file.is_refused(&stage.project(folder)).unwrap();
    assert!(refused("main") && refused("main/sub"));
    stage.put("main/.claude/agents/ag.md", "x");
    assert!(!refused("main") && !refused("main/sub"));
}

#[test]
fn a_decision_of_an_earlier_version_asks_again() {
    let stage = Stage::new();
    let root = stage.root.join("main");
    let text = format!(
        "{{\"folders\": {{{:?}: {{\"files\": \"abc\", \"at\": 1}}}}}}",
        Path::display(&root).to_string()
    );
    stage.put("data/trust.json", &text);
    assert_eq!(stage.of("main"), Trust::Changed);
    stage.trust("main/sub");
    assert_eq!(stage.of("main"), Trust::Trusted);
}
