//! System prompt sections in order of stability, and where cache breakpoints go.
