// Sends requests to the service, keeps answers, obeys rate limits and names failures.

import { LIMIT } from './texts.js';

const SCRIPT = document.currentScript?.src;
const BASE = new URL('/api', SCRIPT || document.baseURI);
const BUSY_MS = 400;
/** After a timeout, this is both the kind of failure and the reason for which the request was aborted. */
const SLOW = 'slow';
const SLOW_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;
/** After this many refusals by a rate limit in a row, the request is not repeated, and entry by hand is offered even with `strict`. */
const MAX_REFUSALS = 3;

/** The longest time from the release of a pointer to its click. */
const CLICK_MS = 150;
/** The longest time after the press of a pointer for which an answer waits. */
const PRESS_MS = 2000;

/** Kinds of failures by status. Status 0 is an answer that the page may not read. */
const FAILURES = { undefined: 'offline', 0: 'refused', 401: 'refused', 403: 'refused', 429: 'limit' };

/** Resolves when the last press of a pointer has ended. Answers wait for it, because a changed layout would move the pressed button. */
let released;
addEventListener('pointerdown', () => {
	released = new Promise((resolve) => {
		const press = new AbortController();
		const end = () => resolve(press.abort());
		const onEvent = (type, ms) => addEventListener(type, () => setTimeout(end, ms), { capture: true, signal: press.signal });
		onEvent('click');
		onEvent('pointerup', CLICK_MS);
		onEvent('pointercancel');
		// The pointer may be released outside the window.
		setTimeout(end, PRESS_MS);
	});
}, true);

/** Lets a widget send requests. Calls `showBusy` if a request takes long, and `giveUp` if there will be no answer. */
export const addService = (widget, host) => {
	/** Answers by request, so that deleting a letter sends no request. */
	let answers = {};
	/** No request is sent before `until`. If `isLimit` is true, a rate limit is the cause, and the work is repeated after `until`. */
	let until, isLimit;
	/** Refusals by a rate limit without an answer between them. */
	let refusals = 0;
	let pending, retry;

	/** Cancels pending work and requests. `widget.timer` is the timer of pending work until that work is done, otherwise 0. */
	widget.stop = () => {
		clearTimeout(widget.timer);
		widget.timer = 0;
		pending?.abort();
	};

	/** Cancels pending work and requests, then calls `work` after `ms`. */
	widget.later = (work, ms) => {
		widget.stop();
		widget.timer = setTimeout(work, ms);
	};

	const wait = () => {
		const left = until - Date.now();
		if (!isLimit || left > LONGEST_PAUSE_MS) return widget.giveUp();
		widget.later(retry, left);
		widget.say([LIMIT, Math.ceil(left / 1000)]);
		widget.open(true);
	};

	const fail = (kind, status, retryAfter) => {
		isLimit = kind === 'limit' && ++refusals < MAX_REFUSALS;
		until = Date.now() + 1000 * retryAfter;
		widget.emit('error', { kind, status, retryAfter });
		wait();
	};

	/** Sends a request: a POST if there is something to send. Returns the answer; nothing if the request failed or was cancelled. */
	widget.ask = async (path, sent) => {
		pending?.abort();
		const { signal } = pending = new AbortController();
		const body = sent && JSON.stringify(sent);
		const request = path + body;
		if (answers[request]) {
			await released;
			return !signal.aborted && answers[request];
		}
		if (Date.now() < until) return wait();
		const url = `${host.getAttribute('base') ?? BASE}/v1/${path}`;
		const begun = Date.now();
		const timers = [setTimeout(widget.showBusy, BUSY_MS), setTimeout(() => pending.abort(SLOW), SLOW_MS)];
		const response = await fetch(url, {
			signal, body, method: body ? 'POST' : 'GET',
			headers: { 'X-Api-Key': host.getAttribute('api-key') ?? '', 'Content-Type': 'application/json' },
		}).catch(() => {});
		const answer = await response?.json().catch(() => {});
		// CORS hides a refusal from a page that the key does not list. A request without CORS distinguishes a refusal from being offline.
		const there = response ?? await fetch(url, { signal, mode: 'no-cors' }).catch(() => {});
		timers.forEach(clearTimeout);
		const isCancelled = () => signal.aborted && signal.reason !== SLOW;
		if (isCancelled()) return;
		const received = Object.fromEntries(response?.headers ?? []);
		widget.emit('answer', { url, status: response?.status ?? 0, ms: Date.now() - begun, body: answer, headers: received });
		await released;
		if (isCancelled()) return;
		if (answer?.data) {
			refusals = 0;
			return answers[request] = answer;
		}
		const kind = signal.reason ?? FAILURES[there?.status] ?? 'failed';
		fail(kind, response?.status ?? 0, +(received['retry-after'] ?? { refused: 600, limit: 1 }[kind] ?? 0));
	};

	widget.hasBase = () => SCRIPT || host.hasAttribute('base');

	widget.forget = () => {
		answers = {};
		until = 0;
	};

	/** Wraps work: after a rate limit it is repeated; an answer of unexpected shape counts as a failure. */
	widget.safely = (work) => {
		const begin = async (given) => {
			const { timer } = widget;
			retry = () => begin(given);
			await work(given).catch(() => {
				widget.forget();
				fail('failed', 200, 0);
			});
			if (timer === widget.timer) widget.timer = 0;
		};
		return begin;
	};
};
