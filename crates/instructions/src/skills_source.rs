//! The skills as a source of the prompt, and which of them are active.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use throughline_conversation::{Message, SectionText};
use throughline_prompt::{PromptSection, SectionError, SectionSource};
use throughline_text::error_chain;

use crate::calls::activated;
use crate::places::SessionFolders;
use crate::skill_text::{body, list};
use crate::skills::{Skills, SkillsPolicy};

/// The name of the section with all skills.
const LIST: &str = "skills";

/// Prefix of the name of a skill's section.
const ONE: &str = "skill ";

/// Provides the list of all skills, and the texts of the active ones, as sections of the prompt.
///
/// A skill that becomes active is read by the call that asks for it. Its text comes into the prompt with the next
/// compaction: from there on the call's result may go, and nothing that the provider has cached was lost for it.
/// Folders are scanned at the start and again after each compaction.
#[derive(Debug)]
pub struct SkillsSource {
    places: SessionFolders,
    policy: SkillsPolicy,
    state: Mutex<SourceState>,
}

#[derive(Debug, Default)]
struct SourceState {
    skills: Arc<Skills>,
    /// The sections as sent, unchanged until the next compaction.
    held: Option<SentSkills>,
    /// Whether the folders have to be scanned again.
    stale: bool,
    /// Active skills, in the order in which they became active.
    active: Vec<String>,
    /// Those of them that are in the prompt.
    carried: Vec<String>,
}

#[derive(Debug, Clone)]
struct SentSkills {
    sections: Arc<[PromptSection]>,
    /// Skills whose text is there as a whole.
    whole: Arc<[String]>,
}

impl SkillsSource {
    /// Looks for skills. None is active yet.
    #[must_use]
    pub fn discover(places: SessionFolders, policy: SkillsPolicy) -> Self {
        let skills = Arc::new(Skills::discover(&places, &policy));
        Self { places, policy, state: Mutex::new(SourceState { skills, ..SourceState::default() }) }
    }

    /// All skills.
    #[must_use]
    pub fn skills(&self) -> Arc<Skills> {
        Arc::clone(&self.lock().skills)
    }

    /// Names of the active skills, in the order in which they became active.
    #[must_use]
    pub fn active(&self) -> Vec<String> {
        self.lock().active.clone()
    }

    /// Activates a skill. Returns true if there is one of that name. It stays active until the end of the process, even
    /// if the call that asked for it is undone later.
    pub fn activate(&self, name: &str) -> bool {
        let mut state = self.lock();
        let known = state.skills.get(name).is_some();
        if known && !state.active.iter().any(|active| active == name) {
            state.active.push(name.to_owned());
        }
        known
    }

    /// Takes up a session again: the skills whose text its system prompt has, and those that were called for since.
    pub fn restore<'a>(&self, system: &[SectionText], shown: impl IntoIterator<Item = &'a Message>) {
        let carried = system.iter().filter(|section| section.skill);
        let carried = carried.filter_map(|section| section.name.strip_prefix(ONE)).map(str::to_owned);
        let mut state = self.lock();
        state.carried = carried.collect();
        state.active = state.carried.clone();
        state.held = None;
        for name in activated(shown) {
            if state.skills.get(&name).is_some() && !state.active.contains(&name) {
                state.active.push(name);
            }
        }
    }

    /// Which files are searched, and how much of them is shown.
    pub(crate) fn policy(&self) -> &SkillsPolicy {
        &self.policy
    }

    /// Returns true if the prompt has the whole text of this skill.
    pub(crate) fn is_in_prompt(&self, name: &str) -> bool {
        self.lock().held.as_ref().is_some_and(|held| held.whole.iter().any(|whole| whole == name))
    }

    fn lock(&self) -> MutexGuard<'_, SourceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl SectionSource for SkillsSource {
    fn name(&self) -> String {
        "skills".to_owned()
    }

    async fn sections(&self) -> Result<Vec<PromptSection>, SectionError> {
        let (skills, carried, stale) = {
            let state = self.lock();
            if let Some(held) = &state.held {
                return Ok(held.sections.to_vec());
            }
            (Arc::clone(&state.skills), state.carried.clone(), state.stale)
        };
        let (places, policy) = (self.places.clone(), self.policy.clone());
        let made = tokio::task::spawn_blocking(move || {
            let skills = if stale { Arc::new(Skills::discover(&places, &policy)) } else { skills };
            let held = held(&skills, &carried, &policy);
            (skills, held)
        });
        let made = made.await.map_err(|error| SectionError::Unavailable { message: error_chain(&error) })?;
        let mut state = self.lock();
        let (skills, held) = made;
        // A skill whose file is gone was reported already; its section leaves with this compaction.
        state.active.retain(|name| skills.get(name).is_some());
        (state.skills, state.stale) = (skills, false);
        Ok(state.held.insert(held).sections.to_vec())
    }

    fn renew(&self) {
        let mut state = self.lock();
        state.carried = state.active.clone();
        state.stale = true;
        state.held = None;
    }
}

/// The sections of these skills.
fn held(skills: &Skills, carried: &[String], policy: &SkillsPolicy) -> SentSkills {
    let mut sections = vec![PromptSection::skill(LIST, list(skills, policy.list_chars), true)];
    let mut whole = Vec::new();
    let mut room = policy.active_chars;
    for name in carried {
        let shown = match skills.get(name) {
            Some(skill) => body(skill, policy.body_chars.min(room)),
            None => Err("it is gone".to_owned()),
        };
        let text = match shown {
            Ok((text, is_cut)) => {
                room = room.saturating_sub(text.chars().count());
                if !is_cut {
                    whole.push(name.clone());
                }
                text
            }
            Err(why) => format!("# Skill: {name}\n\n[Its text is not shown: {why}. use_skill tells more.]"),
        };
        sections.push(PromptSection::skill(format!("{ONE}{name}"), text, true));
    }
    SentSkills { sections: sections.into(), whole: whole.into() }
}

#[cfg(test)]
mod tests;
