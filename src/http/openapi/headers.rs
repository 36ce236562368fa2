//! Response headers: what each tells, and which stand on which response.
//!
//! Source: contract.md, Response headers; decisions.md, Headers and Keys in browsers.

use serde_json::Value;
use utoipa::Modify;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::schema::{ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{OpenApi, Ref, RefOr, Response};

/// One response header.
struct HeaderSpec {
    name: &'static str,
    description: &'static str,
    kind: HeaderValueKind,
    example: &'static str,
}

enum HeaderValueKind {
    /// A whole number, from a minimum.
    IntegerFrom(i32),
    /// One text and no other.
    Constant,
    Text,
    Uuid,
}

const REQUEST_ID: HeaderSpec = HeaderSpec {
    name: "X-Request-Id",
    description: "Unique to the call; quote it when you report trouble.",
    kind: HeaderValueKind::Uuid,
    example: "01980f5e-8c1e-7cc5-9b0a-2f3c1d4e5f60",
};

const RETRY_AFTER: HeaderSpec = HeaderSpec {
    name: "Retry-After",
    description: "Whole seconds after which trying again makes sense.",
    kind: HeaderValueKind::IntegerFrom(1),
    example: "1",
};

/// On every response to a known key.
const RATE_AND_QUOTA: [HeaderSpec; 6] = [
    HeaderSpec {
        name: "X-RateLimit-Limit",
        description: "Calls per second that the plan allows.",
        kind: HeaderValueKind::IntegerFrom(1),
        example: "50",
    },
    HeaderSpec {
        name: "X-RateLimit-Remaining",
        description: "Calls that are left in the bucket, which holds one second's worth.",
        kind: HeaderValueKind::IntegerFrom(0),
        example: "49",
    },
    HeaderSpec {
        name: "X-RateLimit-Reset",
        description: "Unix time at which the bucket is full again.",
        kind: HeaderValueKind::IntegerFrom(0),
        example: "1767700001",
    },
    HeaderSpec {
        name: "X-Quota-Limit",
        description: "The month's bundle, without the grace that paid plans have above it; -1 in the sandbox, which has no limit.",
        kind: HeaderValueKind::IntegerFrom(-1),
        example: "100000",
    },
    HeaderSpec {
        name: "X-Quota-Remaining",
        description: "What is left of the bundle; -1 in the sandbox.",
        kind: HeaderValueKind::IntegerFrom(-1),
        example: "99999",
    },
    HeaderSpec {
        name: "X-Quota-Reset",
        description: "Unix time at which the billing period ends.",
        kind: HeaderValueKind::IntegerFrom(0),
        example: "1770336000",
    },
];

/// On a response to a known key, when a page asked.
const CORS: [HeaderSpec; 2] = [
    HeaderSpec {
        name: "Access-Control-Allow-Origin",
        description: "The page's origin, which the key lists. There when the request carries an `Origin`.",
        kind: HeaderValueKind::Text,
        example: "https://shop.example.org",
    },
    HeaderSpec {
        name: "Access-Control-Expose-Headers",
        description: "The headers that the page's script may read. There when the request carries an `Origin`.",
        kind: HeaderValueKind::Text,
        example: "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Quota-Limit, X-Quota-Remaining, \
                  X-Quota-Reset, Retry-After, X-Request-Id",
    },
];

/// On a 200 alone.
const CACHING: [HeaderSpec; 2] = [
    HeaderSpec {
        name: "Cache-Control",
        description: "An answer holds for a day.",
        kind: HeaderValueKind::Constant,
        example: "public, max-age=86400",
    },
    HeaderSpec {
        name: "Vary",
        description: "Keeps a shared cache from answering one customer with another's admission.",
        kind: HeaderValueKind::Constant,
        example: "X-Api-Key, Origin",
    },
];

/// On any other response to a known key, when a page asked.
const VARY_ORIGIN: HeaderSpec = HeaderSpec {
    name: "Vary",
    description: "There when the request carries an `Origin`.",
    kind: HeaderValueKind::Constant,
    example: "Origin",
};

/// What the sender is known to be when a response is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AuthState {
    Authenticated,
    /// Trouble may come before the key was looked at.
    MaybeAuthenticated,
    Unauthenticated,
}

/// All headers of an error.
pub(super) fn add_error_headers(
    response: &mut Response,
    auth_state: AuthState,
    with_retry_after: bool,
) {
    add_reference(response, &REQUEST_ID);
    if with_retry_after {
        add_reference(response, &RETRY_AFTER);
    }
    for header in &RATE_AND_QUOTA {
        match auth_state {
            AuthState::Authenticated => add_reference(response, header),
            AuthState::MaybeAuthenticated => add_inline(response, header, false),
            AuthState::Unauthenticated => {}
        }
    }
    if auth_state != AuthState::Unauthenticated {
        CORS.iter()
            .for_each(|header| add_reference(response, header));
        add_inline(response, &VARY_ORIGIN, false);
    }
}

/// All headers of an answer.
pub(super) fn add_success_headers(response: &mut Response) {
    add_error_headers(response, AuthState::Authenticated, false);
    for header in &CACHING {
        add_inline(response, header, true);
    }
}

fn add_reference(response: &mut Response, header: &HeaderSpec) {
    let reference = Ref::new(format!("#/components/headers/{}", header.name));
    response
        .headers
        .insert(header.name.to_owned(), RefOr::Ref(reference));
}

fn add_inline(response: &mut Response, header: &HeaderSpec, required: bool) {
    let built = header.build(required);
    response
        .headers
        .insert(header.name.to_owned(), built.into());
}

impl HeaderSpec {
    fn build(&self, required: bool) -> Header {
        let text = |example: &str| Value::from(example);
        let (schema, example) = match self.kind {
            HeaderValueKind::IntegerFrom(minimum) => {
                let schema = ObjectBuilder::new()
                    .schema_type(Type::Integer)
                    .minimum(Some(minimum));
                let example: i64 = self.example.parse().expect("an example of a number");
                (schema, example.into())
            }
            HeaderValueKind::Constant => {
                let schema = ObjectBuilder::new().enum_values(Some([self.example]));
                (schema.schema_type(Type::String), text(self.example))
            }
            HeaderValueKind::Text => (
                ObjectBuilder::new().schema_type(Type::String),
                text(self.example),
            ),
            HeaderValueKind::Uuid => {
                let uuid = SchemaFormat::Custom("uuid".to_owned());
                let schema = ObjectBuilder::new().schema_type(Type::String);
                (schema.format(Some(uuid)), text(self.example))
            }
        };
        let mut header = HeaderBuilder::new()
            .description(Some(self.description))
            .schema(Some(schema))
            .example(Some(example))
            .build();
        // The crate has no field for `required`; an extension is written among the fields.
        header.extensions = required.then(|| Extensions::from_iter([("required", true)]));
        header
    }
}

/// Headers that many responses refer to.
pub(super) struct AddHeaderComponents;

impl Modify for AddHeaderComponents {
    fn modify(&self, openapi: &mut OpenApi) {
        let components = openapi.components.get_or_insert_default();
        let always = RATE_AND_QUOTA.iter().chain([&REQUEST_ID, &RETRY_AFTER]);
        let always = always.map(|header| (header, true));
        let for_pages = CORS.iter().map(|header| (header, false));
        for (header, required) in always.chain(for_pages) {
            let built = header.build(required).into();
            components.headers.insert(header.name.to_owned(), built);
        }
    }
}
