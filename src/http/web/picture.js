// The map of the addresses around a point: north is up, to scale, without map tiles.

import { el, figure, svg, t } from './dom.js';
import { streetLine } from './panel.js';

/** Source: contract.md, GET /v1/reverse. */
const EARTH_RADIUS_M = 6_371_000;
const RADIANS = Math.PI / 180;
/** The margin of the drawing, in pixels. */
const MARGIN = 30;
/** The least radius of the map in metres, so that one very close address does not fill it. */
const LEAST_M = 20;

/** The distance east and north from a point to another in metres, on the tangent plane. */
export function offset(from, to) {
  return {
    east: (to.lon - from.lon) * RADIANS * EARTH_RADIUS_M * Math.cos(from.lat * RADIANS),
    north: (to.lat - from.lat) * RADIANS * EARTH_RADIUS_M,
  };
}

/** The point at a distance from another, rounded to about a decimetre. At a pole a degree of longitude has no length. */
export function moved({ lon, lat }, east, north) {
  const within = (most, degrees) => Math.max(-most, Math.min(most, Math.round(degrees * 1e6) / 1e6));
  return {
    lon: within(180, lon + east / (RADIANS * EARTH_RADIUS_M * Math.cos(lat * RADIANS))),
    lat: within(90, lat + north / (RADIANS * EARTH_RADIUS_M)),
  };
}

/** The map in a figure. Calls `go(point, soon)` to move the point, and `choose(index)` for the address under the pointer. */
export function picture(place, { go, choose }) {
  const canvas = svg('svg', { tabindex: '0', role: 'application' });
  const caption = el('figcaption');
  place.append(canvas, caption);
  let view = null, chosen = -1, width = 0;

  const draw = () => {
    width = place.clientWidth;
    const half = Math.max(width, 200) / 2;
    canvas.setAttribute('viewBox', `${-half} ${-half} ${2 * half} ${2 * half}`);
    canvas.setAttribute('aria-label', t('near.picture'));
    if (view) view.scale = (half - MARGIN) / view.reach;
    canvas.replaceChildren(...(view ? [...rings(view, half), ...cross(), ...dots(view, choose)] : empty(half)));
    select(chosen);
  };

  const select = (index) => {
    chosen = index;
    canvas.querySelector('.chosen')?.classList.remove('chosen');
    canvas.querySelector(`[data-index="${index}"]`)?.classList.add('chosen');
    const address = view?.addresses[index];
    caption.textContent = address ? described(address) : t(view ? 'near.hint' : 'near.empty');
  };

  const step = (east, north) => {
    const far = view.reach / 4;
    view.point = moved(view.point, east * far, north * far);
    draw();
    go(view.point, true);
  };

  canvas.addEventListener('click', (event) => {
    if (!view) return;
    const box = canvas.getBoundingClientRect();
    const east = (event.clientX - box.left - box.width / 2) / view.scale;
    const north = (box.top + box.height / 2 - event.clientY) / view.scale;
    go(moved(view.point, east, north), false);
  });
  canvas.addEventListener('keydown', (event) => {
    const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!view || event.altKey || event.ctrlKey || event.metaKey) return;
    if (way) step(...way);
    else if (event.key === 'Enter') go(view.point, false);
    else return;
    event.preventDefault();
  });
  // The caption changes the height, also while a dot is pressed. Drawn again, that dot would be gone, and with it the click.
  new ResizeObserver(() => place.clientWidth === width || draw()).observe(place);

  return {
    show: (point, addresses) => {
      const placed = addresses.filter((address) => address.location);
      const far = Math.max(LEAST_M, ...placed.map(({ distance }) => distance));
      view = { point, addresses, reach: far };
      chosen = -1;
      draw();
    },
    clear: () => ((view = null), draw()),
    draw,
    select,
  };
}

/** The text of an address and its distance. */
export function described(address) {
  return `${streetLine(address)}, ${address.postcode} ${address.city} · ${metres(address.distance)}`;
}

export function metres(distance) {
  return `${figure(distance, distance < 100 ? 1 : 0)} m`;
}

/** About three rings at round distances: 1, 2 or 5 times a power of ten. */
function rings({ reach, scale }, half) {
  const rough = reach / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const apart = power * [1, 2, 5, 10].find((times) => times * power >= rough);
  const count = Math.floor((half - 8) / scale / apart);
  const distances = Array.from({ length: count }, (_, at) => (at + 1) * apart);
  return [
    ...distances.map((distance) => svg('circle', { class: 'ring', r: distance * scale })),
    svg('text', { class: 'north', y: 16 - half }, t('near.north')),
    ...distances.map((distance) => svg('text', { class: 'metres', y: distance * scale + 4 }, `${figure(distance)} m`)),
  ];
}

function cross() {
  return [svg('path', { class: 'cross', d: 'M-9 0H9M0-9V9' })];
}

/** The nearest last, so that it is on top. */
function dots({ point, addresses, scale }, choose) {
  const placed = addresses.flatMap((address, index) => {
    if (!address.location) return [];
    const [lon, lat] = address.location.coordinates;
    const { east, north } = offset(point, { lon, lat });
    return [{ index, x: east * scale, y: -north * scale, text: shortNumber(address) }];
  });
  const taken = placed.map(({ x, y }) => ({ left: x - 6, right: x + 6, top: y - 6, bottom: y + 6 }));
  return placed.map(({ index, x, y, text }) => {
    const label = labelled(x, y, text, taken);
    return svg('g', {
      class: `dot${index === 0 ? ' nearest' : ''}${label.crowded ? ' crowded' : ''}`,
      'data-index': index,
      transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})`,
      onpointerenter: () => choose(index),
      onpointerleave: () => choose(-1),
    }, svg('circle', { class: 'halo', r: 12 }), svg('circle', { r: index === 0 ? 7 : 5 }),
    svg('text', { x: label.x, y: label.y, 'text-anchor': label.anchor }, text));
  }).reverse();
}

/** The side of its dot where a number fits: right, left, above or below. If none fits, it shows on hover only. */
function labelled(x, y, text, taken) {
  const wide = 3 + 7.5 * text.length;
  const ways = [
    { x: 10, y: 4, anchor: 'start', left: 8 },
    { x: -10, y: 4, anchor: 'end', left: -8 - wide },
    { x: 0, y: -10, anchor: 'middle', left: -wide / 2 },
    { x: 0, y: 18, anchor: 'middle', left: -wide / 2 },
  ];
  const box = (way) => ({ left: x + way.left, right: x + way.left + wide, top: y + way.y - 10, bottom: y + way.y + 2 });
  const free = ways.find((way) => !taken.some((other) => overlap(box(way), other)));
  if (free) taken.push(box(free));
  return free ?? { ...ways[0], crowded: true };
}

function shortNumber({ number, letter, addition }) {
  return `${number}${letter ?? ''}${addition ? `-${addition}` : ''}`;
}

function overlap(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function empty(half) {
  const circles = [1, 2, 3].map((at) => svg('circle', { class: 'ring', r: ((half - MARGIN) * at) / 3 }));
  return [...circles, svg('text', { class: 'north', y: 16 - half }, t('near.north')), ...cross()];
}
