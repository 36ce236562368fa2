// The third tab: compares an entered address with the register.

import { el, known, t } from './dom.js';
import { difference } from './difference.js';
import { takeByHand } from './checkout.js';
import { card, entered, examples, notice, onSend, panel, fillForm, announceFound } from './panel.js';
import { openTab } from './tabs.js';

const FIELDS = ['postcode', 'number', 'letter', 'addition', 'street', 'city'];
const FIXED = [
  { postcode: '6545CB', number: '29', street: 'Waldeck Pyrmontsingel', city: 'Nijmegen' },
  { postcode: '1021JT', number: '19', street: 'Hamerstaat', city: 'Amstedam' },
  { postcode: '5038 EA', number: '71', street: 'Stationsstraat', city: 'Tilburg' },
  { postcode: '1021 jt', number: '19', street: 'hamerstraat' },
];

export function startCheck() {
  const byHand = () => takeByHand(entered(form));
  const { root, askFor, handButton } = panel('check', { show: (answer) => show(answer), byHand });
  const form = root.querySelector('form');
  const send = onSend(form, (values) => askFor({ method: 'POST', path: '/v1/validate', body: question(values) }));
  examples(root, () => FIXED.map((values, at) => [t(`check.example${at}`), values]), withMistake, (values) => (fillForm(form, values), send()));

  function show({ asked, body: { data } }) {
    const { valid, reason, address, suggestion, corrections } = data;
    const right = address ?? suggestion;
    if (valid) {
      announceFound(address);
      return { summary: el('p', { class: 'verdict good' }, t('check.right')), nodes: [el('ul', { class: 'addresses' }, card(address))] };
    }
    const verdict = (address && mismatch(corrections)) ?? known(`reason.${reason}`) ?? t('reason.not_found');
    if (!right) return { summary: notice(verdict, [handButton()]) };
    const named = address ? Object.keys(corrections) : FIELDS;
    const rows = named.filter((name) => differs(name, asked.body[name], right[name]));
    const take = () => (fillForm(form, right), send(), form.querySelector('button').focus());
    return {
      summary: el('p', { class: 'verdict bad' }, verdict),
      nodes: [
        el('ul', { class: 'addresses' }, card(right)),
        table(rows, asked.body, right),
        el('p', { class: 'actions' },
          el('button', { type: 'button', class: 'take', onclick: take }, t('check.take')),
          el('button', { type: 'button', class: 'second', onclick: byHand }, t('check.keep'))),
      ],
    };
  }

  return { check: (values) => (openTab('check'), fillForm(form, values), root.scrollIntoView({ block: 'nearest' }), root.focus({ preventScroll: true }), send()) };
}

/** The body of the request, without empty fields. A house number that is not a number is sent as entered, and the service rejects it. */
function question(values) {
  const filled = Object.fromEntries(FIELDS.map((name) => [name, values[name]]).filter(([, text]) => text));
  return { ...filled, number: /^\d{1,9}$/.test(values.number) ? Number(values.number) : values.number };
}

/** The text that says which of postcode, street and city were corrected; null if none was. */
function mismatch(corrections) {
  const [first, second] = ['postcode', 'street', 'city'].filter((name) => name in corrections);
  return first ? t(`mismatch.${second ? 'both' : first}`) : null;
}

function label({ postcode, number, street, city }) {
  return [`${postcode} ${number}`, street, city].filter(Boolean).join(', ');
}

/** An example with a mistake: the last found address, without one letter of its street. */
function withMistake({ postcode, number, letter, addition, street, city }) {
  const values = { postcode, number, letter, addition, city, street: `${street.slice(0, 3)}${street.slice(4)}` };
  return [label(values), values];
}

function table(rows, was, is) {
  const head = ['field', 'was', 'is'].map((name) => el('th', { scope: 'col' }, t(`check.${name}`)));
  const line = (name) => {
    const [before, after] = difference(String(was[name] ?? ''), String(is[name] ?? ''));
    return el('tr', {}, el('th', { scope: 'row' }, t(name === 'number' ? 'houseNumber' : name)),
      el('td', {}, el('del', {}, before)), el('td', {}, el('ins', {}, after)));
  };
  return rows.length === 0 ? ''
    : el('table', { class: 'differences' }, el('caption', {}, t('check.differences')),
      el('thead', {}, el('tr', {}, head)), el('tbody', {}, rows.map(line)));
}

/** Whether an entered field differs from the address. An empty street or city never differs; an empty letter or addition may. */
function differs(name, was, is) {
  if ((name === 'street' || name === 'city') && !was) return false;
  return plain(was) !== plain(is);
}

function plain(value) {
  return String(value ?? '').toLowerCase().replaceAll(/\s/g, '');
}
