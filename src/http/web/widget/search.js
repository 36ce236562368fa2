// Type-ahead: one field for street, town, postcode and number, with a second step for a number with many units.

import { distinct, suffixOf } from './address.js';
import { bare, clean, spaced, tidy, wordsOf } from './text.js';

const DEBOUNCE_MS = 150;
/** So many suggestions at one number show that it may have many units. */
const CROWD = 3;

/** Number and addition of a suggestion. */
const read = ({ street, label }) => {
	const [, number, addition] = /^ (\d+)[ -]?([^,]*)/.exec(label.slice(street?.length)) ?? [];
	return { number: +number, addition };
};

const withoutPostcode = (text) => bare(text.replace(/\b\d{4} ?[a-z]{2}\b/i, ''));

/** What was typed behind the number of a suggestion: all but its street, postcode and city. */
const suffixTyped = ({ street, postcode, city }, number, typed) => {
	const known = wordsOf(`${street} ${spaced(postcode)} ${postcode} ${city}`);
	const rest = wordsOf(typed).map((word) => word.replace(RegExp(`^${number}`), ''))
		.filter((word) => !known.some((each) => each.startsWith(word))).join('');
	return bare(typed).includes(number + rest) ? rest : '';
};

export const search = ({ input, get, text, say, ask, later, stop, safely, show, open, move, showUnits, edit, confirm, isOn }) => {
	/** The text of the last search; no request while the field has it. */
	let asked = '';
	/** In the second step: the text before the addition, and the addresses. */
	let step;

	const rest = () => {
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
		rest();
	};

	const run = safely(async () => {
		const limit = +get('limit', 8);
		const answer = await ask(`autocomplete?${new URLSearchParams({ q: asked, limit })}`, run);
		const typed = clean(input.value);
		if (answer?.meta.query !== typed) return;
		const { data } = answer;
		const whole = data.find(({ id, value }) => !id && withoutPostcode(value) === withoutPostcode(typed));
		const others = data.filter((each) => each !== whole);
		const [first] = others;
		const { number } = first?.id ? read(first) : {};
		const isAtNumber = (each) => each.street === first.street && each.postcode === first.postcode && read(each).number === number;
		const suffix = number ? suffixTyped(first, number, typed) : '';
		let units = number ? others.filter(isAtNumber).map(read) : [];
		const isFull = data.length >= limit;
		if (isFull && !suffix && units.length >= CROWD) {
			const there = await ask(`addresses?postcode=${first.postcode}&number=${number}`, run);
			if (!there || clean(input.value) !== typed) return;
			units = distinct(there.data).filter(({ street }) => street === first.street);
		}
		const isCrowd = units.length > limit;
		const kept = isCrowd ? others.filter((each) => !isAtNumber(each)) : others;
		const rows = kept.map((suggestion) => {
			const [name, detail] = spaced(suggestion.label).split(/, (.*)/);
			return { name, detail, choose: () => choose(suggestion) };
		});
		if (isCrowd) {
			const name = `${first.street} ${number}`;
			rows.unshift({ name, detail: text('units', units.length), choose: () => enter(name, units) });
		}
		const isUnknown = !isFull && /^([a-z]{1,2}\d{0,4}|\d+|bis)$/.test(suffix)
			&& !units.some((each) => bare(suffixOf(each)).startsWith(suffix));
		const counted = rows[0] ? [rows[1] ? 'many' : 'one', rows.length] : whole ? '' : 'none';
		say(isUnknown ? ['unknown', suffix, number] : whole?.type === 'street' && 'next', counted, !rows[0] && 'manual');
		show(rows, typed);
		const fits = kept.filter(({ id, label }) => id && withoutPostcode(typed).includes(withoutPostcode(label)));
		if (fits.length === 1) move(kept.indexOf(fits[0]) + isCrowd);
	});

	/** Begins the second step. */
	const enter = (name, units) => {
		input.value = `${name} `;
		step = { before: input.value, units };
		goOn();
	};

	const goOn = () => {
		const typed = input.value.slice(step.before.length);
		asked = clean(input.value);
		const fits = showUnits(step.units, typed);
		say(...fits ? ['choose', fits > 1 && ['units', fits]] : [['unknown', typed, step.units[0].number], 'manual']);
	};

	const change = (ms = DEBOUNCE_MS) => {
		const typed = clean(input.value);
		if (typed === asked && !step || !isOn()) return;
		stop();
		edit();
		if (step && input.value.startsWith(step.before)) return goOn();
		step = undefined;
		asked = typed;
		if (typed.length < 2) rest();
		else later(run, ms);
	};

	const take = safely(async (suggestion) => {
		const answer = await ask(`addresses/${suggestion.id}`, () => take(suggestion));
		if (answer) confirm(answer.data, true, suggestion);
	});

	const choose = (suggestion) => {
		if (suggestion.id) {
			write(suggestion.value);
			return take(suggestion);
		}
		input.value = suggestion.value;
		change(0);
	};

	input.onpaste = (event) => {
		if (input.type !== 'search' || input.selectionEnd - input.selectionStart < input.value.length) return;
		event.preventDefault();
		input.value = tidy(event.clipboardData.getData('text'));
		change(0);
	};

	return { write, change, take, enter };
};
