//! The load: connections that are kept alive, each asking again as soon as it is answered.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::scenario::Scenario;

/// Asks for as long as `turn` and says how many requests were answered, each of them by a 200.
pub(crate) async fn run(
    scenario: &Scenario,
    connections: usize,
    turn: Duration,
) -> anyhow::Result<u64> {
    let end = Instant::now() + turn;
    let mut clients = JoinSet::new();
    for client in 0..connections {
        let stream = TcpStream::connect(scenario.server).await?;
        stream.set_nodelay(true)?;
        let requests: Vec<Vec<u8>> = scenario
            .requests
            .iter()
            .skip(client)
            .step_by(connections)
            .cloned()
            .collect();
        clients.spawn(ask(stream, requests, end));
    }
    let mut answered = 0;
    while let Some(client) = clients.join_next().await {
        answered += client??;
    }
    Ok(answered)
}

async fn ask(mut stream: TcpStream, requests: Vec<Vec<u8>>, end: Instant) -> anyhow::Result<u64> {
    let (mut answered, mut buffer) = (0, Vec::with_capacity(1 << 16));
    for request in requests.iter().cycle() {
        if answered % 16 == 0 && Instant::now() >= end {
            break;
        }
        stream.write_all(request).await?;
        read_answer(&mut stream, &mut buffer).await?;
        answered += 1;
    }
    Ok(answered)
}

/// Reads one answer to the end of its body.
async fn read_answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> anyhow::Result<()> {
    buffer.clear();
    loop {
        ensure!(
            stream.read_buf(buffer).await? > 0,
            "the server closed the connection"
        );
        let Some(head) = buffer.windows(4).position(|end| end == b"\r\n\r\n") else {
            continue;
        };
        let whole = head + 4 + content_length(&buffer[..head])?;
        ensure!(
            buffer.starts_with(b"HTTP/1.1 200 "),
            "{}",
            String::from_utf8_lossy(buffer)
        );
        while buffer.len() < whole {
            ensure!(
                stream.read_buf(buffer).await? > 0,
                "the server closed the connection"
            );
        }
        return Ok(());
    }
}

fn content_length(head: &[u8]) -> anyhow::Result<usize> {
    const NAME: &[u8] = b"content-length: ";
    let at = head
        .windows(NAME.len())
        .position(|name| name == NAME)
        .context("an answer without a length")?;
    let digits = head[at + NAME.len()..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit());
    Ok(digits.fold(0, |length, digit| length * 10 + usize::from(digit - b'0')))
}
