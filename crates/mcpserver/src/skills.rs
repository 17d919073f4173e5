//! The server's own skills (the extension `io.modelcontextprotocol/skills`, SEP-2640): how its tools are used together.
//!
//! A client that knows the extension offers them to its model by their descriptions, so that their texts take no part of its
//! window before they are used.

use rmcp::model::{
    CacheScope, ErrorData, GetSkillResult, ListSkillsResult, ReadResourceResult, ResourceContents, SKILL_MD,
    Skill, SkillFrontmatter, SkillResource, SkillResources,
};

use crate::server::FIXED_MS;

/// What the addresses of all files begin with.
const SCHEME: &str = "skill://throughline/";

/// A skill, and the files next to its text.
#[derive(Debug)]
struct ServerSkill {
    name: &'static str,
    description: &'static str,
    text: &'static str,
    files: &'static [(&'static str, &'static str)],
}

const SKILLS: [ServerSkill; 2] = [
    ServerSkill {
        name: "continue-work",
        description: "Continues work in this folder after the context was lost or compacted, in a new session, or after another \
                      agent: what was asked, done and decided, and what is open.",
        text: include_str!("skills/continue-work.md"),
        files: &[],
    },
    ServerSkill {
        name: "search-history",
        description: "Finds messages, decisions, commands and changes of earlier sessions of this folder, by words or by a SELECT.",
        text: include_str!("skills/search-history.md"),
        files: &[("queries.md", include_str!("skills/queries.md"))],
    },
];

impl ServerSkill {
    fn uri(&self, file: &str) -> String {
        format!("{SCHEME}{}/{file}", self.name)
    }

    /// The text with its front matter, as a client stores it.
    fn entry(&self) -> String {
        format!("---\nname: {}\ndescription: {}\n---\n\n{}", self.name, self.description, self.text)
    }

    /// Each file by its name, the entry first.
    fn contents(&self) -> impl Iterator<Item = (&'static str, String)> {
        let others = self.files.iter().map(|(name, text)| (*name, (*text).to_owned()));
        std::iter::once((SKILL_MD, self.entry())).chain(others)
    }

    fn listed(&self) -> Skill {
        let file = |(name, text): (&str, String)| SkillResource::from_bytes(self.uri(name), text.as_bytes());
        let files = SkillResources::Files(self.contents().map(file).collect());
        Skill::new(self.uri(SKILL_MD), SkillFrontmatter::new(self.name, self.description), files)
    }
}

/// All of them, on one page.
pub(crate) fn list() -> ListSkillsResult {
    let skills = SKILLS.iter().map(ServerSkill::listed).collect();
    ListSkillsResult::with_all_items(skills).with_ttl_ms(FIXED_MS).with_cache_scope(CacheScope::Public)
}

/// One of them, by the address of its entry.
pub(crate) fn get(uri: &str) -> Result<GetSkillResult, ErrorData> {
    let found = SKILLS.iter().find(|skill| skill.uri(SKILL_MD) == uri);
    let found = found.ok_or_else(|| {
        ErrorData::invalid_params("there is no skill at this address; skills/list names them", None)
    })?;
    Ok(GetSkillResult::new(found.listed()))
}

/// A file of a skill; `None`: the address is not one of theirs.
pub(crate) fn read(uri: &str) -> Option<ReadResourceResult> {
    let (skill, file) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    let skill = SKILLS.iter().find(|known| known.name == skill)?;
    let (_, text) = skill.contents().find(|(name, _)| *name == file)?;
    let contents = ResourceContents::text(text, uri).with_mime_type("text/markdown");
    Some(ReadResourceResult::new(vec![contents]).with_ttl_ms(FIXED_MS).with_cache_scope(CacheScope::Public))
}

#[cfg(test)]
mod tests;
