// The first panel: the widget, and the address form that it fills, which people can always fill in by hand.

import { drawn, el, t } from './dom.js';
import { exchange } from './exchange.js';
import { entered, examples, put, streetLine, announceFound } from './panel.js';
import { key, note, service } from './service.js';

const root = document.getElementById('type');
const widget = root.querySelector('postduif-address');
const form = document.getElementById('address');
const source = document.getElementById('address-source');
const lines = form.querySelector('address');
const FIRST = { method: 'GET', path: '/v1/autocomplete?q=hamer' };

let origin = null;

/** Starts the panel; `check(values)` checks the form's values in the third panel. */
export function startForm(check) {
  const shown = exchange(root, FIRST);
  widget.addEventListener('postduif-select', ({ detail }) => detail.address && takeAddress(detail.address));
  widget.addEventListener('postduif-manual', () => takeByHand(entered(form)));
  widget.addEventListener('postduif-answer', ({ detail }) => {
    const answer = asAnswer(detail);
    if (answer.status) note(answer.status, answer.headers);
    shown.show(answer);
  });
  form.addEventListener('input', ({ target }) => target !== widget && ((origin = 'hand'), drawEnvelope()));
  form.addEventListener('reset', () => setTimeout(() => ((origin = null), drawEnvelope())));
  form.addEventListener('submit', (event) => (event.preventDefault(), check(entered(form))));
  service.addEventListener('key', drawWidget);
  const typed = () => [['hamer', 'hamer'], ['6545CA 29', '6545CA 29'], ['waldeck', 'waldeck'], ['postbus 100', 'postbus 100']];
  examples(root, typed, (last) => [streetLine(last), `${streetLine(last)} ${last.city}`], type);
  drawn(() => (drawWidget(), drawEnvelope()));
}

/** Types a text into the widget, as a person does. */
export async function type(text) {
  await customElements.whenDefined('postduif-address');
  const input = widget.shadowRoot.querySelector('input');
  input.value = text;
  input.focus();
  input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}

/** Fills the form from the register. */
export function takeAddress(address) {
  put(form, address);
  origin = 'register';
  drawEnvelope();
  announceFound(address);
}

/** Moves values from another panel into the form, for entry by hand. They replace an address of the register completely. */
export function takeByHand(values) {
  const given = Object.fromEntries(Object.entries(values).filter(([, text]) => text));
  if (Object.keys(given).length > 0) {
    put(form, origin === 'register' ? given : { ...entered(form), ...given });
    origin = 'hand';
    drawEnvelope();
  }
  const fields = [...form.querySelectorAll('input')];
  const first = fields.find((field) => !field.value && !['letter', 'addition'].includes(field.name)) ?? fields[0];
  form.scrollIntoView({ block: 'nearest' });
  first.focus();
}

function drawWidget() {
  const texts = { 'api-key': key(), lang: document.documentElement.lang, label: t('type.label'), placeholder: t('type.placeholder') };
  for (const [name, text] of Object.entries(texts)) {
    if (widget.getAttribute(name) !== text) widget.setAttribute(name, text);
  }
}

function drawEnvelope() {
  const values = entered(form);
  const town = [values.postcode.toUpperCase().replace(/^(\d{4})\s*([A-Z]{2})$/, '$1 $2'), values.city].filter(Boolean).join('  ');
  const street = streetLine(values);
  lines.replaceChildren(...(street || town ? [el('span', {}, street || '\u00a0'), el('span', {}, town || '\u00a0')]
    : [el('span', { class: 'empty' }, t('address.empty'))]));
  source.textContent = origin ? t(`address.${origin}`) : '\u00a0';
}

function asAnswer({ url, status, ms, body, headers }) {
  const { pathname, search } = new URL(url, document.baseURI);
  const path = (pathname + search).slice(new URL('api', document.baseURI).pathname.length);
  const plainHeaders = headers instanceof Headers ? Object.fromEntries(headers) : headers ?? {};
  const size = body == null ? 0 : JSON.stringify(body).length;
  return { asked: { method: 'GET', path }, status: status ?? 0, cause: 'down', ms: ms ?? 0, headers: plainHeaders, body: body ?? null, size };
}
