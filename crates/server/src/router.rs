//! The router, made of the table of routes.

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use throughline_text::cut_end;

use crate::admission::{Admission, admitted};
use crate::answer::Failure;
use crate::app::App;
use crate::audit::audited;
use crate::browser::wants_page;
use crate::finished::finished;
use crate::guard::{Guard, guarded};
use crate::metrics::counted;
use crate::pages::{failure_page, style};
use crate::params::{NUL, Params};
use crate::probes;
use crate::table::routes;

/// Maximum bytes of a path that an error repeats.
const ECHO: usize = 80;

/// The paths behind the guard; the probes, and the style that a refusal has too, before it.
pub(crate) fn router(app: App, guard: Guard) -> Router {
    let metrics = app.metrics.clone();
    let open = Router::new()
        .route("/healthz", get(probes::alive))
        .route("/readyz", get(probes::ready))
        .route("/style.css", get(style))
        .with_state(app.clone());
    let mut router = Router::new();
    for route in routes() {
        let params: Arc<[&str]> = route.params.iter().map(|param| param.name).collect();
        let admission = Admission::of(&route, &app);
        let (path, is_change, verb) = (route.path.clone(), route.is_change, route.verb);
        // The last layer is the first that a request meets.
        let mut handler = route.handler.route_layer(from_fn_with_state(params, known));
        handler = handler.route_layer(from_fn_with_state(admission.clone(), admitted));
        if is_change {
            handler = handler.route_layer(from_fn_with_state(admission, audited));
        }
        // What is not read alone is done whole.
        if verb != "get" {
            handler = handler.route_layer(from_fn(finished));
        }
        router = router.route(&path, handler);
    }
    router
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method)
        .with_state(app)
        // The last layer is the first that a request meets, whatever its path.
        .layer(from_fn_with_state(Arc::new(guard), guarded))
        .layer(from_fn_with_state(metrics, counted))
        .merge(open)
}

/// Refuses parameters that the route does not take or no text may be, and gives the handler the others.
async fn known(
    State(names): State<Arc<[&'static str]>>,
    places: Result<RawPathParams, RawPathParamsRejection>,
    headers: HeaderMap,
    mut request: Request,
    next: Next,
) -> Response {
    let read = match places {
        Ok(places) if places.iter().any(|(_, value)| value.contains(NUL)) => {
            Err(Failure::input("the path has the character U+0000"))
        }
        _ => Params::read(request.uri(), &names),
    };
    match read {
        Ok(params) => {
            request.extensions_mut().insert(params);
            next.run(request).await
        }
        Err(failure) => refused(request.uri(), &headers, failure),
    }
}

/// A refusal, as a page where a browser asks for one.
fn refused(uri: &Uri, headers: &HeaderMap, failure: Failure) -> Response {
    if wants_page(uri, headers) { failure_page(failure) } else { failure.into_response() }
}

async fn unknown(uri: Uri, headers: HeaderMap) -> Response {
    let path = cut_end(uri.path(), ECHO);
    let failure = Failure::new(
        StatusCode::NOT_FOUND,
        format!("there is nothing at {path:?}; /api/openapi.json lists what there is"),
    );
    refused(&uri, &headers, failure)
}

async fn wrong_method(method: Method) -> Failure {
    let method = cut_end(method.as_str(), ECHO);
    Failure::new(
        StatusCode::METHOD_NOT_ALLOWED,
        format!("{method} is not possible here; /api/openapi.json lists what is"),
    )
}
