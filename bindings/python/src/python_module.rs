//! What Python imports as `throughline._engine`.

use pyo3::prelude::*;

#[pymodule]
mod _engine {
    #[pymodule_export]
    use crate::handle::Handle;
    #[pymodule_export]
    use crate::process::end;
    #[pymodule_export]
    use crate::request::RequestHandle;
}
