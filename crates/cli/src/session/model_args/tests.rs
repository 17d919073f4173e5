//! The names that are typed are those of the settings.

use clap::ValueEnum as _;
use throughline::Policy;
use throughline_connect::{Api, ModelTransport, Provider};
use throughline_settings::{Kind, schema};

use super::{ApiArg, ProviderArg};
use crate::session::mode::ModeName;

#[test]
fn the_names_in_the_table_are_those_of_this_program() {
    let of = |key: &str| match schema().iter().find(|spec| spec.key == key).map(|spec| spec.kind) {
        Some(Kind::Choice(names)) => names.to_vec(),
        other => panic!("{key}: {other:?}"),
    };
    let modes: Vec<&str> = ModeName::value_variants().iter().map(|mode| mode.mode().name()).collect();
    assert_eq!(of("agent.policy"), Policy::ALL.map(Policy::name));
    assert_eq!(of("model.provider"), Provider::ALL.map(Provider::name));
    assert_eq!(of("permissions.mode"), modes);
    assert_eq!(of("model.api"), Api::ALL.map(Api::name));
    assert_eq!(of("model.transport"), ModelTransport::ALL.map(ModelTransport::name));
}

#[test]
fn what_is_typed_is_what_the_library_takes() {
    let typed = |value: &dyn Fn() -> clap::builder::PossibleValue| value().get_name().to_owned();
    for provider in ProviderArg::value_variants() {
        assert_eq!(typed(&|| provider.to_possible_value().unwrap()), provider.provider().name());
    }
    for api in ApiArg::value_variants() {
        assert_eq!(typed(&|| api.to_possible_value().unwrap()), api.api().name());
    }
}
