// The common parts of the panels of the test page: sending a request, showing its outcome, repeating it after a limit, and buttons for
// entry by hand.

import { redrawOnLanguageChange, el, formatNumber, known, t } from './dom.js';
import { exchange } from './exchange.js';
import { ask, isSandbox, isTrial, service } from './service.js';

/** After this time the panel says that the answer is slow. */
const SLOW_MS = 1_500;
/** If a limit lifts within this time, the panel repeats the request by itself. */
const MAX_AUTO_RETRY_WAIT_S = 120;

/**
 * The panel of a section. `show(answer)` returns the summary and nodes of a good answer; `byHand()` moves the entered values to the
 * order form; `clear()` removes what `show` put elsewhere in the section.
 */
export function panel(id, { show, byHand, clear = () => {} }) {
  const root = document.getElementById(id);
  const [message, outcome] = ['.message', '.outcome'].map((part) => root.querySelector(part));
  const shown = exchange(root, root.querySelector('.beside'));
  let phase = 'idle', answer = null, dropping = null, ticking = null;

  const draw = () => {
    root.toggleAttribute('aria-busy', phase !== 'idle');
    if (phase === 'slow') message.replaceChildren(notice(t('slow'), [handButton()]));
    if (phase !== 'idle' || !answer) return;
    const { summary, nodes = [] } = read(answer);
    const held = message.contains(document.activeElement);
    message.replaceChildren(summary);
    outcome.replaceChildren(...nodes);
    // The focused button was removed, so focus the panel.
    if (held) root.focus({ preventScroll: true });
  };

  /** The summary and nodes of an answer. A 200 may come from another server, such as a hotel's log-in page. */
  const read = (got) => {
    try {
      if (got.status === 200 && Object(got.body) === got.body) return show(got);
    } catch (error) {
      console.error(error);
    }
    clear();
    return { summary: errorNotice(got) };
  };

  const stop = () => {
    dropping?.abort();
    clearInterval(ticking);
  };

  const askFor = async (request) => {
    stop();
    const mine = (dropping = new AbortController());
    phase = 'asking';
    draw();
    const slow = setTimeout(() => ((phase = 'slow'), draw()), SLOW_MS);
    const got = await ask(request, mine.signal);
    clearTimeout(slow);
    if (mine.signal.aborted) return;
    [phase, answer] = ['idle', got];
    shown.show(got);
    draw();
    if (got.status === 429 && wait(got) <= MAX_AUTO_RETRY_WAIT_S) retryAfter(request, wait(got));
  };

  const retryAfter = (request, seconds) => {
    const at = Date.now() + seconds * 1000;
    const tick = () => {
      const left = Math.ceil((at - Date.now()) / 1000);
      if (left <= 0) return void askFor(request);
      const clock = message.querySelector('[role=timer]');
      if (clock) clock.textContent = t('goesOn', { count: left });
    };
    ticking = setInterval(tick, 250);
    tick();
  };

  const errorNotice = (got) => {
    const again = el('button', { type: 'button', class: 'second', onclick: () => askFor(got.asked) }, t('again'));
    // A wrong request would be rejected again.
    const wrong = got.status >= 400 && got.status < 500 && got.status !== 429;
    const onward = got.status === 401 ? keyButton() : wrong ? null : again;
    const clock = got.status === 429 && wait(got) <= MAX_AUTO_RETRY_WAIT_S && el('p', { role: 'timer' });
    return notice(errorText(got), [onward, handButton()], clock || null);
  };

  const handButton = () => el('button', { type: 'button', class: 'second', 'data-t': 'byHand', onclick: byHand }, t('byHand'));

  for (const button of root.querySelectorAll('.by-hand')) button.addEventListener('click', byHand);
  const forget = () => {
    stop();
    [phase, answer] = ['idle', null];
    message.replaceChildren();
    outcome.replaceChildren();
    clear();
    draw();
  };
  /** Shows an error that is not the answer to a request, such as a refused location. */
  const refuse = (key) => {
    stop();
    [phase, answer] = ['idle', null];
    draw();
    message.replaceChildren(notice(el('span', { 'data-t': key }, t(key)), [handButton()]));
  };

  service.addEventListener('key', forget);
  redrawOnLanguageChange(draw);
  return { root, askFor, handButton, refuse };
}

function keyButton() {
  return el('button', { type: 'button', class: 'second', onclick: () => service.dispatchEvent(new Event('wanted')) }, t('access.own'));
}

/** The text of an error. */
export function errorText({ status, cause, body, headers }) {
  if (!status) return t(cause);
  const code = body?.error?.code ?? v3Code(body, status);
  if (status === 401) return t(isTrial() ? 'trialOff' : 'refused');
  if (status === 429) return t(wait({ headers }) <= MAX_AUTO_RETRY_WAIT_S ? 'tooFast' : 'usedUp');
  if (status === 403) return t('notInPlan');
  if (status >= 500) return t('unwell', { status });
  return known(`code.${code}`) ?? t('unexpected', { status });
}

