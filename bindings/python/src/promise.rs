//! Operations as awaitables of an event loop.

use std::future::Future;

use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use tokio::runtime::Runtime;

use crate::failure::Failure;
use crate::process::{Begun, Process};

/// A future of an event loop.
struct Awaited {
    event_loop: Py<PyAny>,
    future: Py<PyAny>,
}

/// The operation as a future of the running event loop. It runs to its end, even if the future is cancelled: a repeated key returns its
/// outcome.
pub(crate) fn promise<'py, T>(
    py: Python<'py>,
    work: impl Future<Output = Result<T, Failure>> + Send + 'static,
) -> PyResult<Bound<'py, PyAny>>
where
    T: Send + 'static + for<'any> IntoPyObject<'any>,
{
    let event_loop = py.import("asyncio")?.call_method0("get_running_loop")?;
    let future = event_loop.call_method0("create_future")?;
    let awaited = Awaited { event_loop: event_loop.unbind(), future: future.clone().unbind() };
    let (begun, runtime) = Process::current().begin()?;
    runtime.spawn(run(work, awaited, begun, runtime));
    Ok(future)
}

async fn run<T>(
    work: impl Future<Output = Result<T, Failure>> + Send + 'static,
    awaited: Awaited,
    begun: Begun,
    runtime: &'static Runtime,
) where
    T: Send + 'static + for<'any> IntoPyObject<'any>,
{
    let outcome = runtime.spawn(work).await.map_err(Failure::from).flatten();
    // Waiting for the interpreter would stop other operations.
    runtime.spawn_blocking(move || {
        if begun.is_abandoned() {
            std::mem::forget(awaited);
            return;
        }
        Python::attach(|py| {
            // An event loop that is closed has no use for it.
            let _ = awaited.settle(py, outcome);
        });
        drop(begun);
    });
}

impl Awaited {
    fn settle<T>(self, py: Python<'_>, outcome: Result<T, Failure>) -> PyResult<()>
    where
        T: for<'any> IntoPyObject<'any>,
    {
        let outcome = outcome.map_err(PyErr::from).and_then(|value| value.into_py_any(py));
        let (name, value) = match outcome {
            Ok(value) => ("set_result", value),
            Err(error) => ("set_exception", error.into_py_any(py)?),
        };
        let settle = wrap_pyfunction!(settle, py)?;
        let event_loop = self.event_loop.bind(py);
        event_loop.call_method1("call_soon_threadsafe", (settle, self.future, name, value))?;
        Ok(())
    }
}

/// Runs in the thread of the event loop, where the future may have been cancelled.
#[pyfunction]
fn settle(future: &Bound<'_, PyAny>, name: &str, value: Py<PyAny>) -> PyResult<()> {
    if !future.call_method0("done")?.is_truthy()? {
        future.call_method1(name, (value,))?;
    }
    Ok(())
}
