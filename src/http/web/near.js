// The fourth tab: the addresses around a point, as a map and a list.

import { redrawOnLanguageChange, el, t } from './dom.js';
import { takeByHand } from './checkout.js';
import { updateAddressField, showAnswers } from './field.js';
import { examples, notice, onSend, panel, fillForm, spaced, streetLine, announceFound } from './panel.js';
import { metres, picture } from './picture.js';
import { service } from './service.js';
import { openTab } from './tabs.js';

/** The wait after an arrow key before the request is sent. */
const ARROW_KEY_DEBOUNCE_MS = 500;
const FIXED = [
  ['Waldeck Pyrmontsingel 29, Nijmegen', { lon: '5.8696', lat: '51.8416' }],
  ['Hamerstraat 19, Amsterdam', { lon: '4.9195', lat: '52.3863' }],
  ['Stationsstraat 17, Tilburg', { lon: '5.0837', lat: '51.5598' }],
];

export function startNear() {
  const { root, askFor, handButton, refuse } = panel('near', {
    show: (answer) => show(answer), byHand: () => takeByHand({}), clear,
  });
  const [form, list, figure, place] = ['.fields', '.list', 'figure', 'postduif-address'].map((part) => root.querySelector(part));
  const here = document.getElementById('here');
  let debounceTimer = null, addresses = [], asked = null;

  const send = onSend(form, (values) => {
    clearTimeout(debounceTimer);
    asked = null;
    const point = { lon: values.lon.replace(',', '.'), lat: values.lat.replace(',', '.') };
    const { radius, limit } = values;
    askFor({ method: 'GET', path: `/v1/reverse?${new URLSearchParams({ ...point, radius, limit })}` });
  });
  const movePoint = (point, isDebounced) => {
    // The field must not show an address that is not in the middle of the map.
    if (place.address && !isSame(point, place.address)) place.clear();
    fillForm(form, point);
    clearTimeout(debounceTimer);
    if (isDebounced) debounceTimer = setTimeout(send, ARROW_KEY_DEBOUNCE_MS);
    else send();
  };
  const choose = (index) => {
    map.select(index);
    list.querySelector('.chosen')?.classList.remove('chosen');
    list.children[index]?.classList.add('chosen');
  };
  const map = picture(figure, { movePoint, choose });

  examples(root, () => FIXED, aroundLast, (point) => movePoint(point, false));
  here.addEventListener('click', () => locate(here, (point) => movePoint(point, false), refuse));
  showAnswers(place);
  place.closest('form').addEventListener('submit', (event) => event.preventDefault());
  place.addEventListener('postduif-select', ({ detail: { address } }) => {
    if (address.location) return movePoint(pointOf(address), false);
    clear();
    refuse('near.nowhere');
  });
  service.addEventListener('key', () => updateAddressField(place));
  // Another radius or number of addresses changes the map at once.
  form.addEventListener('change', ({ target }) => target.matches('select') && form.elements.lon.value && send());
  redrawOnLanguageChange(() => (updateAddressField(place, 'near.address', 'find.placeholder'), map.draw(), fillList()));

  function show(answer) {
    const { body: { data, meta } } = answer;
    if (asked !== answer) {
      [asked, addresses] = [answer, data];
      figure.hidden = false;
      map.show({ lon: meta.lon, lat: meta.lat }, data);
      fillList();
      if (data[0]) announceFound(data[0]);
    }
    const count = data.length;
    if (count === 0) return { summary: notice(t('near.none', { radius: meta.radius }), [handButton()]) };
    return { summary: el('p', {}, t('near.found', { count })) };
  }

  function clear() {
    [asked, addresses] = [null, []];
    figure.hidden = true;
    map.clear();
    fillList();
  }

  function fillList() {
    const held = list.contains(document.activeElement);
    list.replaceChildren(...addresses.map((address, index) => el('li', {},
      el('button', {
        type: 'button',
        onclick: () => address.location && movePoint(pointOf(address), false),
        onpointerenter: () => choose(index),
        onpointerleave: () => choose(-1),
        onfocus: () => choose(index),
        onblur: () => choose(-1),
      }, el('b', {}, streetLine(address)), ' ', el('span', {}, `${spaced(address.postcode)} ${address.city}`), ' ',
      el('span', { class: 'distance' }, metres(address.distance))))));
    if (held) (list.querySelector('button') ?? root).focus();
  }

  return { around: (address) => (openTab('near'), movePoint(pointOf(address), false), root.scrollIntoView(), root.focus({ preventScroll: true })) };
}

function isSame({ lon, lat }, address) {
  const [x, y] = address.location?.coordinates ?? [];
  return x === lon && y === lat;
}

function pointOf({ location: { coordinates: [lon, lat] } }) {
  return { lon, lat };
}

function aroundLast(address) {
  return address.location && [`${streetLine(address)}, ${address.city}`, pointOf(address)];
}

/** Asks the browser for its location, only on a click. */
function locate(button, found, failed) {
  const done = (then) => ((button.disabled = false), then());
  if (!navigator.geolocation) return failed('here.none');
  button.disabled = true;
  const round = (degrees) => Math.round(degrees * 1e6) / 1e6;
  navigator.geolocation.getCurrentPosition(
    ({ coords: { longitude, latitude } }) => done(() => found({ lon: round(longitude), lat: round(latitude) })),
    ({ code }) => done(() => failed(code === 1 ? 'here.refused' : 'here.none')),
    { timeout: 10_000, maximumAge: 60_000 });
}
