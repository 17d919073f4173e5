//! Output styles: how the model works with its user and writes to it, as a text in the prompt. Of user, project and plugins, a
//! Markdown file each, with front matter; two are built in.

use crate::front_matter::{FrontMatterError, as_name, body_of, optional, switch};
use crate::named_files::{FoundFile, NamedFile, NamedFiles};
use crate::places::SessionFolders;
use crate::plugin_parts::PluginParts;
use crate::skills::{SkillOrigin, SkillProblem};

/// The folder of their files.
pub(crate) const FOLDER: &str = "output-styles";

/// Maximum characters of a text, which is in each request.
const MAX_CHARS: usize = 20_000;

/// Characters of a description that is the beginning of the text.
const HEADLINE: usize = 100;

/// An output style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputStyle {
    /// Its name: 1 to 64 of `a-z`, `0-9` and `-`; of a plugin `PLUGIN:NAME`.
    pub name: String,
    /// Its purpose, in one line.
    pub description: String,
    /// What the model reads.
    pub text: String,
    /// The model still reads how to work on code.
    pub keeps_coding: bool,
    /// Whose it is.
    pub origin: SkillOrigin,
    /// How user and model know its file.
    pub shown: String,
}

impl NamedFile for OutputStyle {
    fn name(&self) -> &str {
        &self.name
    }

    fn shown(&self) -> &str {
        &self.shown
    }
}

/// All output styles, and files that cannot be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutputStyles {
    styles: NamedFiles<OutputStyle>,
}

impl OutputStyles {
    /// Looks for styles: the user's first, then the project's if it is trusted, those of plugins, and the built-in ones. Of two with
    /// the same name the first counts.
    ///
    /// It never fails. Unusable files are listed in [`problems`](Self::problems).
    #[must_use]
    pub fn discover(places: &SessionFolders, trusted: bool, plugins: &[PluginParts]) -> Self {
        let mut styles = NamedFiles::discover(places, trusted, FOLDER, open);
        for plugin in plugins {
            styles.add_of_plugin(plugin, &plugin.output_styles, open);
        }
        for style in built_in() {
            styles.add_default(style);
        }
        Self { styles }
    }

    /// The styles, by name.
    pub fn iter(&self) -> impl Iterator<Item = &OutputStyle> {
        self.styles.iter()
    }

    /// The style of this name, in any case and with spaces for dashes.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&OutputStyle> {
        self.styles.get(&as_name(name))
    }

    /// Files that cannot be used.
    #[must_use]
    pub fn problems(&self) -> &[SkillProblem] {
        self.styles.problems()
    }
}

fn open(file: &FoundFile<'_>) -> Result<OutputStyle, String> {
    let text = file.text()?;
    let mut style = style_of(&text, &file.stem()).map_err(|why| why.to_string())?;
    if let Some(plugin) = file.plugin {
        style.name = plugin.named(&style.name);
    }
    let length = style.text.chars().count();
    if length > MAX_CHARS {
        return Err(format!("its text has {length} characters; shorten it to {MAX_CHARS}"));
    }
    Ok(OutputStyle { origin: file.origin, shown: file.shown.to_owned(), ..style })
}

/// The style of a file with this text. Claude Code names them with capitals and spaces.
fn style_of(text: &str, stem: &str) -> Result<OutputStyle, FrontMatterError> {
    let written = optional(text, "name")?.map(|name| as_name(&name));
    let name =
        written.filter(|name| FrontMatterError::of_name(name).is_ok()).unwrap_or_else(|| as_name(stem));
    FrontMatterError::of_name(&name)?;
    let body = body_of(text).unwrap_or_default().to_owned();
    if body.is_empty() {
        return Err(FrontMatterError::Empty);
    }
    let keeps_coding = switch(text, "keep-coding-instructions", false)?;
    Ok(OutputStyle {
        name,
        description: optional(text, "description")?
            .unwrap_or_else(|| throughline_text::headline(&body, HEADLINE)),
        text: body,
        keeps_coding,
        origin: SkillOrigin::User,
        shown: String::new(),
    })
}

fn built_in() -> [OutputStyle; 2] {
    let style = |name: &str, description: &str, text: &str| OutputStyle {
        name: name.to_owned(),
        description: description.to_owned(),
        text: text.trim_end().to_owned(),
        keeps_coding: true,
        origin: SkillOrigin::User,
        shown: "built in".to_owned(),
    };
    [
        style(
            "concise",
            "answers in as few words as the work allows",
            include_str!("output_styles/concise.md"),
        ),
        style(
            "explanatory",
            "explains the reasons behind the code, and what the choice was between",
            include_str!("output_styles/explanatory.md"),
        ),
    ]
}

#[cfg(test)]
mod tests;
