// Estimates the course of each street: a line through its houses, because the register has the names of streets and not their
// course.

/** The number of streets with a colour of their own; all other streets share one more colour. */
export const COLOURS = 6;
/** A line needs at least this many houses. */
const LEAST_HOUSES = 3;
/** Houses scatter around their line by at most this share of its length. */
const MOST_SCATTER = 0.15;
/** A curve needs at least this many houses. */
const CURVE_HOUSES = 6;
/** Maximum change of the slope along a curve. For streets that bend more, such as a hairpin, a straight line is tried. */
const MOST_BEND = 2;
/** How far a street is drawn beyond its last house, in pixels. */
const BEYOND = 18;

/**
 * The streets of the dots, the street of the nearest dot first. Each has its name, its dots, its colour, and its curve or null. Each dot
 * gets its street as `street`.
 */
export function findStreets(dots) {
  const streets = new Map();
  for (const dot of dots) {
    const { street, city } = dot.address;
    const id = `${street}, ${city}`;
    if (!streets.has(id)) streets.set(id, { name: street, at: streets.size, dots: [], colour: Math.min(streets.size, COLOURS) });
    dot.street = streets.get(id);
    dot.street.dots.push(dot);
  }
  for (const street of streets.values()) street.curve = curveThrough(street.dots);
  return [...streets.values()];
}

/** The point of a curve at a share of its length, from 0 to 1, with the direction there. */
export function along({ start, control, end }, share) {
  const [a, b, c] = [(1 - share) ** 2, 2 * share * (1 - share), share ** 2];
  const [d, e] = [1 - share, share];
  return {
    x: a * start.x + b * control.x + c * end.x,
    y: a * start.y + b * control.y + c * end.y,
    angle: Math.atan2(d * (control.y - start.y) + e * (end.y - control.y), d * (control.x - start.x) + e * (end.x - control.x)),
  };
}

export function lengthOf({ start, control, end }) {
  const [one, other, chord] = [distance(start, control), distance(control, end), distance(start, end)];
  return (one + other + chord) / 2;
}

/** A quadratic Bézier curve through the middle between both sides of a street, from left to right; null if there is no such line. */
function curveThrough(dots) {
  const houses = distinct(dots);
  if (houses.length < LEAST_HOUSES) return null;
  const sides = [houses.filter(({ even }) => even), houses.filter(({ even }) => !even)];
  const direction = directionOf(sides);
  const middle = mean(houses);
  const turned = houses.map((house) => ({ ...rotate(house, middle, -direction), side: house.even ? 1 : -1 }));
  const isTwoSided = sides.every(({ length }) => length > 1);
  const [first, last] = [Math.min(...turned.map(({ x }) => x)), Math.max(...turned.map(({ x }) => x))];
  const curved = houses.length >= CURVE_HOUSES ? fit(turned, isTwoSided, true) : null;
  const isBend = curved && Math.abs(2 * curved.curvature * (last - first)) < MOST_BEND;
  const fitted = isBend ? curved : fit(turned, isTwoSided, false);
  if (!fitted || fitted.scatter > MOST_SCATTER * (last - first)) return null;
  const { level, slope, curvature } = fitted;
  const [from, to] = [first - BEYOND, last + BEYOND];
  const height = (x) => level + slope * x + curvature * x * x;
  // A parabola is a quadratic Bézier curve. Its control point is where the tangents at both ends meet.
  const control = { x: (from + to) / 2, y: height(from) + (slope + 2 * curvature * from) * (to - from) / 2 };
  const points = [{ x: from, y: height(from) }, control, { x: to, y: height(to) }].map((point) => {
    const { x, y } = rotate(point, { x: 0, y: 0 }, direction);
    return { x: x + middle.x, y: y + middle.y };
  });
  const [start, , end] = points[0].x <= points[2].x ? points : points.toReversed();
  return { start, control: points[1], end };
}

/** The houses. Addresses at the same place, as in one building, count as one house. */
function distinct(dots) {
  const places = new Map(dots.map((dot) => [`${Math.round(dot.x)} ${Math.round(dot.y)} ${dot.address.number % 2}`, dot]));
  return [...places.values()].map(({ x, y, address }) => ({ x, y, even: address.number % 2 === 0 }));
}

/** The angle of the axis along which the houses of each side are spread. */
function directionOf(sides) {
  let [xx, xy, yy] = [0, 0, 0];
  for (const side of sides.filter(({ length }) => length > 0)) {
    const middle = mean(side);
    for (const { x, y } of side) {
      xx += (x - middle.x) ** 2;
      xy += (x - middle.x) * (y - middle.y);
      yy += (y - middle.y) ** 2;
    }
  }
  return Math.atan2(2 * xy, xx - yy) / 2;
}

/**
 * Fits `y = level + slope·x + curvature·x² + apart·side` to the houses by least squares. `apart` is half the distance between both sides.
 */
function fit(houses, isTwoSided, isCurved) {
  const terms = [() => 1, ({ x }) => x, ...(isCurved ? [({ x }) => x * x] : []), ...(isTwoSided ? [({ side }) => side] : [])];
  const rows = terms.map((one) => [
    ...terms.map((other) => sum(houses, (house) => one(house) * other(house))),
    sum(houses, (house) => one(house) * house.y),
  ]);
  const solved = solve(rows);
  if (!solved) return null;
  const left = sum(houses, (house) => (house.y - sum(terms, (term, at) => solved[at] * term(house))) ** 2);
  return { level: solved[0], slope: solved[1], curvature: isCurved ? solved[2] : 0, scatter: Math.sqrt(left / houses.length) };
}

/** Gaussian elimination; null if the equations have no single solution. */
function solve(rows) {
  const size = rows.length;
  for (let at = 0; at < size; at++) {
    const best = rows.slice(at).reduce((one, other) => (Math.abs(other[at]) > Math.abs(one[at]) ? other : one));
    if (Math.abs(best[at]) < 1e-9) return null;
    rows.splice(rows.indexOf(best), 1);
    rows.splice(at, 0, best);
    for (const row of rows) {
      if (row === best) continue;
      const times = row[at] / best[at];
      for (let column = at; column <= size; column++) row[column] -= times * best[column];
    }
  }
  return rows.map((row, at) => row[size] / row[at]);
}

function rotate({ x, y }, middle, angle) {
  const [east, south] = [x - middle.x, y - middle.y];
  return { x: east * Math.cos(angle) - south * Math.sin(angle), y: east * Math.sin(angle) + south * Math.cos(angle) };
}

function mean(points) {
  return { x: sum(points, ({ x }) => x) / points.length, y: sum(points, ({ y }) => y) / points.length };
}

function distance(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function sum(list, value) {
  return list.reduce((total, each, at) => total + value(each, at), 0);
}
