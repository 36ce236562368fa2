//! Fuzzes `X-Forwarded-For` and `Forwarded`: no header that a client sends may choose the client IP.

use std::net::IpAddr;

use postduif::limits::TrustedProxies;

/// Checks that the bytes that a client sends do not change the client IP. They come before the value of the trusted proxy, in the
/// same line or in an earlier line.
pub(super) fn forwarded(sent: &[u8]) {
    // Test only bytes that HTTP allows in the value of a header, because a proxy refuses all others.
    if sent
        .iter()
        .any(|&byte| byte < b' ' && byte != b'\t' || byte == 0x7f)
    {
        return;
    }
    let trusted: TrustedProxies = "10.0.0.0/8, 2001:db8::/32".parse().expect("networks");
    let [proxy, outer, client] = ["10.0.0.1", "10.0.0.2", "192.0.2.7"].map(ip);
    let client_v6 = ip("2001:db9::7");
    let no_lines = || std::iter::empty::<&[u8]>();
    let both = || [sent].into_iter();

    // Headers from a peer that is not a trusted proxy are ignored.
    assert_eq!(trusted.client_ip(client, both(), both()), client);
    assert_eq!(
        TrustedProxies::default().client_ip(proxy, both(), both()),
        proxy
    );
    // With any header, the result is a client IP in canonical form.
    for [x_forwarded_for, forwarded] in [[true, false], [false, true], [true, true]] {
        let lines = |has: bool| [sent].into_iter().filter(move |_| has);
        let client_ip = trusted.client_ip(proxy, lines(x_forwarded_for), lines(forwarded));
        assert_eq!(client_ip, client_ip.to_canonical());
    }

    // The proxy extends the client's line or adds a line. In one case, a second proxy adds the IP of the first proxy.
    for (line, expected) in [
        (", 192.0.2.7", client),
        (",192.0.2.7:47, 10.0.0.2", client),
        (", [2001:db9::7]:47", client_v6),
        (", ::ffff:192.0.2.7", client),
    ] {
        let extended = [sent, line.as_bytes()].concat();
        let found = trusted.client_ip(proxy, [&extended[..]].into_iter(), both());
        assert_eq!(found, expected, "{:?}", extended.escape_ascii().to_string());
        let separate = [sent, &line.as_bytes()[1..]];
        assert_eq!(
            trusted.client_ip(proxy, separate.into_iter(), both()),
            expected
        );
    }
    for (line, expected) in [
        (", for=192.0.2.7", client),
        (
            ", for=192.0.2.7;proto=https;by=10.0.0.2, for=10.0.0.2",
            client,
        ),
        (", For=\"[2001:db9::7]:47\"", client_v6),
        (", by=\"_x,y\";for=\"192.0.2.7:47\"", client),
        (", for=unknown", outer),
    ] {
        let from = if expected == outer { outer } else { proxy };
        let extended = [sent, line.as_bytes()].concat();
        let found = trusted.client_ip(from, no_lines(), [&extended[..]].into_iter());
        assert_eq!(found, expected, "{:?}", extended.escape_ascii().to_string());
        let separate = [sent, &line.as_bytes()[1..]];
        assert_eq!(
            trusted.client_ip(from, no_lines(), separate.into_iter()),
            expected
        );
    }
}

fn ip(text: &str) -> IpAddr {
    text.parse().expect("an IP")
}
