// The map of the addresses around a point. North is up, and distances are to scale. It is drawn from the addresses alone.

import { el, formatNumber, svg, t } from './dom.js';
import { boxAround, occupiedAreas, placeName, placeNumber } from './labels.js';
import { streetLine } from './panel.js';
import { COLOURS, findStreets } from './streets.js';

/** Source: contract.md, GET /v1/reverse. */
const EARTH_RADIUS_M = 6_371_000;
const RADIANS = Math.PI / 180;
/** The margin of the drawing, in pixels. */
const MARGIN = 34;
/** If half the width of the map is less than this, in pixels, all marks are smaller. */
const SMALL = 240;
/** How wide a street is drawn: in metres, and at least and at most in pixels. */
const ROAD_M = 6;
const LEAST_ROAD = 14;
const MOST_ROAD = 24;
/** The least radius of the map in metres, so that one very close address does not fill it. */
const LEAST_M = 20;

/** The distance east and north from a point to another in metres, on the tangent plane. */
export function offset(from, to) {
  return {
    east: (to.lon - from.lon) * RADIANS * EARTH_RADIUS_M * Math.cos(from.lat * RADIANS),
    north: (to.lat - from.lat) * RADIANS * EARTH_RADIUS_M,
  };
}

/** The point at a distance in metres from another, rounded to about a decimetre. Clamped, because near a pole the longitude may be huge. */
export function pointAt({ lon, lat }, east, north) {
  const within = (most, degrees) => Math.max(-most, Math.min(most, Math.round(degrees * 1e6) / 1e6));
  return {
    lon: within(180, lon + east / (RADIANS * EARTH_RADIUS_M * Math.cos(lat * RADIANS))),
    lat: within(90, lat + north / (RADIANS * EARTH_RADIUS_M)),
  };
}

