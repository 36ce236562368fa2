// What the panels share: asking, telling how it went, going on by itself after a limit, and a way out by hand at every step.

import { drawn, el, figure, known, t } from './dom.js';
import { exchange } from './exchange.js';
import { ask, isSandbox, isTrial, service } from './service.js';

/** An answer that takes longer is told to be slow. */
const SLOW_MS = 1_500;
/** A limit that lifts later than this is not waited for. */
const WAITED_FOR_S = 120;

/**
 * The panel of a section. `first` is a question it can be asked; `show(answer)` gives what is told of a good answer and what is shown of it; `byHand()` takes what was
 * typed to the address form; `clear()` takes away what `show` left outside the panel's own places.
 */
export function panel(id, { first, show, byHand, clear = () => {} }) {
  const root = document.getElementById(id);
  const [message, outcome] = ['.message', '.outcome'].map((part) => root.querySelector(part));
  const shown = exchange(root, first);
  let phase = 'idle', answer = null, dropping = null, ticking = null;

  const draw = () => {
    root.toggleAttribute('aria-busy', phase !== 'idle');
    if (phase === 'slow') message.replaceChildren(notice(t('slow'), [handButton()]));
    if (phase !== 'idle' || !answer) return;
    const { summary, nodes = [] } = read(answer);
    const held = message.contains(document.activeElement);
    message.replaceChildren(summary);
    outcome.replaceChildren(...nodes);
    // The button that was pressed is gone.
    if (held) root.focus({ preventScroll: true });
  };

  /** What is told and shown of an answer. A 200 may come from another than the service, such as a hotel's log-in page. */
  const read = (got) => {
    try {
      if (got.status === 200 && Object(got.body) === got.body) return show(got);
    } catch (error) {
      console.error(error);
    }
    clear();
    return { summary: trouble(got) };
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
    if (got.status === 429 && wait(got) <= WAITED_FOR_S) goOn(request, wait(got));
  };

  const goOn = (request, seconds) => {
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

  const trouble = (got) => {
    const again = el('button', { type: 'button', class: 'second', onclick: () => askFor(got.asked) }, t('again'));
    // What was refused as wrong is refused again.
    const wrong = got.status >= 400 && got.status < 500 && got.status !== 429;
    const onward = got.status === 401 ? keyButton() : wrong ? null : again;
    const clock = got.status === 429 && wait(got) <= WAITED_FOR_S && el('p', { role: 'timer' });
    return notice(words(got), [onward, handButton()], clock || null);
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
  /** Says what went wrong where nothing was asked. */
  const refuse = (key) => {
    stop();
    [phase, answer] = ['idle', null];
    draw();
    message.replaceChildren(notice(el('span', { 'data-t': key }, t(key)), [handButton()]));
  };

  service.addEventListener('key', forget);
  drawn(draw);
  return { root, askFor, handButton, refuse };
}

function keyButton() {
  return el('button', { type: 'button', class: 'second', onclick: () => service.dispatchEvent(new Event('wanted')) }, t('access.own'));
}

/** What went wrong, for people. */
export function words({ status, cause, body, headers }) {
  if (!status) return t(cause);
  const code = body?.error?.code ?? v3Code(body, status);
  if (status === 401) return t(isTrial() ? 'trialOff' : 'refused');
  if (status === 429) return t(wait({ headers }) <= WAITED_FOR_S ? 'tooFast' : 'usedUp');
  if (status === 403) return t('notInPlan');
  if (status >= 500) return t('unwell', { status });
  return known(`code.${code}`) ?? t('unexpected', { status });
}

/** The v1 word for what v3 refused. */
function v3Code(body, status) {
  const [wrong] = body?.invalidParams ?? [];
  return wrong ? `invalid_${wrong.name}` : status === 404 ? 'not_found' : '';
}

function wait({ headers }) {
  return Number(headers['retry-after'] ?? 1);
}

/** Something that did not go as wished, with what can be done now. */
export function notice(text, buttons = [], more = null) {
  return el('div', { class: 'notice' }, el('p', {}, text), more, el('p', { class: 'actions' }, buttons));
}

/** The fields of a form by name, trimmed. */
export function entered(form) {
  return Object.fromEntries([...new FormData(form)].map(([name, text]) => [name, text.trim()]));
}

/** Puts values into a form's fields; what is not named becomes empty. */
export function put(form, values) {
  for (const field of form.querySelectorAll('input')) field.value = values[field.name] ?? '';
  complaints(form, () => false);
}

/** Calls `use` with what was entered when a form is sent, once no required field is empty. */
export function onSend(form, use) {
  const send = () => {
    const first = complaints(form, (field) => field.required && !field.value.trim());
    if (first) first.focus();
    else use(entered(form));
  };
  form.addEventListener('submit', (event) => (event.preventDefault(), send()));
  form.addEventListener('input', ({ target }) => complain(target, false));
  return send;
}

function complaints(form, isWrong) {
  let first;
  for (const field of form.querySelectorAll('input')) {
    const wrong = isWrong(field);
    complain(field, wrong);
    if (wrong) first ??= field;
  }
  return first;
}

function complain(field, wrong) {
  const id = `${field.id}-missing`;
  document.getElementById(id)?.remove();
  field.toggleAttribute('aria-invalid', false);
  field.removeAttribute('aria-describedby');
  if (!wrong) return;
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', id);
  field.after(el('span', { id, class: 'missing', 'data-t': 'missing' }, t('missing')));
}

/** Examples to press: those of the sandbox where they can be found, and the address that was found last. */
export function examples(root, fixed, fromLast, press) {
  const place = root.querySelector('.examples');
  let last = null;
  const draw = () => {
    const those = [...(isSandbox() ? fixed() : []), ...(last && !isSandbox() ? [fromLast(last)] : [])].filter(Boolean);
    const buttons = those.map(([label, value]) =>
      el('button', { type: 'button', class: 'example', onclick: () => press(value) }, label));
    place.replaceChildren(...(buttons.length ? [el('span', {}, t('try')), ...buttons] : []));
  };
  service.addEventListener('key', draw);
  document.addEventListener('found', ({ detail }) => ((last = detail), draw()));
  drawn(draw);
}

/** Tells the other panels which address was found. */
export function announceFound(address) {
  document.dispatchEvent(new CustomEvent('found', { detail: address }));
}

/** `Dorpsstraat 12A-1`, as on an envelope. */
export function streetLine({ street, number, letter, addition }) {
  const tail = addition ? (/^\d/.test(addition) ? `-${addition}` : ` ${addition}`) : '';
  return `${street ?? ''} ${number ?? ''}${letter ?? ''}${tail}`.trim();
}

/** What is known of an address, as one item of a list. */
export function card(address, ...more) {
  const { purposes = [], surface, constructionYear, type, postcode, city, municipality } = address;
  const facts = [
    type === 'verblijfsobject' ? null : known(`type.${type}`) ?? type,
    ...purposes.map((purpose) => known(`purpose.${purpose}`) ?? purpose),
    surface && `${figure(surface)} m²`,
    constructionYear && t('built', { year: constructionYear }),
    municipality === city ? null : t('inMunicipality', { municipality }),
  ].filter(Boolean);
  return el('li', {},
    el('strong', {}, streetLine(address)), el('span', { class: 'town' }, ` ${postcode} ${city}`),
    el('p', { class: 'facts' }, facts.join(' · ')),
    more);
}