/** The v1 code of a v3 error. */
function v3Code(body, status) {
  const [wrong] = body?.invalidParams ?? [];
  return wrong ? `invalid_${wrong.name}` : status === 404 ? 'not_found' : '';
}

function wait({ headers }) {
  return Number(headers['retry-after'] ?? 1);
}

/** An error with the possible next steps. */
export function notice(text, buttons = [], more = null) {
  return el('div', { class: 'notice' }, el('p', {}, text), more, el('p', { class: 'actions' }, buttons));
}

/** The fields of a form by name, trimmed. */
export function entered(form) {
  return Object.fromEntries([...new FormData(form)].map(([name, text]) => [name, text.trim()]));
}

/** Puts values into a form's fields and empties the others. */
export function fillForm(form, values) {
  for (const field of form.querySelectorAll('input')) field.value = values[field.name] ?? '';
  markFields(form, () => false);
}

/** Calls `use` with the entered values when a form is submitted and no required field is empty. */
export function onSend(form, use) {
  const send = () => {
    const first = markFields(form, (field) => field.required && !field.value.trim());
    if (first) first.focus();
    else use(entered(form));
  };
  form.addEventListener('submit', (event) => (event.preventDefault(), send()));
  form.addEventListener('input', ({ target }) => markField(target, false));
  return send;
}

function markFields(form, isWrong) {
  let first;
  for (const field of form.querySelectorAll('input')) {
    const wrong = isWrong(field);
    markField(field, wrong);
    if (wrong) first ??= field;
  }
  return first;
}

function markField(field, wrong) {
  const id = `${field.id}-missing`;
  document.getElementById(id)?.remove();
  field.toggleAttribute('aria-invalid', false);
  field.removeAttribute('aria-describedby');
  if (!wrong) return;
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', id);
  field.after(el('span', { id, class: 'missing', 'data-t': 'missing' }, t('missing')));
}

/** Example buttons: the fixed ones for a sandbox key, else the last found address. `intro` is the text before them, if any. */
export function examples(root, fixed, fromLast, press, intro = 'try') {
  const place = root.querySelector('.examples');
  let last = null;
  const draw = () => {
    const those = [...(isSandbox() ? fixed() : []), ...(last && !isSandbox() ? [fromLast(last)] : [])].filter(Boolean);
    const buttons = those.map(([label, value]) =>
      el('button', { type: 'button', class: 'example', onclick: () => press(value) }, label));
    place.replaceChildren(...(buttons.length && intro ? [el('span', {}, t(intro))] : []), ...buttons);
  };
  service.addEventListener('key', draw);
  document.addEventListener('found', ({ detail }) => ((last = detail), draw()));
  redrawOnLanguageChange(draw);
}

/** Announces the found address to the other panels. */
export function announceFound(address) {
  document.dispatchEvent(new CustomEvent('found', { detail: address }));
}

/** `Dorpsstraat 12A-1`, as on an envelope. */
export function streetLine({ street, number, letter, addition }) {
  const tail = addition ? (/^\d/.test(addition) ? `-${addition}` : ` ${addition}`) : '';
  return `${street ?? ''} ${number ?? ''}${letter ?? ''}${tail}`.trim();
}

/** `1234 AB`, as on an envelope. */
export function spaced(postcode) {
  return postcode.toUpperCase().replace(/^(\d{4})\s*([A-Z]{2})$/, '$1 $2');
}

/** Writes an address on an envelope. Writes the text `empty` instead if the address is empty. */
export function drawEnvelope(place, address, empty = '') {
  const { postcode = '', city = '' } = address;
  const town = [spaced(postcode), city].filter(Boolean).join('  ');
  const street = streetLine(address);
  place.replaceChildren(...(street || town ? [el('span', {}, street || '\u00a0'), el('span', {}, town || '\u00a0')]
    : [el('span', { class: 'empty' }, empty)]));
}

/** An address as a list item. */
export function card(address, ...more) {
  const { surface, constructionYear, postcode, city, municipality } = address;
  const some = [
    ...uses(address),
    surface && `${formatNumber(surface)} m²`,
    constructionYear && t('built', { year: constructionYear }),
    municipality === city ? null : t('inMunicipality', { municipality }),
  ].filter(Boolean);
  return el('li', {},
    el('strong', {}, streetLine(address)), el('span', { class: 'town' }, ` ${spaced(postcode)} ${city}`),
    el('p', { class: 'facts' }, some.join(' · ')),
    more);
}

/** The other values of the register for an address, each with its label: use, floor area, year and municipality. */
export function labelledValues(address) {
  const { surface, constructionYear, municipality } = address;
  return [
    [t('fact.use'), uses(address).join(', ')],
    [t('fact.surface'), surface && `${formatNumber(surface)} m²`],
    [t('fact.built'), constructionYear && String(constructionYear)],
    [t('municipality'), municipality],
  ].filter(([, value]) => value);
}

function uses({ type, purposes = [] }) {
  return [
    ...(type === 'verblijfsobject' ? [] : [known(`type.${type}`) ?? type]),
    ...purposes.map((purpose) => known(`purpose.${purpose}`) ?? purpose),
  ];
}
