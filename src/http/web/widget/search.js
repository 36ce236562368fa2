// Type-ahead: one field for street, town, postcode and number, with a second step for a number with many units.

import { uniqueByLabel } from './address.js';
import { allowOverwrite } from './fields.js';
import { bare, clean, spaced, wordsOf } from './text.js';
import { CHOOSE_ADDITION, FOUND, HINT, TYPE_NUMBER, NONE, UNCONFIRMED, UNITS, UNKNOWN_ADDITION } from './texts.js';

const DEBOUNCE_MS = 150;
/** If the list is full and this many suggestions share a number, the number may have more units than the list shows. */
const CROWD = 3;

const withoutPostcode = (text) => bare(text.replace(/(\bnl-)?\b\d{4} ?[a-z]{2}\b/i, ''));

/** The suffix typed after the house number: the typed words without street, postcode and city. */
const suffixTyped = ({ houseNumber, origin: { street, postcode, city } }, typed) => {
	const known = wordsOf(`${street} ${spaced(postcode)} ${postcode} ${city}`);
	const rest = wordsOf(typed).map((word) => word.replace(RegExp(`^${houseNumber}`), ''))
		.filter((word) => !known.some((each) => each.startsWith(word))).join('');
	return bare(typed).includes(houseNumber + rest) ? rest : '';
};

/** Street and number of these units, which the field shows before the addition. */
const beginOf = (units) => `${units[0].street} ${units[0].number} `;

/** Lets a widget search by its input. */
export const addSearch = (widget, host, input) => {
	/** The text of the last search; it is not searched again. */
	let asked = '';
	/** The addresses to choose from; undefined outside the second step. */
	let step;

	const reset = () => {
		widget.stop();
		step = undefined;
		widget.show();
		widget.say(input.value[1] ? UNCONFIRMED : HINT);
	};

	/** Puts a text into the field, without a search. */
	widget.writeSearch = (words) => {
		input.value = words;
		asked = clean(words);
		reset();
	};

	/** Makes a list option. For an address, `ending` is the text after the number, and `place` is equal for all units at the number. */
	const optionOf = (suggestion) => {
		const { id, street, postcode, label } = suggestion;
		const [name, detail] = spaced(label).split(/, (.*)/);
		const [, houseNumber, ending] = /^ (\d+)[ -]?(.*)/.exec(name.slice(street?.length)) ?? [];
		const place = id && `${street} ${houseNumber} ${postcode}`;
		return { name, detail, houseNumber, ending, origin: suggestion, place, onChoose: () => choose(suggestion) };
	};

	const run = widget.safely(async () => {
		const limit = +(host.getAttribute('limit') ?? 8);
		const answer = await widget.ask(`autocomplete?${new URLSearchParams({ q: asked, limit })}`);
		const typed = clean(input.value);
		if (answer?.meta.query !== typed) return;
		const exactMatch = answer.data.find((each) => !each.id && withoutPostcode(each.value) === withoutPostcode(typed));
		let options = answer.data.filter((each) => each !== exactMatch).map(optionOf);
		const [first] = options;
		const suffix = first?.place && suffixTyped(first, typed);
		const isFull = answer.data.length >= limit;
		const crowd = isFull && !suffix && options.find((one) => one.place && options.filter((each) => each.place === one.place)[CROWD - 1]);
		if (crowd) {
			const { postcode, street } = crowd.origin;
			const response = await widget.ask(`addresses?postcode=${postcode}&number=${crowd.houseNumber}`);
			if (!response || clean(input.value) !== typed) return;
			const units = uniqueByLabel(response.data).filter((each) => each.street === street);
			if (units[limit]) {
				// One option replaces the options of all units at this number.
				options = options.filter((each) => each === crowd || each.place !== crowd.place);
				crowd.name = `${beginOf(units)}· ${widget.phrase(UNITS, units.length)}`;
				crowd.place = '';
				crowd.onChoose = () => widget.enter(units);
			}
		}
		const isUnknown = !isFull && suffix && /^([a-z]{0,2}\d*|bis)$/.test(suffix)
			&& !options.some((each) => each.place === first.place && bare(each.ending).startsWith(suffix));
		const counted = first ? [FOUND, options.length, options[1] ? 's' : ''] : !exactMatch && NONE;
		widget.say(isUnknown ? [UNKNOWN_ADDITION, suffix, first.houseNumber] : exactMatch?.type === 'street' && TYPE_NUMBER, counted);
		const meant = options.filter((each) => each.place && withoutPostcode(typed).includes(withoutPostcode(each.origin.label)));
		widget.show(options, typed, !meant[1] && options.indexOf(meant[0]));
		// The user left the field meanwhile.
		if (!input.matches(':focus')) input.onblur();
	});

	/** Begins the second step. */
	widget.enter = (units) => {
		input.value = beginOf(units);
		step = units;
		filterUnits();
	};

	const filterUnits = () => {
		const typed = input.value.slice(beginOf(step).length);
		const fits = widget.showUnits(step, typed);
		widget.say(...fits ? [CHOOSE_ADDITION, fits > 1 && [UNITS, fits]] : [[UNKNOWN_ADDITION, typed, step[0].number]]);
	};

	widget.change = (ms = DEBOUNCE_MS) => {
		const typed = clean(input.value);
		if (typed === asked && !step) return;
		widget.stop();
		widget.highlight();
		widget.edit();
		if (step && input.value.startsWith(beginOf(step))) return filterUnits();
		step = undefined;
		asked = typed;
		if (typed.length < 2) reset();
		else widget.later(run, ms);
	};

	widget.fetchAddress = (suggestion) => {
		const valuesAtChoice = new Map(widget.fields().map(([field]) => [field, field.value]));
		widget.later(widget.safely(async () => {
			const answer = await widget.ask(`addresses/${suggestion.id}`);
			if (!answer) return;
			// What people typed after their choice stays, and is looked up together with the chosen address.
			const isSame = allowOverwrite(widget.fields(), valuesAtChoice);
			if (!widget.confirm(answer.data, isSame, suggestion) && !isSame) widget.later(widget.check);
		}));
	};

	const choose = (suggestion) => {
		if (suggestion.id) {
			widget.edit(true);
			widget.writeSearch(suggestion.value);
			return widget.fetchAddress(suggestion);
		}
		input.value = suggestion.value;
		widget.change(0);
	};

	input.onpaste = (event) => {
		if (input.type !== 'search' || input.selectionEnd - input.selectionStart < input.value.length) return;
		event.preventDefault();
		// Joins the lines or cells of a pasted address into one line.
		input.value = event.clipboardData.getData('text').trim().replace(/\s*[\r\n\t]\s*/g, ', ');
		widget.change(0);
	};
};
