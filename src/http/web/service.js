// Sends requests to the service. Keeps the key in use, and the calls that the limits still allow.

import { tryStorage } from './dom.js';

/** The time limit of a request, as the contract advises clients. */
const TIMEOUT_MS = 5_000;
const MINUTE_MS = 60_000;
const KEY_STORAGE_NAME = 'postduif-key';
const TRIAL_KEY = inMeta('trial-key');
/** The key for real addresses, which works on pages of the service only; null if the operator has not enabled it. */
const PUBLIC_LIVE_KEY = inMeta('public-live-key');
const DEFAULT_KEY = PUBLIC_LIVE_KEY ?? TRIAL_KEY;

/** Emits `key` when the key changes, `wanted` when a key should be entered, `answer` after every answer. */
export const service = new EventTarget();

/** The limits in the last answer's headers, by name; empty before the first answer. */
export let limitHeaders = {};

let own = tryStorage(() => sessionStorage.getItem(KEY_STORAGE_NAME));
/** The times of the calls of the last minute. */
let callTimes = [];
/** When the current limit lifts. */
let limitedUntil = 0;

export const key = () => own ?? DEFAULT_KEY;
export const isTrial = () => key() === TRIAL_KEY;
export const isPublicLive = () => key() === PUBLIC_LIVE_KEY;
/** Whether the key in use is the default key of the page. */
export const isDefault = () => own === null;
export const isSandbox = () => key().startsWith('pd_test_');

/** Calls a minute that a key of the page allows one IP; null for the user's own key. */
export const perMinute = () => (isTrial() ? 40 : isPublicLive() ? 120 : null);

/** The key for a copied command. The public live key works only on this page, so a placeholder replaces it. */
export const usableKey = () => (isPublicLive() ? 'pd_live_…' : key());

/** The key as the screen may show it: only the beginning and the end of a private key. */
export const shownKey = () => (isTrial() || isPublicLive() ? usableKey() : `${key().slice(0, 8)}…${key().slice(-4)}`);

/** Whether a text has the form of a key; does not check its checksum. */
export function isKey(text) {
  return /^pd_(live|test)_[0-9A-Za-z]{38}$/.test(text);
}

/** Switches to this key; any other text switches back to the key of the page. The key is kept across reloads, until the tab closes. */
export function useKey(text) {
  own = isKey(text) && text !== DEFAULT_KEY ? text : null;
  tryStorage(() => (own === null ? sessionStorage.removeItem(KEY_STORAGE_NAME) : sessionStorage.setItem(KEY_STORAGE_NAME, own)));
  limitHeaders = {};
  limitedUntil = 0;
  service.dispatchEvent(new Event('key'));
}

/**
 * Sends a request and returns `{status, ms, body, headers, size}`. Status 0 means that no answer came, with `cause` `down`,
 * `late` or `dropped` (the caller cancelled the request).
 */
export async function ask({ method, path, body }, cancelSignal) {
  const began = performance.now();
  const late = AbortSignal.timeout(TIMEOUT_MS);
  const exchange = { asked: { method, path, body } };
  try {
    const response = await fetch(address(path), {
      method,
      headers: { 'X-Api-Key': key(), ...(body && { 'Content-Type': 'application/json' }) },
      body: body && JSON.stringify(body),
      cache: 'no-store',
      signal: AbortSignal.any([late, cancelSignal]),
    });
    const text = await response.text();
    const ms = performance.now() - began;
    const headers = Object.fromEntries(response.headers);
    Object.assign(exchange, { status: response.status, ms, headers, body: parsed(text), size: text.length });
  } catch {
    const cause = cancelSignal.aborted ? 'dropped' : late.aborted ? 'late' : 'down';
    // The request may have arrived, and then the service counts it.
    if (cause !== 'down') callTimes.push(Date.now());
    return { ...exchange, status: 0, cause, ms: performance.now() - began, headers: {}, body: null };
  }
  recordAnswer(exchange.status, exchange.headers);
  return exchange;
}

/** Updates the limits from any answer, and counts one call of this minute. */
export function recordAnswer(status, headers) {
  if (status !== 401) {
    if (status === 429) limitedUntil = Date.now() + 1000 * Number(headers['retry-after'] ?? 1);
    else callTimes.push(Date.now());
    if (headers['x-quota-limit']) limitHeaders = headers;
  }
  service.dispatchEvent(Object.assign(new Event('answer'), { status }));
}

/** The calls of the last minute, and the seconds until the oldest of them no longer counts. */
export function lastMinute() {
  const now = Date.now();
  // A 429 overrides the count of this page, because the service also counts calls of other pages from this IP.
  if (limitedUntil > now) return { calls: Infinity, seconds: Math.ceil((limitedUntil - now) / 1000) };
  callTimes = callTimes.filter((at) => now - at < MINUTE_MS);
  return { calls: callTimes.length, seconds: callTimes.length ? Math.ceil((callTimes[0] + MINUTE_MS - now) / 1000) : 0 };
}

/** The URL of a path, relative to the page, so that page and service work below a prefix. */
export function address(path) {
  return new URL(`api${path}`, document.baseURI).href;
}

/** The shell command for the same request. */
export function curl({ method, path, body }, apiKey) {
  const data = method === 'POST' ? ` \\\n  --json ${quoted(JSON.stringify(body))}` : '';
  return `curl -H ${quoted(`X-Api-Key: ${apiKey}`)}${data} \\\n  ${quoted(address(path))}`;
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function inMeta(name) {
  return document.querySelector(`meta[name=${name}]`)?.content ?? null;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
