//! Wire formats of model providers.
