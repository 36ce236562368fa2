// The head of the test page: one field that finds an address, and the address on an envelope.

import { redrawOnLanguageChange, el, t } from './dom.js';
import { takeAddress, takeByHand } from './checkout.js';
import { exchange } from './exchange.js';
import { updateAddressField, showAnswers } from './field.js';
import { announceFound, drawEnvelope, examples, labelledValues } from './panel.js';
import { isSandbox, service } from './service.js';

const root = document.getElementById('find');
const field = root.querySelector('postduif-address');
const FIXED = ['Waldeck Pyrmontsingel 29, Nijmegen', 'Hamerstraat 19, Amsterdam', 'Stationsstraat 17, Tilburg', 'Postbus 100, Rotterdam'];

let address = null;

/** Starts the field; `around(address)` shows the neighbourhood of an address. */
export function startFinder(around) {
  const shown = exchange(root, root, { open: false });
  const scope = root.querySelector('.scope');
  const ownKey = el('button', { type: 'button', class: 'quiet', 'data-t': 'access.own', onclick: () => service.dispatchEvent(new Event('wanted')) });
  const draw = () => {
    updateAddressField(field, 'find.label', 'find.placeholder');
    ownKey.textContent = t('access.own');
    scope.replaceChildren(t(isSandbox() ? 'find.sandbox' : 'find.register'), ' ', ...(isSandbox() ? [ownKey] : []));
    drawFound(around);
  };
  showAnswers(field, shown);
  field.addEventListener('postduif-select', ({ detail }) => {
    address = detail.address;
    drawFound(around);
    if (address) announceFound(address);
  });
  field.addEventListener('postduif-clear', forget);
  field.addEventListener('postduif-manual', () => takeByHand({}));
  root.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
  service.addEventListener('key', () => (forget(), draw()));
  const fixed = () => FIXED.map((text) => [text.split(',')[0], text]);
  examples(root, fixed, () => null, type, null);
  redrawOnLanguageChange(draw);

  function forget() {
    address = null;
    drawFound(around);
  }
}

/** Types a text into the field, as a person does. */
export async function type(text) {
  await customElements.whenDefined('postduif-address');
  const input = field.shadowRoot.querySelector('input');
  input.value = text;
  input.focus();
  input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
}

function drawFound(around) {
  drawEnvelope(root.querySelector('address'), address ?? {});
  root.classList.toggle('has-address', address !== null);
  root.querySelector('.found').replaceChildren(...(address ? [
    el('dl', { class: 'facts' }, [...labelledValues(address), [t('fact.id'), address.id]].map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value)))),
    el('p', { class: 'actions' },
      address.location && el('button', { type: 'button', onclick: () => around(address) }, t('find.near')),
      el('button', { type: 'button', class: 'second', onclick: () => takeAddress(address) }, t('find.use'))),
  ] : []));
}
