// Requests to the service: answers are kept, limits respected, failures named.

const BASE = new URL('/api', document.currentScript?.src || document.baseURI).href;
const BUSY_MS = 400;
const SLOW_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Sends a widget's requests. `onSlow` is called when an answer takes long, `onFailure(seconds)` when
 * there is none, with the seconds until the retry, if there will be one.
 */
export const connect = (host, emit, onSlow, onFailure) => {
	/** Answers by request: deleting a letter sends none. */
	let answers = {};
	let pause = {};
	let pending, timer;

	const stop = () => {
		clearTimeout(timer);
		pending?.abort();
	};

	/** Calls `work` after a while, instead of all that was to be done. */
	const later = (work, ms) => {
		stop();
		timer = setTimeout(work, ms);
	};

	const wait = (retry) => {
		const left = pause.until - Date.now();
		const isShort = pause.kind === 'limit' && left < LONGEST_PAUSE_MS;
		if (isShort) later(retry, left);
		onFailure(isShort && Math.ceil(left / 1000));
	};

	const fail = (kind, status, retryAfter, retry) => {
		pause = { kind, until: Date.now() + 1000 * retryAfter };
		emit('error', { kind, status, retryAfter });
		wait(retry);
	};

	/** The answer; nothing if the request failed or was cancelled. After a limit `retry` continues. With a body it is a POST. */
	const ask = async (path, retry, sent) => {
		pending?.abort();
		const body = sent && JSON.stringify(sent);
		const request = path + body;
		if (answers[request]) return answers[request];
		if (Date.now() < pause.until) return wait(retry);
		const { href: url } = new URL(`${host.getAttribute('base') ?? BASE}/v1/${path}`, location);
		const { signal } = pending = new AbortController();
		const begun = Date.now();
		let kind;
		const timers = [setTimeout(onSlow, BUSY_MS), setTimeout(() => { kind = 'slow'; pending.abort(); }, SLOW_MS)];
		const headers = { 'X-Api-Key': host.getAttribute('api-key') ?? '', ...body && { 'Content-Type': 'application/json' } };
		const response = await fetch(url, { signal, headers, method: body ? 'POST' : 'GET', body }).catch(() => {});
		const answer = await response?.json().catch(() => {});
		// CORS hides a refusal from a page that the key does not list: a request without CORS tells it from being offline.
		const there = response || await fetch(url, { mode: 'no-cors', signal }).then(() => 'refused', () => 'offline');
		timers.forEach(clearTimeout);
		if (signal.aborted && !kind) return;
		const status = response?.status ?? 0;
		const received = Object.fromEntries(response?.headers ?? []);
		emit('answer', { url, status, ms: Date.now() - begun, body: answer, headers: received });
		if (answer?.data) return answers[request] = answer;
		kind ??= status ? { 401: 'refused', 403: 'refused', 429: 'limit' }[status] ?? 'failed' : there;
		fail(kind, status, +(received['retry-after'] ?? { limit: 1, refused: 600 }[kind] ?? 0), retry);
	};

	const forget = () => { [answers, pause] = [{}, {}]; };

	/** An answer of an unexpected shape counts as a failure. */
	const safely = (work) => (given) => work(given).catch(() => {
		forget();
		fail('failed', 200, 0);
	});

	return { ask, stop, later, forget, safely };
};
