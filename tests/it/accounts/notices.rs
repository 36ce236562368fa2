//! Tests the e-mails that the service sends when the calls of an account pass a threshold of the quota.

use super::PATH;
use crate::data_dir::village_folder;
use crate::mail_sink::Sink;
use crate::process::{Service, open_enterprise, run_json, wait_until};

#[test]
fn an_account_gets_one_email_at_80_and_one_at_100_percent() {
    let Some(sink) = Sink::start(&[]) else {
        return;
    };
    let folder = village_folder();
    let [live, _] = open_enterprise(folder.path(), 10);
    let url = sink.url();
    let mail = [
        "--smtp-url",
        &url,
        "--mail-from",
        "postduif <notices@example.org>",
    ];
    let call = |service: &Service| service.get("live", PATH, Some(&live)).status;
    let subjects = || -> Vec<String> {
        let all = sink.all();
        all.iter()
            .map(|mail| mail["headers"]["subject"].to_string())
            .collect()
    };

    // The service marks an e-mail as sent only after the mail server has accepted it. A kill between the two steps would repeat the
    // e-mail, so stop the service with SIGTERM.
    let end = |mut service: Service| {
        service.terminate();
        assert_eq!(service.wait().code(), Some(0));
    };
    let service = Service::start(folder.path(), &mail);
    (0..7).for_each(|_| assert_eq!(call(&service), 200));
    end(service);
    assert_eq!(sink.count(), 0, "seven of ten calls send no notice");

    let service = Service::start(folder.path(), &mail);
    assert_eq!(call(&service), 200);
    wait_until("the first notice arrives", || sink.count() == 1);
    assert!(subjects()[0].contains("80"), "{:?}", subjects());
    // Eight calls are used. The quota allows ten calls, and one more as grace, so the fourth call here is refused.
    assert_eq!(
        [
            call(&service),
            call(&service),
            call(&service),
            call(&service)
        ],
        [200, 200, 200, 429]
    );
    wait_until("the second notice arrives", || sink.count() == 2);
    assert!(subjects()[1].contains("100"), "{:?}", subjects());
    end(service);

    // A restart must send no e-mail. If it sent one, the e-mail would arrive before the call below is counted.
    let service = Service::start(folder.path(), &mail);
    assert_eq!(call(&service), 429);
    let show = ["usage", "show", "--json"];
    wait_until("the last call is counted", || {
        run_json(folder.path(), &show)["calls"] == 13
    });
    assert_eq!(sink.count(), 2, "{:?}", subjects());
}
