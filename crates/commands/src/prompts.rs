//! Slash commands that are prompts: two built-in ones, those of a trusted project in `.throughline/commands` and `.claude/commands`, the
//! user's own, those of plugins, and skills.

mod command_name;

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::path::Path;

use throughline_config::{Config, ProjectCommand, Trust, root_mark};
use throughline_instructions::{PromptFile, Skill};
use throughline_text::headline;

use crate::slash::{is_command, is_unknown};
use command_name::name_problem;

/// The commands of every project: name, description and prompt. One of the project with the same name replaces it.
const BUILT_IN: [(&str, &str, &str); 2] = [
    ("init", "Write AGENTS.md: commands, layout and rules of this project", include_str!("prompts/init.md")),
    (
        "review",
        "Review the uncommitted changes, or a branch, commit or path",
        include_str!("prompts/review.md"),
    ),
];

/// The prompt of a skill.
const SKILL: &str = include_str!("prompts/skill.md");
/// What it has for the skill's name.
const SKILL_NAME: &str = "NAME";

/// Bytes of a prompt that is used.
const MAX_PROMPT_BYTES: u64 = 64 * 1024;
/// What a prompt names the text behind the command with.
const ARGUMENTS: &str = "$ARGUMENTS";
/// Characters of a description.
const MAX_ABOUT: usize = 60;

/// A command that is a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptCommand {
    /// Its name, without the slash.
    pub name: String,
    /// What may be written behind it; may be empty.
    pub arguments: String,
    /// One line of description.
    pub about: String,
    /// Where it is from, as the heading of a group.
    pub group: String,
    prompt: String,
    /// It is written for Claude Code: `$1` to `$9` name single words.
    of_claude: bool,
    /// The place of its group: built-in ones, the project's, the user's, those of plugins, skills.
    rank: u8,
}

impl PromptCommand {
    fn new(name: &str, file: PromptFile, group: &str, rank: u8) -> Self {
        let PromptFile { description, arguments, text } = file;
        let takes_text = if text.contains(ARGUMENTS) { "[TEXT]".to_owned() } else { String::new() };
        Self {
            name: name.to_owned(),
            arguments: arguments.unwrap_or(takes_text),
            about: headline(description.as_deref().unwrap_or(&text), MAX_ABOUT),
            group: group.to_owned(),
            prompt: text,
            of_claude: false,
            rank,
        }
    }
}

/// The prompts, and files that cannot be used.
#[derive(Debug, Clone, Default)]
pub struct PromptCommands {
    commands: BTreeMap<String, PromptCommand>,
    /// Commands of plugins and in folders by their short names, which nothing else has.
    short: BTreeMap<String, PromptCommand>,
    problems: Vec<String>,
    /// Files that are no commands, each with the reason.
    ignored: Vec<String>,
}

impl PromptCommands {
    /// The built-in commands, those of a project if it is trusted, the user's own, those of plugins, and skills. The user's own replace
    /// others of their name; a skill is no command where something else has its name.
    pub fn of(config: &Config) -> Self {
        let mut all = Self::default();
        for (name, about, prompt) in BUILT_IN {
            let file = PromptFile { description: Some(about.to_owned()), ..PromptFile::parse(prompt) };
            all.add(PromptCommand::new(name, file, "prompts", 0));
        }
        if config.trust == Trust::Trusted {
            config.project.commands.iter().for_each(|file| all.add_of_project(file));
        }
        for file in &config.user_commands {
            match text(&file.path) {
                Ok(text) => {
                    let command = PromptCommand::new(&file.name, PromptFile::parse(&text), "your own", 2);
                    all.add_file(PromptCommand { of_claude: file.of_claude, ..command }, &file.path);
                }
                Err(why) => all.problems.push(format!("{}: {why}", file.path.display())),
            }
        }
        for plugin in config.plugins.used() {
            for file in &plugin.commands {
                match text(&file.path) {
                    Ok(text) => {
                        let text = text.replace(&root_mark(), &plugin.root.display().to_string());
                        let name = format!("{}:{}", plugin.name, file.name);
                        let group = format!("plugin {}", plugin.name);
                        let command = PromptCommand::new(&name, PromptFile::parse(&text), &group, 3);
                        all.add_file(PromptCommand { of_claude: true, ..command }, &file.path);
                    }
                    Err(why) => all.problems.push(format!("{}: {why}", plugin.place(&file.path))),
                }
            }
        }
        all.shorten();
        config.skills().iter().for_each(|skill| all.add_skill(skill));
        all
    }

    fn add_of_project(&mut self, file: &ProjectCommand) {
        let ProjectCommand { name, of_claude, text, path } = file;
        if text.len() as u64 > MAX_PROMPT_BYTES {
            self.ignored.push(format!("{}: {}", path.display(), too_large()));
            return;
        }
        let command = PromptCommand::new(name, PromptFile::parse(text), "this project", 1);
        self.add_file(PromptCommand { of_claude: *of_claude, ..command }, path);
    }

    /// Adds the command of a file, if it can be typed.
    fn add_file(&mut self, command: PromptCommand, path: &Path) {
        match name_problem(&command.name) {
            Some(why) => self.ignored.push(format!("{}: {why}", path.display())),
            None => self.add(command),
        }
    }

    fn add_skill(&mut self, skill: &Skill) {
        if skill.user_invocable && self.is_free(&skill.name) && !self.short.contains_key(&skill.name) {
            let prompt = SKILL.replace(SKILL_NAME, &skill.name);
            let file = PromptFile {
                description: Some(skill.description.clone()),
                arguments: Some("[TEXT]".to_owned()),
                text: prompt,
            };
            self.add(PromptCommand::new(&skill.name, file, "skills", 4));
        }
    }

