// The second tab: all addresses at a postcode and number, and the one address that v3 returns for them.

import { el, t } from './dom.js';
import { takeAddress, takeByHand } from './checkout.js';
import { card, entered, examples, notice, onSend, panel, fillForm, streetLine, announceFound } from './panel.js';

const FIXED = [['6545CA', '29'], ['1021JT', '19'], ['5038EA', '17'], ['3030AC', '100'], ['6545CA', '299']];

export function startNumber() {
  const byHand = () => takeByHand(entered(form));
  const { root, askFor, handButton } = panel('number', { show: (answer) => show(answer), byHand });
  const form = root.querySelector('form');
  const send = onSend(form, ({ postcode, number, letter, addition }) => {
    const filled = Object.entries({ postcode, number, letter, addition }).filter(([, text]) => text);
    askFor({ method: 'GET', path: `/v1/addresses?${new URLSearchParams(filled)}` });
  });
  document.getElementById('ask-v3').addEventListener('click', () => {
    const { postcode, number } = entered(form);
    if (!postcode || !number) return send();
    askFor({ method: 'GET', path: `/v3/lookup/${encodeURIComponent(postcode.replaceAll(/\s/g, ''))}/${encodeURIComponent(number)}` });
  });
  const example = ([postcode, number]) => [`${postcode} ${number}`, { postcode, number }];
  examples(root, () => FIXED.map(example), ({ postcode, number }) => example([postcode, number]), (values) => {
    fillForm(form, values);
    send();
  });

  function show({ asked, body }) {
    if (asked.path.startsWith('/v3')) return showOne(body);
    const { data, meta: { count } } = body;
    if (count === 0) return { summary: notice(t('number.none'), [handButton()]) };
    announceFound(data[0]);
    return { summary: el('p', {}, t('number.found', { count })), nodes: [el('ul', { class: 'addresses' }, data.map(item))] };
  }
}

function item(address) {
  const take = el('button', { type: 'button', class: 'quiet', onclick: () => takeAddress(address),
    'aria-label': `${t('take')}: ${streetLine(address)}` }, t('take'));
  return card(address, take);
}

function showOne(address) {
  if (!address.postcode) throw new TypeError('no address of v3');
  const [lon, lat] = address.location?.coordinates ?? [];
  const rows = { ...address, location: lon === undefined ? t('noPlace') : `${lon}, ${lat}` };
  return {
    summary: el('p', {}, t('number.one')),
    nodes: [el('dl', { class: 'seven' }, Object.entries(rows).map(([name, value]) =>
      el('div', {}, el('dt', {}, t(name === 'number' ? 'houseNumber' : name)), el('dd', {}, String(value)))))],
  };
}
