// The first tab: an order form with the chosen kind of address field, the field's HTML, and the data that the form would send.

import { redrawOnLanguageChange, el, t } from './dom.js';
import { copyButton, exchange } from './exchange.js';
import { updateAddressField, showAnswers } from './field.js';
import { elements, markup } from './markup.js';
import { announceFound, drawEnvelope, streetLine } from './panel.js';
import { service } from './service.js';
import { openTab } from './tabs.js';

const root = document.getElementById('checkout');
const form = document.getElementById('order');
const place = document.getElementById('order-address');
const source = document.getElementById('address-source');
const sent = root.querySelector('.sent');
/** The name of the form's own field for each part of an address. */
const OWN = { postcode: 'postcode', number: 'house_number', addition: 'addition', street: 'street', city: 'city' };
/** The prefix of the names of the fields that the widget draws. */
const DRAWN = 'address_';

let mode = null, shown = null, entries = null;

/** Starts the tab; `check(values)` checks the form's values in the third tab. */
export function startCheckout(check) {
  shown = exchange(root, root.querySelector('.code'));
  root.querySelector('.modes').addEventListener('change', ({ target }) => use(target.value, values()));
  for (const event of ['input', 'change', 'postduif-state', 'postduif-select', 'postduif-clear']) form.addEventListener(event, changed);
  form.addEventListener('postduif-select', ({ detail }) => announceFound(detail.address));
  form.addEventListener('reset', () => setTimeout(changed));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    entries = [...new FormData(form)];
    drawSent();
    sent.scrollIntoView({ block: 'nearest' });
  });
  document.getElementById('order-check').addEventListener('click', () => check(values()));
  copyButton(root.querySelector('.code .copy'), document.getElementById('markup'), () => markup(mode));
  service.addEventListener('key', () => updateAddressField(widget()));
  customElements.whenDefined('postduif-address').then(drawMarkup);
  use(root.querySelector('.modes :checked').value, {});
  redrawOnLanguageChange(() => (updateAddressField(widget()), drawMarkup(), drawAddress(), drawSent()));
}

/** Fills the form with an address of the register. The address field then looks it up and confirms it. */
export function takeAddress(address) {
  openTab('checkout');
  use('attach', joined(address));
  root.scrollIntoView();
  root.focus({ preventScroll: true });
}

/** Moves values from another tab into the form, for entry by hand. They replace a confirmed address completely. */
export function takeByHand(given) {
  openTab('checkout');
  const filled = Object.entries(joined(given)).filter(([, text]) => text);
  if (filled.length > 0 || mode === 'postcode') {
    use('attach', { ...(widget().address ? {} : values()), ...Object.fromEntries(filled) });
  }
  const fields = [...place.querySelectorAll('input')];
  const first = fields.find((field) => !field.value && field.name !== OWN.addition) ?? fields[0];
  form.scrollIntoView({ block: 'nearest' });
  first.focus();
}

/** An address in which letter and addition are one text, as in order forms. */
function joined({ letter, addition, ...others }) {
  return { ...others, addition: `${letter ?? ''}${addition ?? ''}` };
}

/** The entered address. */
function values() {
  const data = new FormData(form);
  const read = ([name, own]) => [name, (data.get(own) || data.get(DRAWN + name) || '').trim()];
  return Object.fromEntries(Object.entries(OWN).map(read));
}

function widget() {
  return place.querySelector('postduif-address');
}

/** Shows a kind of address field that begins with these values. */
function use(next, given) {
  mode = next;
  root.querySelector(`.modes [value=${mode}]`).checked = true;
  const parts = elements(mode);
  for (const input of parts.flatMap((part) => [...part.querySelectorAll('input')])) {
    input.value = given[Object.keys(OWN).find((name) => OWN[name] === input.name)] ?? '';
  }
  // Once the element is in the form, it looks up the address in the fields.
  const field = parts.find((part) => part.localName === 'postduif-address');
  field.setAttribute('base', 'api');
  updateAddressField(field);
  showAnswers(field, shown);
  place.replaceChildren(...parts);
  if (mode === 'postcode' && given.number) field.value = `${given.postcode} ${given.number}${given.addition}`;
  drawMarkup();
  changed();
}

function changed() {
  entries = null;
  drawAddress();
  drawSent();
}

function drawMarkup() {
  document.getElementById('markup').textContent = markup(mode);
  document.getElementById('mode-about').textContent = t(`about.${mode}`);
}

function drawAddress() {
  const field = widget();
  const address = field.address ?? values();
  drawEnvelope(form.querySelector('address'), address, t('address.empty'));
  const isEmpty = !streetLine(address) && !address.postcode && !address.city;
  const origin = { confirmed: 'register', choose: 'unconfirmed', unconfirmed: 'unconfirmed' }[field.state] ?? 'hand';
  source.textContent = isEmpty ? '\u00a0' : t(`address.${origin}`);
}

function drawSent() {
  sent.replaceChildren(...(entries ? [
    el('h3', {}, t('order.sent')),
    el('dl', {}, entries.map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value || t('order.empty'))))),
    el('p', { class: 'hint' }, t('order.note')),
  ] : []));
}
