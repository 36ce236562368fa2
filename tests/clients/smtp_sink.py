"""A mail server for tests: accepts messages and prints each one as a line of JSON to standard output.

usage: smtp_sink.py PORT [--refuse ADDRESS]... [--password PASSWORD] [--hold]

The first line has the port, which is a free one for PORT 0. An address given by --refuse gets the reply 550. With --password
only the user `duif` with that password may send. With --hold a message is printed but not yet accepted: each line on standard
input accepts one message. The server ends when standard input ends, so that it never outlives the test that started it.
"""

import argparse
import asyncio
import email
import email.policy
import json
import os
import sys
import threading

from aiosmtpd.smtp import SMTP, AuthResult


def say(**line):
    print(json.dumps(line), flush=True)


class Sink:
    def __init__(self, options, accepted):
        self.options = options
        self.accepted = accepted

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address in self.options.refuse:
            return f"550 5.1.1 <{address}>: no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        say(
            sender=envelope.mail_from,
            to=envelope.rcpt_tos,
            headers={name.lower(): str(value) for name, value in message.items()},
            text=message.get_content(),
        )
        if self.options.hold:
            await self.accepted.acquire()
        return "250 OK"


def authenticator(password):
    def check(server, session, envelope, mechanism, data):
        good = (data.login, data.password) == (b"duif", password.encode())
        return AuthResult(success=good, handled=good)

    return check


async def main(options):
    loop = asyncio.get_running_loop()
    accepted = asyncio.Semaphore(0)
    auth = {}
    if options.password:
        auth = dict(
            auth_required=True,
            auth_require_tls=False,
            authenticator=authenticator(options.password),
        )
    sink = Sink(options, accepted)
    server = await loop.create_server(
        lambda: SMTP(sink, hostname="sink.test", loop=loop, **auth), "127.0.0.1", options.port
    )
    say(port=server.sockets[0].getsockname()[1])

    def listen():
        for _ in sys.stdin:
            loop.call_soon_threadsafe(accepted.release)
        os._exit(0)

    threading.Thread(target=listen, daemon=True).start()
    await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--refuse", action="append", default=[])
    parser.add_argument("--password")
    parser.add_argument("--hold", action="store_true")
    asyncio.run(main(parser.parse_args()))
