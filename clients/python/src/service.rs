//! Every operation of the service in process: requests to its router.

use std::future::Future;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderName, HeaderValue, Method, Request};
use http_body_util::BodyExt as _;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use superflip::cli::in_process;
use superflip::operations::app;
use superflip_solver::Tables;
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tower::ServiceExt as _;

use crate::{SIGNAL_INTERVAL, check_signals};

/// Threads that run handlers. Searches have threads of their own.
const THREADS: usize = 2;
/// Parts of a body that wait until Python takes them.
const PARTS: usize = 16;

/// Returns the tables of the profile `tiny`, which the solver and the service share.
pub(crate) fn tiny() -> Arc<Tables> {
    static TINY: OnceLock<Arc<Tables>> = OnceLock::new();
    Arc::clone(TINY.get_or_init(|| Arc::new(Tables::in_memory())))
}

/// The service of this process.
#[derive(Clone)]
struct Service {
    runtime: Arc<Runtime>,
    router: Router,
    /// The process that has its threads.
    process: u32,
}

impl Service {
    /// Returns the service. Starts it at the first call, and in a forked process, which has none of the threads.
    fn get() -> Result<Self, String> {
        static SERVICE: Mutex<Option<Service>> = Mutex::new(None);
        let mut service = SERVICE.lock().unwrap_or_else(PoisonError::into_inner);
        match &*service {
            Some(service) if service.process == std::process::id() => Ok(service.clone()),
            _ => {
                let new = Self::start()?;
                // The end of the former one would wait for threads that this process does not have.
                std::mem::forget(service.replace(new.clone()));
                Ok(new)
            }
        }
    }

    fn start() -> Result<Self, String> {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(THREADS).thread_name("superflip").enable_all().build();
        let runtime = runtime.map_err(|error| format!("cannot start threads: {error}"))?;
        let router = runtime.block_on(async { in_process::router(tiny(), app) }).map_err(|error| error.to_string())?;
        Ok(Self { runtime: Arc::new(runtime), router, process: std::process::id() })
    }

    /// Waits for a future. Runs the handlers of Python's signals meanwhile; if one raises, the future is dropped.
    fn wait<T>(&self, future: impl Future<Output = T>) -> PyResult<T> {
        self.runtime.block_on(async {
            let mut future = std::pin::pin!(future);
            loop {
                match tokio::time::timeout(SIGNAL_INTERVAL, &mut future).await {
                    Ok(result) => return Ok(result),
                    Err(_) => check_signals()?,
                }
            }
        })
    }
}

/// The response to a request. An iterator over the parts of its body, as they are made.
///
/// Dropping it ends the work.
#[pyclass(name = "Response", module = "superflip._native", frozen)]
pub(crate) struct PyResponse {
    /// Status of HTTP.
    #[pyo3(get)]
    status: u16,
    /// Media type of the body.
    #[pyo3(get)]
    content_type: String,
    service: Service,
    parts: Mutex<mpsc::Receiver<Result<Bytes, String>>>,
    work: AbortHandle,
}

impl Drop for PyResponse {
    fn drop(&mut self) {
        self.work.abort();
    }
}

impl PyResponse {
    /// Waits for the next part of the body.
    fn part(&self) -> PyResult<Option<Bytes>> {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let part = self.service.wait(parts.recv())?;
        part.transpose().map_err(PyRuntimeError::new_err)
    }
}

#[pymethods]
impl PyResponse {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        Ok(py.detach(|| self.part())?.map(|part| PyBytes::new(py, &part)))
    }

    /// Returns the rest of the body.
    fn read<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let parts = py.detach(|| {
            let mut parts = Vec::new();
            while let Some(part) = self.part()? {
                parts.push(part);
            }
            Ok::<_, PyErr>(parts)
        })?;
        if let [part] = &parts[..] {
            return Ok(PyBytes::new(py, part));
        }
        PyBytes::new_with(py, parts.iter().map(Bytes::len).sum(), |mut all| {
            for part in &parts {
                let (here, rest) = all.split_at_mut(part.len());
                here.copy_from_slice(part);
                all = rest;
            }
            Ok(())
        })
    }

    /// Ends the work on the response.
    fn close(&self) {
        self.work.abort();
    }
}

/// Sends a request to the service in this process, and returns its response as soon as it begins.
///
/// Args:
///     method: method of HTTP, such as `"POST"`
///     path: path and query, such as `"/solve?cube=R"`
///     headers: pairs of a name and a value
///     body: the body; empty for none
///
/// Raises:
///     ValueError: the method, the path or a header cannot be sent
///     KeyboardInterrupt: Ctrl-C was pressed; the work ends
#[pyfunction]
#[pyo3(signature = (method, path, headers = Vec::new(), body = Vec::new()))]
#[allow(clippy::needless_pass_by_value)] // Python's objects are converted
pub(crate) fn request(
    py: Python<'_>,
    method: &str,
    path: &str,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
) -> PyResult<PyResponse> {
    let invalid = |error: &dyn std::fmt::Display| PyValueError::new_err(format!("the request cannot be sent: {error}"));
    let method = Method::from_bytes(method.as_bytes()).map_err(|error| invalid(&error))?;
    let mut request = Request::builder().method(method).uri(path).header("host", "localhost");
    for (name, value) in headers {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|error| invalid(&error))?;
        request = request.header(name, HeaderValue::from_str(&value).map_err(|error| invalid(&error))?);
    }
    let request = request.body(Body::from(body)).map_err(|error| invalid(&error))?;
    py.detach(|| {
        let service = Service::get().map_err(PyRuntimeError::new_err)?;
        send(service, request)
    })
}

fn send(service: Service, request: Request<Body>) -> PyResult<PyResponse> {
    let (head, heard) = tokio::sync::oneshot::channel();
    let (sender, parts) = mpsc::channel(PARTS);
    let router = service.router.clone();
    let work = service.runtime.spawn(async move {
        // The router never fails.
        let Ok(response) = router.oneshot(request).await;
        let (parts, mut body) = response.into_parts();
        let _ = head.send(parts);
        while let Some(frame) = body.frame().await {
            let part = match frame {
                Ok(frame) => match frame.into_data() {
                    Ok(part) => Ok(part),
                    // Trailers.
                    Err(_) => continue,
                },
                Err(error) => Err(format!("the response ended early: {error}")),
            };
            if sender.send(part).await.is_err() {
                break;
            }
        }
    });
    let work = work.abort_handle();
    let guard = Abort(work.clone());
    let head = service.wait(heard)?.map_err(|_| PyRuntimeError::new_err("the request was not answered"))?;
    std::mem::forget(guard);
    let content_type = head.headers.get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let content_type = content_type.to_owned();
    Ok(PyResponse { status: head.status.as_u16(), content_type, service, parts: Mutex::new(parts), work })
}

/// Ends a task when it is dropped.
struct Abort(AbortHandle);

impl Drop for Abort {
    fn drop(&mut self) {
        self.0.abort();
    }
}
