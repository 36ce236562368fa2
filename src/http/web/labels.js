// Places street names and house numbers on the map, so that none covers another or a house.

import { along, lengthOf } from './streets.js';

/** The widths of a letter and a digit, and half the height of a line, in pixels. */
const LETTER = 7.2;
const DIGIT = 7.6;
const HALF_LINE = 7;
/** The angle by which a name may bend, in radians: more would tear its letters apart. */
const MOST_BEND = 0.6;
/** Positions of a name along its street, as shares of the street's length; the middle is tried first. */
const SHARES = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78];
/** Offsets of a name across its street, in pixels: on the street, else above or below the houses. */
const BESIDE = [0, -20, 20];

/** The occupied areas of a map. The middle of the map is 0,0, and its edges are `half` away from the middle. */
export function occupiedAreas(half) {
  const taken = [];
  const isFree = (box) => Math.max(-box.left, box.right, -box.top, box.bottom) <= half - 2 && !taken.some((other) => overlap(box, other));
  return { take: (...boxes) => taken.push(...boxes), isFree };
}

export function boxAround(x, y, wide, high = wide) {
  return { left: x - wide, right: x + wide, top: y - high, bottom: y + high };
}

/**
 * Where the name of a street fits: `share` is the position along the street as a share of its length, `beside` the offset across it in
 * pixels. Null if the name fits nowhere.
 */
export function placeName({ name, curve }, space) {
  const half = (name.length * LETTER) / 2 / lengthOf(curve);
  const steps = Math.ceil(name.length / 2);
  const boxes = ({ share, beside }) => Array.from({ length: steps + 1 }, (_, at) => {
    const { x, y, angle } = along(curve, share - half + (2 * half * at) / steps);
    return boxAround(x - beside * Math.sin(angle), y + beside * Math.cos(angle), HALF_LINE);
  });
  const shares = SHARES.filter((share) => share >= half && share <= 1 - half);
  const places = BESIDE.flatMap((beside) => shares.map((share) => ({ share, beside })));
  const bend = ({ share }) => Math.abs(along(curve, share + half).angle - along(curve, share - half).angle);
  const free = places.find((place) => bend(place) < MOST_BEND && boxes(place).every((box) => space.isFree(box)));
  if (free) space.take(...boxes(free));
  return free ?? null;
}

/** The side of its dot where a number fits. Tries the side away from the street first. If none is free, the number shows on hover only. */
export function placeNumber({ x, y, text, street }, space) {
  const wide = 3 + DIGIT * text.length;
  const ways = [
    { x: 10, y: 4, anchor: 'start', left: 8, to: [1, 0] },
    { x: -10, y: 4, anchor: 'end', left: -8 - wide, to: [-1, 0] },
    { x: 0, y: -10, anchor: 'middle', left: -wide / 2, to: [0, -1] },
    { x: 0, y: 18, anchor: 'middle', left: -wide / 2, to: [0, 1] },
  ];
  if (street.curve) {
    const away = awayFrom(street.curve, { x, y });
    ways.sort((one, other) => dot(other.to, away) - dot(one.to, away));
  }
  const box = (way) => ({ left: x + way.left, right: x + way.left + wide, top: y + way.y - 10, bottom: y + way.y + 2 });
  const free = ways.find((way) => space.isFree(box(way)));
  if (free) space.take(box(free));
  return free ?? { ...ways[0], crowded: true };
}

/** The direction to a point from the nearest of eleven points of a curve. */
function awayFrom(curve, { x, y }) {
  const ways = Array.from({ length: 11 }, (_, at) => along(curve, at / 10)).map((point) => [x - point.x, y - point.y]);
  return ways.reduce((one, other) => (dot(other, other) < dot(one, one) ? other : one));
}

function dot([x, y], [across, down]) {
  return x * across + y * down;
}

function overlap(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
