//! A page of the web as text: the tool `fetch`.
//!
//! A model that may ask for any address may also ask for those that only this machine can reach: a router's settings, a
//! database without a password, the service that gives a machine in a data centre its keys. So [`FetchTool`] looks a
//! host up itself, asks public addresses only, connects to exactly the address that it has judged, and judges again at
//! each redirect. A [`FetchPolicy`] names the hosts that are allowed all the same.
//!
//! Neighbours: it is one more tool behind the port of `tools`; `cli` decides on the policy.
//!
//! It does not know: who may use it (`permission`), and what becomes of a long text (`resultstore`).

mod address;
mod html;
mod lookup;
mod place;
mod policy;
mod proxy;
mod text;
mod tool;
mod visit;

#[cfg(any(test, feature = "mock"))]
pub use lookup::MockHostLookup;
pub use lookup::{HostLookup, SystemLookup};
pub use policy::{BadHost, FetchPolicy};
pub use tool::FetchTool;
