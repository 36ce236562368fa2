// Type-ahead: one field for street, town, postcode and number, with a second step for a number with many units.

import { uniqueByLabel } from './address.js';
import { bare, clean, spaced, wordsOf } from './text.js';

const DEBOUNCE_MS = 150;
/** So many suggestions at one number show that it may have many units. */
const CROWD = 3;

/** A suggestion with its number and addition, and the number's place, if it is an address. */
const read = (suggestion) => {
	const { id, street, postcode, label } = suggestion;
	const [, houseNumber, ending] = /^ (\d+)[ -]?([^,]*)/.exec(label.slice(street?.length)) ?? [];
	return { source: suggestion, ending, houseNumber, place: id && `${street} ${houseNumber} ${postcode}` };
};

const withoutPostcode = (text) => bare(text.replace(/(\bnl-)?\b\d{4} ?[a-z]{2}\b/i, ''));

/** What was typed behind the number of a suggestion: all but its street, postcode and city. */
const suffixTyped = ({ houseNumber, source: { street, postcode, city } }, typed) => {
	const known = wordsOf(`${street} ${spaced(postcode)} ${postcode} ${city}`);
	const rest = wordsOf(typed).map((word) => word.replace(RegExp(`^${houseNumber}`), ''))
		.filter((word) => !known.some((each) => each.startsWith(word))).join('');
	return bare(typed).includes(houseNumber + rest) ? rest : '';
};

export const search = ({ input, get, text, say, ask, later, stop, safely, show, open, move, showUnits, edit, confirm, isOn }) => {
	/** The text of the last search; no request while the field has it. */
	let asked = '';
	/** In the second step: the text before the addition, and the addresses. */
	let step;

	const reset = () => {
		stop();
		step = undefined;
		show([]);
		open(false);
		say('hint');
	};

	/** Puts a text into the field, without a search. */
	const write = (words) => {
		input.value = words;
		asked = clean(words);
		reset();
	};

	const run = safely(async () => {
		const limit = +get('limit', 8);
		const answer = await ask(`autocomplete?${new URLSearchParams({ q: asked, limit })}`, run);
		const typed = clean(input.value);
		if (answer?.meta.query !== typed) return;
		const { data } = answer;
		const exactMatch = data.find(({ id, value }) => !id && withoutPostcode(value) === withoutPostcode(typed));
		const others = data.filter((each) => each !== exactMatch).map(read);
		const [first] = others;
		const suffix = first?.place ? suffixTyped(first, typed) : '';
		const isFull = data.length >= limit;
		let crowd = isFull && !suffix && others.find(({ place }) => place && others.filter((each) => each.place === place).length >= CROWD);
		let units;
		if (crowd) {
			const { postcode, street } = crowd.source;
			const response = await ask(`addresses?postcode=${postcode}&number=${crowd.houseNumber}`, run);
			if (!response || clean(input.value) !== typed) return;
			units = uniqueByLabel(response.data).filter((each) => each.street === street);
			if (units.length <= limit) crowd = undefined;
		}
		const kept = others.filter((each) => !crowd || each === crowd || each.place !== crowd.place);
		const rows = kept.map((each) => {
			const [name, detail] = spaced(each.source.label).split(/, (.*)/);
			if (each !== crowd) return { name, detail, onChoose: () => choose(each.source) };
			const prefix = `${units[0].street} ${crowd.houseNumber}`;
			return { name: `${prefix} · ${text('units', units.length)}`, detail, onChoose: () => enter(prefix, units) };
		});
		const isUnknown = !isFull && suffix && /^([a-z]{0,2}\d*|bis)$/.test(suffix)
			&& !others.some((each) => each.place === first.place && bare(each.ending).startsWith(suffix));
		const counted = rows[0] ? [rows[1] ? 'many' : 'one', rows.length] : exactMatch ? '' : 'none';
		say(isUnknown ? ['unknown', suffix, first.houseNumber] : exactMatch?.type === 'street' && 'next', counted, !rows[0] && 'manual');
		show(rows, typed);
		// The field was left meanwhile.
		if (!input.matches(':focus')) input.onblur();
		const fits = kept.filter((each) => each !== crowd && each.place && withoutPostcode(typed).includes(withoutPostcode(each.source.label)));
		if (fits.length === 1) move(kept.indexOf(fits[0]));
	});

	/** Begins the second step. */
	const enter = (name, units) => {
		input.value = `${name} `;
		step = { before: input.value, among: units };
		filterUnits();
	};

	const filterUnits = () => {
		const typed = input.value.slice(step.before.length);
		asked = clean(input.value);
		const fits = showUnits(step.among, typed);
		say(...fits ? ['choose', fits > 1 && ['units', fits]] : [['unknown', typed, step.among[0].number], 'manual']);
	};

	const change = (ms = DEBOUNCE_MS) => {
		const typed = clean(input.value);
		if (typed === asked && !step || !isOn()) return;
		stop();
		edit();
		if (step && input.value.startsWith(step.before)) return filterUnits();
		step = undefined;
		asked = typed;
		if (typed.length < 2) reset();
		else later(run, ms);
	};

	const fetchAddress = safely(async (suggestion) => {
		const answer = await ask(`addresses/${suggestion.id}`, () => fetchAddress(suggestion));
		if (answer) confirm(answer.data, true, suggestion);
	});

	const choose = (suggestion) => {
		if (suggestion.id) {
			write(suggestion.value);
			return fetchAddress(suggestion);
		}
		input.value = suggestion.value;
		change(0);
	};

	input.onpaste = (event) => {
		if (input.type !== 'search' || input.selectionEnd - input.selectionStart < input.value.length) return;
		event.preventDefault();
		// An address of several lines, or cells, in one.
		input.value = event.clipboardData.getData('text').split(/[\r\n\t]+/).map(clean).filter(Boolean).join(', ');
		change(0);
	};

	return { write, change, fetchAddress, enter };
};
