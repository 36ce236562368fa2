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
struct Described {
    name: &'static str,
    text: &'static str,
    kind: Kind,
    example: &'static str,
}

enum Kind {
    /// A whole number, from a minimum.
    From(i32),
    /// One text and no other.
    Always,
    Text,
    Uuid,
}

const REQUEST_ID: Described = Described {
    name: "X-Request-Id",
    text: "Unique to the call; quote it when you report trouble.",
    kind: Kind::Uuid,
    example: "01980f5e-8c1e-7cc5-9b0a-2f3c1d4e5f60",
};

const RETRY_AFTER: Described = Described {
    name: "Retry-After",
    text: "Whole seconds after which trying again makes sense.",
    kind: Kind::From(1),
    example: "1",
};

/// On every response to a known key.
const STANDING: [Described; 6] = [
    Described {
        name: "X-RateLimit-Limit",
        text: "Calls per second that the plan allows.",
        kind: Kind::From(1),
        example: "50",
    },
    Described {
        name: "X-RateLimit-Remaining",
        text: "Calls that are left in the bucket, which holds one second's worth.",
        kind: Kind::From(0),
        example: "49",
    },
    Described {
        name: "X-RateLimit-Reset",
        text: "Unix time at which the bucket is full again.",
        kind: Kind::From(0),
        example: "1767700001",
    },
    Described {
        name: "X-Quota-Limit",
        text: "The month's bundle, without the grace that paid plans have above it; -1 in the sandbox, which has no limit.",
        kind: Kind::From(-1),
        example: "100000",
    },
    Described {
        name: "X-Quota-Remaining",
        text: "What is left of the bundle; -1 in the sandbox.",
        kind: Kind::From(-1),
        example: "99999",
    },
    Described {
        name: "X-Quota-Reset",
        text: "Unix time at which the billing period ends.",
        kind: Kind::From(0),
        example: "1770336000",
    },
];

/// On a response to a known key, when a page asked.
const FOR_PAGES: [Described; 2] = [
    Described {
        name: "Access-Control-Allow-Origin",
        text: "The page's origin, which the key lists. There when the request carries an `Origin`.",
        kind: Kind::Text,
        example: "https://shop.example.org",
    },
    Described {
        name: "Access-Control-Expose-Headers",
        text: "The headers that the page's script may read. There when the request carries an `Origin`.",
        kind: Kind::Text,
        example: "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Quota-Limit, X-Quota-Remaining, \
                  X-Quota-Reset, Retry-After, X-Request-Id",
    },
];

/// On a 200 alone.
const FOR_CACHES: [Described; 2] = [
    Described {
        name: "Cache-Control",
        text: "An answer holds for a day.",
        kind: Kind::Always,
        example: "public, max-age=86400",
    },
    Described {
        name: "Vary",
        text: "Keeps a shared cache from answering one customer with another's admission.",
        kind: Kind::Always,
        example: "X-Api-Key, Origin",
    },
];

/// On any other response to a known key, when a page asked.
const BY_ORIGIN: Described = Described {
    name: "Vary",
    text: "There when the request carries an `Origin`.",
    kind: Kind::Always,
    example: "Origin",
};

/// What the sender is known to be when a response is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sender {
    Known,
    /// Trouble may come before the key was looked at.
    PerhapsKnown,
    Unknown,
}

/// All headers of an error.
pub(super) fn tell(response: &mut Response, sender: Sender, waits: bool) {
    refer(response, &REQUEST_ID);
    if waits {
        refer(response, &RETRY_AFTER);
    }
    for header in &STANDING {
        match sender {
            Sender::Known => refer(response, header),
            Sender::PerhapsKnown => inline(response, header, false),
            Sender::Unknown => {}
        }
    }
    if sender != Sender::Unknown {
        FOR_PAGES.iter().for_each(|header| refer(response, header));
        inline(response, &BY_ORIGIN, false);
    }
}

/// All headers of an answer.
pub(super) fn tell_found(response: &mut Response) {
    tell(response, Sender::Known, false);
    for header in &FOR_CACHES {
        inline(response, header, true);
    }
}

fn refer(response: &mut Response, header: &Described) {
    let reference = Ref::new(format!("#/components/headers/{}", header.name));
    response
        .headers
        .insert(header.name.to_owned(), RefOr::Ref(reference));
}

fn inline(response: &mut Response, header: &Described, required: bool) {
    let built = header.build(required);
    response
        .headers
        .insert(header.name.to_owned(), built.into());
}

impl Described {
    fn build(&self, required: bool) -> Header {
        let text = |example: &str| Value::from(example);
        let (schema, example) = match self.kind {
            Kind::From(minimum) => {
                let schema = ObjectBuilder::new()
                    .schema_type(Type::Integer)
                    .minimum(Some(minimum));
                let example: i64 = self.example.parse().expect("an example of a number");
                (schema, example.into())
            }
            Kind::Always => {
                let schema = ObjectBuilder::new().enum_values(Some([self.example]));
                (schema.schema_type(Type::String), text(self.example))
            }
            Kind::Text => (
                ObjectBuilder::new().schema_type(Type::String),
                text(self.example),
            ),
            Kind::Uuid => {
                let uuid = SchemaFormat::Custom("uuid".to_owned());
                let schema = ObjectBuilder::new().schema_type(Type::String);
                (schema.format(Some(uuid)), text(self.example))
            }
        };
        let mut header = HeaderBuilder::new()
            .description(Some(self.text))
            .schema(Some(schema))
            .example(Some(example))
            .build();
        // The crate has no field for `required`; an extension is written among the fields.
        header.extensions = required.then(|| Extensions::from_iter([("required", true)]));
        header
    }
}

/// Headers that many responses refer to.
pub(super) struct SharedHeaders;

impl Modify for SharedHeaders {
    fn modify(&self, openapi: &mut OpenApi) {
        let components = openapi.components.get_or_insert_default();
        let always = STANDING.iter().chain([&REQUEST_ID, &RETRY_AFTER]);
        let always = always.map(|header| (header, true));
        let for_pages = FOR_PAGES.iter().map(|header| (header, false));
        for (header, required) in always.chain(for_pages) {
            let built = header.build(required).into();
            components.headers.insert(header.name.to_owned(), built);
        }
    }
}
