// Shows the request and the raw answer beside a panel, once there is an answer.

import { redrawOnLanguageChange, el, formatNumber, t } from './dom.js';
import { curl, service, shownKey, usableKey } from './service.js';

/** The headers to show. */
const HEADERS = /^(x-ratelimit|x-quota|retry-after|x-request-id|cache-control)/;
/** A JSON token: a string (with a colon after it if it is a field name), a literal or a number. */
const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const PAIR = /\[\s+(-?[\d.]+),\s+(-?[\d.]+)\s+\]/g;

/**
 * Adds the view of request and answer to `place`, a part of the section. The view is collapsed on a phone. The section has the class
 * `answered` while the view is visible.
 */
export function exchange(section, place, { open = matchMedia('(min-width: 60rem)').matches } = {}) {
  const body = el('div', { class: 'said' });
  const summary = el('summary');
  const details = el('details', { open }, summary, body);
  const aside = el('aside', { class: 'exchange', hidden: true }, details);
  place.append(aside);
  let answer = null;
  const draw = () => {
    const title = section.querySelector('h1, h2').textContent;
    summary.textContent = t('exchange');
    aside.setAttribute('aria-label', `${t('exchange')}: ${title}`);
    body.replaceChildren(...(answer ? renderExchange(answer) : []));
    aside.hidden = !answer;
    section.classList.toggle('answered', answer !== null);
  };
  redrawOnLanguageChange(draw);
  service.addEventListener('key', () => ((answer = null), draw()));
  return {
    show: (got) => ((answer = got), draw()),
  };
}

function renderExchange(answer) {
  return [
    ...request(answer.asked),
    statusLine(answer),
    headerList(answer.headers),
    answer.body === null ? null
      : el('pre', { class: 'json', tabindex: '0', role: 'group', 'aria-label': t('body') }, highlightJson(answer.body)),
  ].filter(Boolean);
}

/** Renders the request. A private key is masked on the screen and complete in the copied command; the public live key is in neither. */
function request(asked) {
  const [before, query] = asked.path.split('?');
  const line = el('code', {}, `/api${before}`, query ? el('span', {}, `?${query}`) : null);
  const code = el('code', {}, curl(asked, shownKey()));
  const copy = el('button', { type: 'button', class: 'copy' });
  const whole = curl(asked, usableKey());
  copyButton(copy, code, () => whole);
  const pre = el('pre', { class: 'curl' }, code);
  return [el('p', { class: 'line' }, el('b', {}, asked.method), ' ', line), el('div', { class: 'command' }, pre, copy)];
}

/** Makes a button copy a text, or select it in `code` where the browser forbids copying. */
export function copyButton(button, code, text) {
  const name = (key) => { button.dataset.t = key; button.textContent = t(key); };
  name('copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text());
      name('copied');
    } catch {
      code.textContent = text();
      getSelection().selectAllChildren(code);
      name('selected');
    }
    setTimeout(() => name('copy'), 2_000);
  });
}

function statusLine({ status, cause, ms, size }) {
  const summary = status ? `${formatNumber(Math.max(ms, 0.1), ms < 10 ? 1 : 0)} ms · ${formatNumber(size)} bytes` : t(`${cause}.short`);
  return el('p', { class: 'line answer' }, el('b', { class: status === 200 ? 'good' : 'bad' }, status || '—'), ' ', summary);
}

function headerList(headers) {
  const shown = Object.entries(headers).filter(([name]) => HEADERS.test(name));
  return shown.length
    ? el('dl', { class: 'headers' }, shown.map(([name, value]) => el('div', { class: value.length > 12 ? 'long' : null }, el('dt', {}, name), el('dd', {}, value))))
    : null;
}

/** JSON with a span around each name, string, number and literal. */
function highlightJson(body) {
  if (typeof body === 'string') return [body];
  const text = JSON.stringify(body, null, 2).replace(PAIR, '[$1, $2]');
  const nodes = [];
  let at = 0;
  for (const found of text.matchAll(TOKENS)) {
    const [whole, string, colon] = found;
    const token = string ?? whole;
    nodes.push(text.slice(at, found.index), el('span', { class: kind(string, colon, whole) }, token));
    at = found.index + token.length;
  }
  return [...nodes, text.slice(at)];
}

function kind(string, colon, whole) {
  if (string) return colon ? 'name' : 'text';
  return /^[-\d]/.test(whole) ? 'number' : 'word';
}
