// Asking the service: the key, the one way a request is made, and what is left of the limits.

import { stored } from './dom.js';

/** The contract's advice to clients. */
const TIMEOUT_MS = 5_000;
const MINUTE_MS = 60_000;
const KEPT = 'postduif-key';
const TRIAL_KEY = document.querySelector('meta[name=trial-key]').content;

/** Calls a minute that the trial key allows one address. */
export const PER_MINUTE = 40;

/** Tells `key` when another key is used, `wanted` when one should be put in, `answer` after every answer. */
export const service = new EventTarget();

/** What the answers' headers told last, by name; empty until one did. */
export let standing = {};

let own = stored(() => sessionStorage.getItem(KEPT));
let asked = [];
/** When the limit that was met lifts. */
let lifts = 0;

export const key = () => own ?? TRIAL_KEY;
export const isTrial = () => own === null;
export const isSandbox = () => key().startsWith('pd_test_');

/** The key as it may stand on a screen that others see: a key of one's own by its ends alone. */
export const hidden = () => (isTrial() ? key() : `${key().slice(0, 8)}…${key().slice(-4)}`);

/** Whether a text can be a key at all: its form, not its checksum. */
export function isKey(text) {
  return /^pd_(live|test)_[0-9A-Za-z]{38}$/.test(text);
}

/** Uses a key from now on, or with any other text the trial key again. It outlives a reload, not the tab. */
export function useKey(text) {
  own = isKey(text) && text !== TRIAL_KEY ? text : null;
  stored(() => (own === null ? sessionStorage.removeItem(KEPT) : sessionStorage.setItem(KEPT, own)));
  standing = {};
  lifts = 0;
  service.dispatchEvent(new Event('key'));
}

/**
 * Asks, and answers `{status, ms, body, headers, size}`; status 0 says that no answer came, with `cause` `down`, `late` or
 * `dropped` (the asker lost interest).
 */
export async function ask({ method, path, body }, dropped) {
  const began = performance.now();
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const exchange = { asked: { method, path, body } };
  try {
    const response = await fetch(address(path), {
      method,
      headers: { 'X-Api-Key': key(), ...(body && { 'Content-Type': 'application/json' }) },
      body: body && JSON.stringify(body),
      cache: 'no-store',
      signal: AbortSignal.any([late, dropped]),
    });
    const text = await response.text();
    const ms = performance.now() - began;
    const headers = Object.fromEntries(response.headers);
    Object.assign(exchange, { status: response.status, ms, headers, body: parsed(text), size: text.length });
  } catch {
    const cause = dropped.aborted ? 'dropped' : late.aborted ? 'late' : 'down';
    // It may have arrived, and count.
    if (cause !== 'down') asked.push(Date.now());
    return { ...exchange, status: 0, cause, ms: performance.now() - began, headers: {}, body: null };
  }
  note(exchange.status, exchange.headers);
  return exchange;
}

/** Learns from an answer, whoever asked: what is left, and one call more of this minute. */
export function note(status, headers) {
  if (status !== 401) {
    if (status === 429) lifts = Date.now() + 1000 * Number(headers['retry-after'] ?? 1);
    else asked.push(Date.now());
    if (headers['x-quota-limit']) standing = headers;
  }
  service.dispatchEvent(Object.assign(new Event('answer'), { status }));
}

/** How many calls were made in the last minute, and the seconds until the oldest of them is forgotten. */
export function lastMinute() {
  const now = Date.now();
  // The service counts what other pages at this address ask, too.
  if (lifts > now) return { calls: PER_MINUTE, seconds: Math.ceil((lifts - now) / 1000) };
  asked = asked.filter((at) => now - at < MINUTE_MS);
  return { calls: asked.length, seconds: asked.length ? Math.ceil((asked[0] + MINUTE_MS - now) / 1000) : 0 };
}

/** The address of a path, relative to the page, so that both may stand below a prefix. */
export function address(path) {
  return new URL(`api${path}`, document.baseURI).href;
}

/** What to type in a shell for the same request. */
export function curl({ method, path, body }, shownKey = key()) {
  const data = method === 'POST' ? ` \\\n  --json ${quoted(JSON.stringify(body))}` : '';
  return `curl -H ${quoted(`X-Api-Key: ${shownKey}`)}${data} \\\n  ${quoted(address(path))}`;
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
