//! The routes of a listener. GETs of look-ups take the short way: from the path straight to the answer, which nearly always
//! is there at once, without the boxed services and futures that a general router needs. All else goes through axum's.

use std::future::ready;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::response::Response;
use axum::routing::MethodRouter;
use futures_util::future::Either;

use super::get_request::Later;
use super::service::Arrival;
use super::{Answer, Door, GetEndpoint, Meter};

/// All routes of a listener.
#[derive(Default)]
pub struct Routes {
    look_ups: matchit::Router<Arc<LookUp>>,
    others: Router,
}

impl Routes {
    /// The same routes with a look-up at `path`, where `methods` answers all but GET.
    ///
    /// # Panics
    /// When two routes have one path, which the first start of the process shows.
    #[must_use]
    pub fn with_look_up(mut self, path: &str, look_up: Arc<LookUp>, methods: MethodRouter) -> Self {
        self.look_ups
            .insert(path, look_up)
            .expect("each path has one route");
        Self {
            others: self.others.route(path, methods),
            ..self
        }
    }

    /// The same routes, with more of axum's.
    #[must_use]
    pub fn map_others(self, more: impl FnOnce(Router) -> Router) -> Self {
        Self {
            others: more(self.others),
            ..self
        }
    }

    /// What answers a GET of `path` the short way.
    pub(super) fn look_up(&self, path: &str) -> Option<&Arc<LookUp>> {
        Some(self.look_ups.at(path).ok()?.value)
    }

    pub(super) fn others(&self) -> Router {
        self.others.clone()
    }
}

impl From<Router> for Routes {
    fn from(others: Router) -> Self {
        Self {
            others,
            ..Self::default()
        }
    }
}

/// One path that takes GET, behind its door and with its figures.
pub struct LookUp {
    door: Door,
    meter: Meter,
    endpoint: GetEndpoint,
}

impl LookUp {
    /// A look-up behind `door`.
    #[must_use]
    pub fn new(door: Door, meter: Meter, endpoint: GetEndpoint) -> Self {
        Self {
            door,
            meter,
            endpoint,
        }
    }

    /// Answers a GET the long way, or a HEAD whose body others leave out.
    pub fn answer_request(
        self: &Arc<Self>,
        request: Request,
    ) -> impl Future<Output = Response> + use<> {
        let arrival = Arrival::of(&request);
        let (head, _) = request.into_parts();
        match self.answer(head, arrival) {
            Answer::Now(response) => Either::Left(ready(response)),
            Answer::Later(answer) => Either::Right(answer),
        }
    }

    /// Answers a GET.
    pub(super) fn answer(self: &Arc<Self>, head: Parts, arrival: Arrival) -> Answer {
        let began = arrival.began;
        match self.door.answer(head, arrival, self.endpoint) {
            Answer::Now(response) => {
                self.meter.record(began, &response);
                Answer::Now(response)
            }
            Answer::Later(answer) => Answer::Later(self.clone().measured(began, answer)),
        }
    }

    fn measured(self: Arc<Self>, began: Instant, answer: Later) -> Later {
        Box::pin(async move {
            let response = answer.await;
            self.meter.record(began, &response);
            response
        })
    }
}
