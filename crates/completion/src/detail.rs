//! What a provider says about an answer next to the answer itself.

use throughline_conversation::{AnswerIdentity, CacheDiagnosis, WebSearch, WebSource};

/// One detail of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerDetail {
    /// Tokens of the prompt as the model read it last. Sent where the usage sums several passes of the provider's own
    /// tools, which is what is charged and not what fills the window.
    WindowPrompt(u64),
    /// Why the provider refused.
    Refusal(RefusalDetails),
    /// The provider's name of the answer, with which a later request refers to it.
    Id(String),
    /// The model that has answered, by the provider's name.
    Model(String),
    /// Why the prompt cache was not reused.
    Cache(CacheDiagnosis),
    /// A search of the web that the provider runs: when it has ended, and before that when it begins, where the provider says
    /// that.
    Search(WebSearch),
    /// Pages that the answer cites.
    Cited(Vec<WebSource>),
    /// What the user should know of the request: it went without a part that the provider does not take.
    News(String),
}

/// Why a provider refused.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RefusalDetails {
    /// The provider's name of the rule, for example `cyber`.
    pub category: Option<String>,
    /// Its explanation.
    pub explanation: Option<String>,
    /// The model that it recommends instead.
    pub recommended_model: Option<String>,
}

/// All details of one answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AnswerDetails {
    /// Tokens of the prompt as the model read it last, where the usage is a sum.
    pub window_prompt: Option<u64>,
    /// Why the provider refused.
    pub refusal: Option<RefusalDetails>,
    /// Why the prompt cache was not reused.
    pub cache: Option<CacheDiagnosis>,
    /// What the provider says the answer is.
    pub identity: AnswerIdentity,
    /// Searches of the web that the provider ran, in the order of their beginning.
    pub searches: Vec<WebSearch>,
    /// Pages that the answer cites, each once.
    pub cited: Vec<WebSource>,
}

impl AnswerDetails {
    /// Takes one more; the last of a kind counts, of a search the last with its id. Cited pages add up.
    pub fn add(&mut self, detail: AnswerDetail) {
        match detail {
            AnswerDetail::WindowPrompt(tokens) => self.window_prompt = Some(tokens),
            AnswerDetail::Refusal(refusal) => self.refusal = Some(refusal),
            AnswerDetail::Id(id) => self.identity.id = Some(id),
            AnswerDetail::Model(model) => self.identity.model = Some(model),
            AnswerDetail::Cache(diagnosis) => self.cache = Some(diagnosis),
            AnswerDetail::Search(search) => self.add_search(search),
            AnswerDetail::Cited(sources) => WebSource::add_new(&mut self.cited, sources),
            // It is about the request.
            AnswerDetail::News(_) => {}
        }
    }

    fn add_search(&mut self, search: WebSearch) {
        match self.searches.iter_mut().find(|known| known.id == search.id) {
            Some(known) => known.outcome = search.outcome,
            None => self.searches.push(search),
        }
    }
}
