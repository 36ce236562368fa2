// The first tab: an order form with each kind of address field, the HTML of it, and what the form would send.

import { drawn, el, t } from './dom.js';
import { copyButton, exchange } from './exchange.js';
import { configure, showAnswers } from './field.js';
import { elements, markup } from './markup.js';
import { announceFound, drawEnvelope, streetLine } from './panel.js';
import { service } from './service.js';
import { openTab } from './tabs.js';

const root = document.getElementById('checkout');
const form = document.getElementById('order');
const place = document.getElementById('order-address');
const source = document.getElementById('address-source');
const sent = root.querySelector('.sent');
/** The names of an address and of the form's fields. A field that the widget draws has the widget's name before its own. */
const NAMES = { postcode: ['postcode', 'address_postcode'], number: ['house_number', 'address_number'], addition: ['addition', 'address_addition'], street: ['street', 'address_street'], city: ['city', 'address_city'] };

let mode = null, shown = null, confirmed = null, entries = null;

/** Starts the tab; `check(values)` checks the form's values in the third tab. */
export function startCheckout(check) {
  shown = exchange(root, root.querySelector('.code'));
  root.querySelector('.modes').addEventListener('change', ({ target }) => draw(target.value));
  form.addEventListener('input', () => afterInput());
  form.addEventListener('change', () => afterInput());
  form.addEventListener('reset', () => setTimeout(clear));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    entries = [...new FormData(form)];
    drawSent();
    sent.scrollIntoView({ block: 'nearest' });
  });
  document.getElementById('order-check').addEventListener('click', () => check(values()));
  copyButton(root.querySelector('.code .copy'), document.getElementById('markup'), () => markup(mode));
  service.addEventListener('key', () => configure(widget()));
  customElements.whenDefined('postduif-address').then(drawMarkup);
  draw(root.querySelector('.modes :checked').value);
  drawn(() => (configure(widget()), drawMarkup(), drawAddress(), drawSent()));
}

/** Fills the form with an address of the register. */
export function takeAddress(address) {
  openTab('checkout');
  write({ ...address, addition: `${address.letter ?? ''}${address.addition ?? ''}` });
  confirmed = address;
  drawAddress();
  announceFound(address);
  root.scrollIntoView();
  root.focus({ preventScroll: true });
}

/** Moves values from another tab into the form, for entry by hand. They replace an address of the register completely. */
export function takeByHand({ letter = '', addition = '', ...others }) {
  openTab('checkout');
  const all = { ...others, addition: letter + addition };
  const given = Object.fromEntries(Object.entries(all).filter(([, text]) => text));
  if (Object.keys(given).length > 0) {
    write(confirmed ? given : { ...values(), ...given });
    confirmed = null;
    drawAddress();
  } else {
    draw('search');
  }
  const fields = [...place.querySelectorAll('input')];
  const first = fields.find((field) => !field.value && field.name !== 'addition') ?? fields[0];
  form.scrollIntoView({ block: 'nearest' });
  first.focus();
}

/** The entered address. */
function values() {
  const data = new FormData(form);
  const read = (names) => names.map((name) => data.get(name)).find((text) => text) ?? '';
  return Object.fromEntries(Object.entries(NAMES).map(([name, names]) => [name, read(names).trim()]));
}

/** Puts values into the form's own fields and empties the others. */
function write(given) {
  draw('search');
  for (const [name, [field]] of Object.entries(NAMES)) form.elements[field].value = given[name] ?? '';
}

function widget() {
  return place.querySelector('postduif-address');
}

/** Shows a kind of address field, with the values of the last one where it has fields for them. */
function draw(next) {
  if (next === mode) return;
  const before = mode && values();
  mode = next;
  root.querySelector(`.modes [value=${mode}]`).checked = true;
  place.replaceChildren(...elements(mode));
  place.className = `wide ${mode}`;
  const field = widget();
  field.setAttribute('base', 'api');
  configure(field);
  showAnswers(field, shown);
  field.addEventListener('postduif-select', ({ detail: { address } }) => ((confirmed = address), drawAddress(), announceFound(address)));
  field.addEventListener('postduif-clear', afterInput);
  field.addEventListener('postduif-manual', afterInput);
  field.addEventListener('postduif-state', afterInput);
  for (const [name, [own]] of Object.entries(NAMES)) if (before && form.elements[own]) form.elements[own].value = before[name];
  confirmed = null;
  entries = null;
  drawMarkup();
  drawAddress();
  drawSent();
}

/** An address of the register is one only as long as nobody changes it. */
function afterInput() {
  confirmed = widget().address;
  entries = null;
  drawAddress();
  drawSent();
}

function clear() {
  confirmed = entries = null;
  drawAddress();
  drawSent();
}

function drawMarkup() {
  document.getElementById('markup').textContent = markup(mode);
  document.getElementById('mode-about').textContent = t(`about.${mode}`);
}

function drawAddress() {
  const shownValues = confirmed ?? values();
  drawEnvelope(form.querySelector('address'), shownValues, t('address.empty'));
  const some = streetLine(shownValues) || shownValues.postcode || shownValues.city;
  source.textContent = some ? t(confirmed ? 'address.register' : 'address.hand') : '\u00a0';
}

function drawSent() {
  sent.replaceChildren(...(entries ? [
    el('h3', {}, t('order.sent')),
    el('dl', {}, entries.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value || t('order.empty'))))),
    el('p', { class: 'hint' }, t('order.note')),
  ] : []));
}
