// Marks the characters in which two spellings differ.

import { el, t } from './dom.js';

/** The nodes of both spellings: shared characters are plain, others are in `<mark>`. */
export function difference(was, is) {
  const [before, after] = [[...was], [...is]];
  const shared = longest(before, after);
  return [marked(before, shared.map(([i]) => i)), marked(after, shared.map(([, j]) => j))];
}

/** The pairs of positions of a longest common subsequence, without regard to case. */
function longest(before, after) {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i][j] = same(before[i], after[j]) ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const pairs = [];
  for (let i = 0, j = 0; i < before.length && j < after.length;) {
    if (same(before[i], after[j])) pairs.push([i++, j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
    else j++;
  }
  return pairs;
}

function same(one, other) {
  return one.toLowerCase() === other.toLowerCase();
}

function marked(characters, shared) {
  if (characters.length === 0) return [el('span', { class: 'nothing' }, t('check.nothing'))];
  const kept = new Set(shared);
  const runs = [];
  characters.forEach((character, at) => {
    const plain = kept.has(at);
    if (runs.at(-1)?.plain === plain) runs.at(-1).text += character;
    else runs.push({ plain, text: character });
  });
  return runs.map(({ plain, text }) => (plain ? text : el('mark', {}, text)));
}
