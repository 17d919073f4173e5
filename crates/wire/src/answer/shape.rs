//! Parts of a body, each with its place.

use serde_json::Value;

/// A part of a body that is not what it must be.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Misfit {
    pub(crate) place: String,
    pub(crate) fault: &'static str,
}

/// A value of a body and where it is. A field that is `null` counts as missing.
#[derive(Debug, Clone)]
pub(crate) struct Part<'a> {
    value: &'a Value,
    place: String,
}

impl<'a> Part<'a> {
    /// The body itself.
    pub(crate) fn of_body(body: &'a Value) -> Self {
        Self { value: body, place: String::new() }
    }

    /// The field of this name, unless it is missing.
    pub(crate) fn optional(&self, name: &str) -> Option<Self> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        Some(Self { value, place: self.place_of(name) })
    }

    /// The field of this name.
    pub(crate) fn field(&self, name: &str) -> Result<Self, Misfit> {
        self.object()?;
        self.optional(name).ok_or_else(|| Misfit { place: self.place_of(name), fault: "is missing" })
    }

    /// The items of the list.
    pub(crate) fn items(&self) -> Result<Vec<Self>, Misfit> {
        let items = self.value.as_array().ok_or_else(|| self.misfit("is not a list"))?;
        let item = |(index, value)| Self { value, place: format!("{}[{index}]", self.place) };
        Ok(items.iter().enumerate().map(item).collect())
    }

    /// The first item of the list.
    pub(crate) fn first(&self) -> Result<Self, Misfit> {
        self.items()?.into_iter().next().ok_or_else(|| self.misfit("is empty"))
    }

    /// The text that this is.
    pub(crate) fn text(&self) -> Result<&'a str, Misfit> {
        self.value.as_str().ok_or_else(|| self.misfit("is not a text"))
    }

    /// A text with something in it.
    pub(crate) fn name(&self) -> Result<&'a str, Misfit> {
        match self.text()? {
            "" => Err(self.misfit("is empty")),
            name => Ok(name),
        }
    }

    /// Checks that this is an object.
    pub(crate) fn object(&self) -> Result<(), Misfit> {
        if self.value.is_object() { Ok(()) } else { Err(self.misfit("is not an object")) }
    }

    /// Checks that this is a text or a list.
    pub(crate) fn text_or_list(&self) -> Result<(), Misfit> {
        let fits = self.value.is_string() || self.value.is_array();
        if fits { Ok(()) } else { Err(self.misfit("is neither a text nor a list")) }
    }

    /// Checks arguments of a call, which servers send as JSON or as a text of JSON.
    pub(crate) fn arguments(&self) -> Result<(), Misfit> {
        let fits = self.value.is_string() || self.value.is_object();
        if fits { Ok(()) } else { Err(self.misfit("is neither a text nor an object")) }
    }

    /// Checks that this is `true`.
    pub(crate) fn is_true(&self) -> Result<(), Misfit> {
        if *self.value == Value::Bool(true) { Ok(()) } else { Err(self.misfit("is not true")) }
    }

    fn misfit(&self, fault: &'static str) -> Misfit {
        let place = if self.place.is_empty() { "the body" } else { &self.place };
        Misfit { place: place.to_owned(), fault }
    }

    fn place_of(&self, name: &str) -> String {
        if self.place.is_empty() { name.to_owned() } else { format!("{}.{name}", self.place) }
    }
}
