// Texts as people type and paste them.

export const clean = (text) => text.replace(/\s+/g, ' ').trim();
const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
/** The words of a text, in lower case and without accents. */
export const wordsOf = (text) => fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
/** Only the letters and digits of a text, in lower case and without accents. */
export const bare = (text) => wordsOf(`${text ?? ''}`).join('');
/** The text with its postcodes written as on mail: 3931 AX. */
export const spaced = (text) => text.replace(/\b(\d{4}) ?([a-z]{2})\b/gi, '$1 $2');

/** Makes an element that a shop can style as `::part(…)`. */
export const make = (tag, part, attributes, ...children) => {
	const element = document.createElement(tag);
	element.part = part;
	for (const name in attributes) element.setAttribute(name, attributes[name]);
	element.append(...children);
	return element;
};

/** Shows a text. Leaves an equal text: WebKit sends no click if the text of a pressed button is replaced, and it would be announced again. */
export const setText = (element, text = '') => {
	if (element.textContent !== text) element.textContent = text;
};

/** The text, with the typed beginnings of its words in `<mark>`. */
export const marked = (text, typed) => {
	const begins = wordsOf(typed);
	// Splits after each character that is no letter or digit, so that a word is at the start of its piece.
	return text.split(/(?<=[^\p{L}\p{N}])/u).flatMap((word) => {
		const begin = begins.find((each) => fold(word).startsWith(each));
		return begin ? [make('mark', 'mark', {}, word.slice(0, begin.length)), word.slice(begin.length)] : word;
	});
};
