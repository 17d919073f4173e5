//! The compiled half of the Python package `throughline`.
//!
//! Inputs and outputs of operations cross as JSON, because Python reads and writes it faster than it calls; the body of a request
//! stays here until it is asked for. The other half, in `python/throughline`, gives the operations their names and classes.

mod failure;
mod handle;
mod process;
mod promise;
mod python_module;
mod request;
