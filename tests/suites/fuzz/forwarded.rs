//! `X-Forwarded-For` and `Forwarded`: whatever a client writes, it does not choose its own address.

use std::net::IpAddr;

use postduif::limits::TrustedProxies;

/// All that a client sent stands before what the trusted proxy adds, in the same line or in one before it.
pub(super) fn forwarded(sent: &[u8]) {
    // What HTTP takes in a header's value; a proxy would refuse the rest.
    if sent
        .iter()
        .any(|&byte| byte < b' ' && byte != b'\t' || byte == 0x7f)
    {
        return;
    }
    let trusted: TrustedProxies = "10.0.0.0/8, 2001:db8::/32".parse().expect("networks");
    let [proxy, outer, client] = ["10.0.0.1", "10.0.0.2", "192.0.2.7"].map(address);
    let client_v6 = address("2001:db9::7");
    let no_lines = || std::iter::empty::<&[u8]>();
    let both = || [sent].into_iter();

    // Of one who is no trusted proxy nothing is believed.
    assert_eq!(trusted.client_ip(client, both(), both()), client);
    assert_eq!(
        TrustedProxies::default().client_ip(proxy, both(), both()),
        proxy
    );
    // Nor does a header make the other end of the connection somebody without an address: there is always an answer.
    for [x_forwarded_for, forwarded] in [[true, false], [false, true], [true, true]] {
        let lines = |has: bool| [sent].into_iter().filter(move |_| has);
        let told = trusted.client_ip(proxy, lines(x_forwarded_for), lines(forwarded));
        assert_eq!(told, told.to_canonical());
    }

    // The proxy extends the line, or adds one of its own; then another proxy adds the first.
    for (line, seen) in [
        (", 192.0.2.7", client),
        (",192.0.2.7:47, 10.0.0.2", client),
        (", [2001:db9::7]:47", client_v6),
        (", ::ffff:192.0.2.7", client),
    ] {
        let extended = [sent, line.as_bytes()].concat();
        let found = trusted.client_ip(proxy, [&extended[..]].into_iter(), both());
        assert_eq!(found, seen, "{:?}", extended.escape_ascii().to_string());
        let apart = [sent, &line.as_bytes()[1..]];
        assert_eq!(trusted.client_ip(proxy, apart.into_iter(), both()), seen);
    }
    for (line, seen) in [
        (", for=192.0.2.7", client),
        (
            ", for=192.0.2.7;proto=https;by=10.0.0.2, for=10.0.0.2",
            client,
        ),
        (", For=\"[2001:db9::7]:47\"", client_v6),
        (", by=\"_x,y\";for=\"192.0.2.7:47\"", client),
        (", for=unknown", outer),
    ] {
        let from = if seen == outer { outer } else { proxy };
        let extended = [sent, line.as_bytes()].concat();
        let found = trusted.client_ip(from, no_lines(), [&extended[..]].into_iter());
        assert_eq!(found, seen, "{:?}", extended.escape_ascii().to_string());
        let apart = [sent, &line.as_bytes()[1..]];
        assert_eq!(trusted.client_ip(from, no_lines(), apart.into_iter()), seen);
    }
}

fn address(text: &str) -> IpAddr {
    text.parse().expect("an address")
}
