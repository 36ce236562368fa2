//! Checks the error messages for wrong settings and unreachable stores.

use super::*;
use crate::fetch::{FileServer, Reply};

#[test]
fn every_store_error_is_one_line_with_advice() {
    let Some(mut store) = Store::start() else {
        return;
    };
    let node = Node::new();
    let message = |store: &Store, url: &str, other: &[(&str, &str)], part: &str| {
        let mut command = node.publish_command(url, &[]);
        command.envs(store.environment());
        for (name, value) in other {
            match value.is_empty() {
                true => command.env_remove(name),
                false => command.env(name, value),
            };
        }
        let message = failure(&command.output().expect("the binary runs"), 1);
        assert!(message.contains(part), "{part:?}: {message}");
        assert!(message.len() < 400, "{message}");
        for secret in [store.secret(), "<?xml", "Signature=", "StringToSign"] {
            assert!(!message.contains(secret), "{message}");
        }
        message
    };
    let url = store.url();
    let no_bucket = store.url_of_no_bucket();
    message(&store, &no_bucket, &[], "there is no such bucket");
    message(
        &store,
        &url,
        &[("AWS_SECRET_ACCESS_KEY", "another")],
        "AWS_SECRET_ACCESS_KEY",
    );
    message(
        &store,
        &url,
        &[("AWS_ACCESS_KEY_ID", "another")],
        "AWS_ACCESS_KEY_ID",
    );
    message(
        &store,
        &url,
        &[("AWS_SECRET_ACCESS_KEY", "")],
        "AWS_SECRET_ACCESS_KEY",
    );
    let none = [("AWS_ACCESS_KEY_ID", ""), ("AWS_SECRET_ACCESS_KEY", "")];
    message(&store, &url, &none, "no credentials; set AWS_ACCESS_KEY_ID");
    let tls = store.endpoint().replace("http:", "https:");
    message(
        &store,
        &url,
        &[("AWS_ENDPOINT_URL", &tls)],
        "AWS_ENDPOINT_URL",
    );
    message(
        &store,
        "file:///nowhere/generations",
        &[],
        "file:///nowhere/generations: ",
    );
    store.kill();
    message(&store, &url, &[], "is the store up");
    store.restart();
    assert_eq!(node.publish(&store, &[])["publication"], 1);
}

#[test]
fn an_invalid_bucket_is_a_usage_error() {
    let node = Node::new();
    for url in [
        "generations",
        "https://store.example/nl",
        "s3://key:secret@nl",
    ] {
        let output = node.publish_command(url, &[]).output();
        let output = output.expect("the binary runs");
        assert_eq!(output.status.code(), Some(64), "{url}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("expected s3://bucket/prefix"), "{message}");
        assert!(!message.contains("secret"), "{message}");
    }
}

/// A web page with status 200, such as of a proxy or a login, is not a listing without publications.
#[test]
fn a_web_site_in_place_of_the_store_is_not_an_empty_bucket() {
    let site = FileServer::start(|_, _| Reply::text("<!DOCTYPE html><title>Log in</title>"));
    let folder = crate::scratch::folder();
    let listeners = "--listen 127.0.0.1:0 --sandbox-listen 127.0.0.1:0 --admin-listen 127.0.0.1:0";
    for line in [
        "index publications --from s3://generations/nl".to_owned(),
        format!("config check {listeners} --generations-from s3://generations/nl"),
    ] {
        let mut command = postduif();
        command.args(line.split_whitespace()).arg("--data");
        command
            .arg(folder.path())
            .env("AWS_ENDPOINT_URL", site.url(""));
        command.env("AWS_ACCESS_KEY_ID", "key");
        command.env("AWS_SECRET_ACCESS_KEY", "secret");
        let output = command.output().expect("the binary runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("is not a store"), "{message}");
        assert!(message.contains("AWS_ENDPOINT_URL"), "{message}");
    }
}
