// The request and the raw answer beside a panel.

import { drawn, el, figure, t } from './dom.js';
import { curl, hidden, service } from './service.js';

/** The headers to show. */
const HEADERS = /^(x-ratelimit|x-quota|retry-after|x-request-id|cache-control)/;
/** A JSON token: a string, with whether it is a field name, a word or a number. */
const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const PAIR = /\[\s+(-?[\d.]+),\s+(-?[\d.]+)\s+\]/g;

/** Adds it to a section, collapsed on a phone. Before the first request it shows the sample `first`. */
export function exchange(section, first) {
  const body = el('div', { class: 'said' });
  const summary = el('summary');
  const details = el('details', { open: matchMedia('(min-width: 60rem)').matches }, summary, body);
  const aside = el('aside', { class: 'exchange' }, details);
  section.append(aside);
  let answer = null;
  const draw = () => {
    const title = section.querySelector('h2').textContent;
    summary.textContent = t('exchange');
    aside.setAttribute('aria-label', `${t('exchange')}: ${title}`);
    body.replaceChildren(...(answer ? both(answer) : [...request(first), el('p', { class: 'empty' }, t('exchange.empty'))]));
  };
  drawn(draw);
  service.addEventListener('key', () => ((answer = null), draw()));
  return {
    show: (got) => ((answer = got), draw()),
  };
}

function both(answer) {
  return [
    ...request(answer.asked),
    statusLine(answer),
    headerList(answer.headers),
    answer.body === null ? null
      : el('pre', { class: 'json', tabindex: '0', role: 'group', 'aria-label': t('body') }, coloured(answer.body)),
  ].filter(Boolean);
}

/** A private key is hidden on the screen, but copied. */
function request(asked) {
  const [before, query] = asked.path.split('?');
  const line = el('code', {}, `/api${before}`, query ? el('span', {}, `?${query}`) : null);
  const code = el('code', {}, curl(asked, hidden()));
  const copy = el('button', { type: 'button', class: 'copy' }, t('copy'));
  const whole = curl(asked);
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(whole);
      copy.textContent = t('copied');
    } catch {
      code.textContent = whole;
      getSelection().selectAllChildren(code);
      copy.textContent = t('selected');
    }
    setTimeout(() => (copy.textContent = t('copy')), 2_000);
  });
  const pre = el('pre', { class: 'curl' }, code);
  return [el('p', { class: 'line' }, el('b', {}, asked.method), ' ', line), el('div', { class: 'command' }, pre, copy)];
}

function statusLine({ status, cause, ms, size }) {
  const summary = status ? `${figure(Math.max(ms, 0.1), ms < 10 ? 1 : 0)} ms · ${figure(size)} bytes` : t(`${cause}.short`);
  return el('p', { class: 'line answer' }, el('b', { class: status === 200 ? 'good' : 'bad' }, status || '—'), ' ', summary);
}

function headerList(headers) {
  const shown = Object.entries(headers).filter(([name]) => HEADERS.test(name));
  return shown.length
    ? el('dl', { class: 'headers' }, shown.map(([name, value]) => el('div', { class: value.length > 12 ? 'long' : null }, el('dt', {}, name), el('dd', {}, value))))
    : null;
}

/** JSON with a span around each name, string, number and literal. */
function coloured(body) {
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