    /// Returns true if nothing has this name.
    fn is_free(&self, name: &str) -> bool {
        let line = format!("/{name}");
        is_command(&line) && is_unknown(&line) && !self.commands.contains_key(name)
    }

    fn add(&mut self, command: PromptCommand) {
        self.commands.insert(command.name.clone(), command);
    }

    /// Gives a command of a plugin or in a folder the name without them, where nothing else has it.
    fn shorten(&mut self) {
        let mut by_short: BTreeMap<&str, Vec<&PromptCommand>> = BTreeMap::new();
        for command in self.commands.values() {
            if let Some((_, short)) = command.name.rsplit_once(':') {
                by_short.entry(short).or_default().push(command);
            }
        }
        let only = by_short.into_iter().filter_map(|(name, commands)| match commands.as_slice() {
            [one] if self.is_free(name) => {
                Some((name.to_owned(), PromptCommand { name: name.to_owned(), ..(*one).clone() }))
            }
            _ => None,
        });
        self.short = only.collect();
    }

    /// The message of a line that begins with such a command.
    pub fn message(&self, line: &str) -> Option<String> {
        let (name, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let name = name.strip_prefix('/')?;
        let command = self.commands.get(name).or_else(|| self.short.get(name))?;
        let prompt = command.prompt.trim_end();
        let rest = rest.trim();
        let filled = filled(prompt, rest, command.of_claude);
        Some(match (filled, rest.is_empty()) {
            (Some(filled), _) => filled,
            (None, true) => prompt.to_owned(),
            (None, false) => format!("{prompt}\n\n{rest}"),
        })
    }

    /// The line whose message this text is: what its user typed. `None`: no command makes such a message.
    pub fn typed(&self, text: &str) -> Option<String> {
        self.commands.values().find_map(|command| {
            let line = format!("/{} {}", command.name, rest_of(command.prompt.trim_end(), text)?);
            let line = line.trim_end().to_owned();
            (self.message(&line).as_deref() == Some(text)).then_some(line)
        })
    }

    /// The commands, for completion: the built-in ones, then those of the project, of the user, of plugins by both names, and skills.
    pub fn rows(&self) -> Vec<&PromptCommand> {
        let mut rows: Vec<&PromptCommand> = self.commands.values().chain(self.short.values()).collect();
        rows.sort_by_key(|command| (command.rank, &command.group, &command.name));
        rows
    }

    /// The commands under their groups, for the help. Those of plugins are there by their whole names. Files that are no commands
    /// follow.
    pub fn help(&self) -> String {
        let (mut lines, mut group) = (Vec::new(), "");
        for row in self.rows().into_iter().filter(|row| self.commands.contains_key(&row.name)) {
            if row.group != group {
                group = &row.group;
                lines.extend([String::new(), group.to_owned()]);
            }
            let typed = format!("/{} {}", row.name, row.arguments);
            lines.push(format!("  {:<29}  {}", typed.trim_end(), row.about));
        }
        if !self.ignored.is_empty() {
            lines.extend([String::new(), "ignored files".to_owned()]);
            lines.extend(self.ignored.iter().map(|text| format!("  {text}")));
        }
        lines.join("\n")
    }

    /// Files of the user and of plugins that cannot be used, each with the reason.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

fn too_large() -> String {
    format!("it has more than {MAX_PROMPT_BYTES} bytes; shorten it")
}

/// The prompt with the text behind the command in it; `None`: the prompt does not name it. `numbered`: it may name single words by `$1`
/// to `$9`, as Claude Code's do.
fn filled(prompt: &str, rest: &str, numbered: bool) -> Option<String> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let mut parts = prompt.split('$');
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut named = false;
    for part in parts {
        let number = part.chars().next().and_then(|letter| letter.to_digit(10)).filter(|number| *number > 0);
        if let Some(behind) = part.strip_prefix("ARGUMENTS") {
            (named, out) = (true, out + rest + behind);
        } else if let (true, Some(number)) = (numbered, number) {
            let word = words.get(number as usize - 1).copied().unwrap_or_default();
            (named, out) = (true, out + word + part.get(1..).unwrap_or_default());
        } else {
            out = out + "$" + part;
        }
    }
    named.then_some(out)
}

/// What seems to be written behind the command whose prompt became this text. A prompt with few words of its own could be any text.
fn rest_of<'t>(prompt: &str, text: &'t str) -> Option<&'t str> {
    const LEAST: usize = 16;
    let Some((before, behind)) = prompt.split_once(ARGUMENTS) else {
        return Some(text.strip_prefix(prompt)?.trim());
    };
    if before.len() + behind.len() < LEAST {
        return None;
    }
    let rest = text.strip_prefix(before)?;
    match behind.split_once('$') {
        Some((fixed, _)) => rest.split_once(fixed).map(|(rest, _)| rest.trim()),
        None => Some(rest.strip_suffix(behind)?.trim()),
    }
}

/// The text of a prompt's file.
///
/// # Errors
/// It is no file, too large, or no text.
fn text(path: &Path) -> Result<String, String> {
    let size = path.metadata().ok().filter(Metadata::is_file).map(|file| file.len());
    match size {
        None => Err("it is no file; remove it".to_owned()),
        Some(size) if size > MAX_PROMPT_BYTES => Err(too_large()),
        Some(_) => fs::read_to_string(path).map_err(|error| format!("it cannot be read: {error}")),
    }
}

#[cfg(test)]
mod tests;
