//! Says to the linker that Node brings the symbols of Node-API.

fn main() {
    napi_build::setup();
}