/** The map in a figure. Calls `movePoint(point, isDebounced)` to move the point, and `choose(index)` for the address under the pointer. */
export function picture(place, { movePoint, choose }) {
  const canvas = svg('svg', { tabindex: '0', role: 'application' });
  const legend = el('ul', { class: 'legend' });
  const caption = el('figcaption');
  place.append(canvas, legend, caption);
  let view = null, chosen = -1, width = 0;

  const draw = () => {
    width = place.clientWidth;
    const half = Math.max(width, 200) / 2;
    canvas.setAttribute('viewBox', `${-half} ${-half} ${2 * half} ${2 * half}`);
    canvas.setAttribute('aria-label', t('near.picture'));
    if (view) view.scale = (half - MARGIN) / view.reach;
    const drawing = view ? map(view, half, choose) : { nodes: [], rows: [] };
    canvas.replaceChildren(...drawing.nodes);
    legend.replaceChildren(...drawing.rows);
    select(chosen);
  };

  const select = (index) => {
    chosen = index;
    canvas.querySelector('.chosen')?.classList.remove('chosen');
    canvas.querySelector(`[data-index="${index}"]`)?.classList.add('chosen');
    const address = view?.addresses[index];
    caption.textContent = address ? described(address) : t('near.hint');
  };

  const step = (east, north) => {
    const far = view.reach / 4;
    view.point = pointAt(view.point, east * far, north * far);
    draw();
    movePoint(view.point, true);
  };

  canvas.addEventListener('click', (event) => {
    if (!view) return;
    const box = canvas.getBoundingClientRect();
    const east = (event.clientX - box.left - box.width / 2) / view.scale;
    const north = (box.top + box.height / 2 - event.clientY) / view.scale;
    movePoint(pointAt(view.point, east, north), false);
  });
  canvas.addEventListener('keydown', (event) => {
    const way = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!view || event.altKey || event.ctrlKey || event.metaKey) return;
    if (way) step(...way);
    else if (event.key === 'Enter') movePoint(view.point, false);
    else return;
    event.preventDefault();
  });
  // Redraws at a new width only. The caption changes the height, also while a dot is pressed, and a redraw would remove the dot
  // and lose the click.
  new ResizeObserver(() => place.clientWidth === width || draw()).observe(place);

  return {
    show: (point, addresses) => {
      const located = addresses.filter((address) => address.location);
      const far = Math.max(LEAST_M, ...located.map(({ distance }) => distance));
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
  return `${formatNumber(distance, distance < 100 ? 1 : 0)} m`;
}

/** The nodes of the map, and the rows of its legend. */
function map(view, half, choose) {
  const space = occupiedAreas(half);
  const dots = toDots(view);
  const streets = findStreets(dots);
  const grid = distances(view, half);
  const shrink = half < SMALL ? 0.8 : 1;
  const width = shrink * Math.min(MOST_ROAD, Math.max(LEAST_ROAD, ROAD_M * view.scale));
  space.take(...dots.map(({ x, y }) => boxAround(x, y, 6)), boxAround(0, 0, 9), ...corners(half));
  const names = streets.filter(({ curve }) => curve).map((street) => streetName(street, placeName(street, space)));
  const numbers = dots.map((dot) => ({ ...dot, label: dot.isCovered ? { crowded: true, anchor: 'start', x: 10, y: 4 } : placeNumber(dot, space) }));
  return {
    nodes: [
      svg('circle', { class: 'land', r: view.reach * view.scale + MARGIN / 2 }),
      ...grid.rings,
      ...streets.flatMap((street) => road(street, width)),
      ...grid.texts,
      ...names.filter(Boolean),
      svg('path', { class: 'cross', d: 'M-9 0H9M0-9V9' }),
      // The nearest address is drawn last, so that it is on top.
      ...numbers.map((dot) => house(dot, shrink, choose)).reverse(),
      ...compass(half),
      ...scaleBar(grid.apart, view.scale, half),
    ],
    rows: legendRows(streets, dots),
  };
}

/**
 * The addresses as dots: their place in pixels and their shape. Addresses on the same pixel, as in one building, share one text: the
 * first number, and how many more there are.
 */
function toDots({ point, addresses, scale }) {
  const first = new Map();
  return addresses.flatMap((address, index) => {
    if (!address.location) return [];
    const [lon, lat] = address.location.coordinates;
    const { east, north } = offset(point, { lon, lat });
    const [x, y] = [east * scale, -north * scale];
    const dot = { address, index, x, y, text: shortNumber(address), shape: shapeOf(address) };
    const spot = `${Math.round(x)} ${Math.round(y)}`;
    const under = first.get(spot);
    if (!under) return first.set(spot, Object.assign(dot, { more: 0 })), [dot];
    under.more += 1;
    under.text = `${shortNumber(under.address)} +${under.more}`;
    return [{ ...dot, isCovered: true }];
  });
}

function shapeOf({ purposes = [] }) {
  if (purposes.includes('winkelfunctie')) return 'shop';
  return purposes.length === 0 || purposes.includes('woonfunctie') ? 'home' : 'other';
}

function house({ index, x, y, text, shape, street, label }, shrink, choose) {
  const size = (index === 0 ? 8 : 6) * shrink;
  return svg('g', {
    class: `dot colour${street.colour}${index === 0 ? ' nearest' : ''}${label.crowded ? ' crowded' : ''}`,
    'data-index': index,
    transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})`,
    onpointerenter: () => choose(index),
    onpointerleave: () => choose(-1),
  }, svg('circle', { class: 'halo', r: 12 }), mark(shape, size), svg('text', { x: label.x, y: label.y, 'text-anchor': label.anchor }, text));
}

/** A home is round, a shop square, anything else a diamond. */
function mark(shape, size) {
  if (shape === 'home') return svg('circle', { class: 'mark', r: size });
  const side = size * 0.95;
  return svg('rect', { class: 'mark', x: -side, y: -side, width: 2 * side, height: 2 * side, rx: 1, transform: shape === 'other' ? 'rotate(45) scale(.9)' : null });
}

function road({ at, curve }, width) {
  if (!curve) return [];
  const d = `M${spot(curve.start)}Q${spot(curve.control)} ${spot(curve.end)}`;
  return [svg('path', { class: 'road', id: `road${at}`, d, 'stroke-width': width.toFixed(1) })];
}

function streetName(street, place) {
  return place && svg('text', { class: `street colour${street.colour}${place.beside ? ' beside' : ''}`, dy: place.beside },
    svg('textPath', { href: `#road${street.at}`, startOffset: `${place.share * 100}%` }, street.name));
}

function spot({ x, y }) {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

/** About three rings at round distances: 1, 2 or 5 times a power of ten. */
function distances({ reach, scale }, half) {
  const rough = reach / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const apart = power * [1, 2, 5, 10].find((times) => times * power >= rough);
  const count = Math.floor((half - 8) / scale / apart);
  const all = Array.from({ length: count }, (_, at) => (at + 1) * apart);
  return {
    apart,
    rings: all.map((distance) => svg('circle', { class: 'ring', r: distance * scale })),
    texts: all.map((distance) => svg('text', { class: 'metres', y: distance * scale + 4 }, `${formatNumber(distance)} m`)),
  };
}

function compass(half) {
  const at = half - 22;
  return [
    svg('path', { class: 'arrow', d: `M${at} ${-at - 12}l5 13l-5-3l-5 3z` }),
    svg('text', { class: 'north', x: at, y: -at + 15 }, t('near.north')),
  ];
}

function scaleBar(apart, scale, half) {
  const [left, low] = [-half + 14, half - 14];
  return [
    svg('path', { class: 'bar', d: `M${left} ${low - 5}v5h${(apart * scale).toFixed(1)}v-5` }),
    svg('text', { class: 'length', x: left + (apart * scale) / 2, y: low - 6 }, `${formatNumber(apart)} m`),
  ];
}

/** Where compass and scale bar are. */
function corners(half) {
  return [boxAround(half - 22, -half + 24, 14, 22), boxAround(-half + 55, half - 18, 45, 14)];
}

function legendRows(streets, dots) {
  const coloured = streets.filter(({ colour }) => colour < COLOURS);
  const others = streets.length - coloured.length;
  const shapes = ['home', 'shop', 'other'].filter((shape) => dots.some((dot) => dot.shape === shape));
  return [
    ...coloured.map(({ colour, name, dots: { length } }) => row(`colour${colour}`, 'home', `${name} (${formatNumber(length)})`)),
    others > 0 && row(`colour${COLOURS}`, 'home', t('near.others', { count: others })),
    ...(shapes.length > 1 ? shapes : []).map((shape) => row('plain', shape, t(`shape.${shape}`))),
  ].filter(Boolean);
}

function row(colour, shape, text) {
  return el('li', {}, svg('svg', { class: `swatch ${colour}`, viewBox: '-8 -8 16 16', 'aria-hidden': 'true' }, mark(shape, 6)), text);
}

function shortNumber({ number, letter, addition }) {
  return `${number}${letter ?? ''}${addition ? `-${addition}` : ''}`;
}
