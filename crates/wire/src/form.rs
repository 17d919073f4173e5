//! Names, schemas and texts in the forms that all request bodies share.

pub(crate) mod name;
pub(crate) mod native;
pub(crate) mod schema;
pub(crate) mod text;
