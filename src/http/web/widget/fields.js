// The fields for an address: which they are, what they hold, and how they are filled in.

import { hasSuffix, lineOf, numberOf, suffixOf } from './address.js';
import { bare, clean } from './text.js';

/** Kinds of fields by their usual names and ids. */
const BY_NAME = {
	addition: /addition(?!al)|toevoeg|suffix|street\[2/i,
	letter: /(house|huis).?letter/i,
	number: /(house|huis).?(n|$)|street.?n(r|u)|street\[1|(?<!-)\bnum[bm]er\b/i,
	postcode: /post.?code|postal|zip/i,
	street: /street|straat|address.?(line)?.?1/i,
	city: /city|town|(?<!te)plaats/i,
	country: /(?<!phone.?)country|\bland\b/i,
};

/** Kinds by the words of `autocomplete`. */
const BY_AUTOCOMPLETE = {
	'postal-code': 'postcode', 'address-level2': 'city', 'address-level1': 'province', country: 'country', 'country-name': 'country-name',
	'address-line1': 'line', 'street-address': 'line',
};

const DUTCH = /^(nld?|nederland|(the)?netherlands)$/;

/** Kinds that the service supplies: they are cleared with the address. */
export const DERIVED = /^(?!country|postcode|num|letter|addition)/;
/** Kinds that identify an address: its id and coordinates. */
export const IDENTIFYING = /^(id|l.+itude)$/;
export const SUFFIX = /addition|letter/i;

/** The values that a widget put into fields. */
const filled = new WeakMap();
let filling = false;
export const isFilling = () => filling;
export const isByHand = (field) => field.type !== 'hidden' && field.value && field.value !== filled.get(field);

/** The fields among these elements, each with its kind. With `drawsFields` only those named for the widget, and the country. */
const find = (host, elements, drawsFields) => {
	const section = host.getAttribute('section') ?? '';
	const selectors = [...host.attributes].filter(({ name, value }) => /^field-/.test(name) && CSS.supports(`selector(:is(${value}))`));
	/** Of the fields that are not named for the widget, the first of each kind counts. */
	const kindOf = ({ name }) => name.slice(6).replace('ra', 'rA');
	const taken = new Set(selectors.map(kindOf));
	return elements.flatMap((field) => {
		const selector = selectors.find(({ value }) => field.matches(value));
		if (selector) return [[field, kindOf(selector)]];
		const { name, id, type, dataset: { postduif } } = field;
		const words = clean(postduif ?? field.getAttribute('autocomplete') ?? '').split(' ');
		const word = words.pop();
		const isNear = `${words} ${postduif ? '' : `${name} ${id}`}`.includes(section);
		if (postduif) return isNear ? [[field, word]] : [];
		const known = BY_AUTOCOMPLETE[word];
		const named = !/hid|box|dio|texta/.test(type)
			&& Object.keys(BY_NAME).find((each) => BY_NAME[each].test(`${name} ${id}`));
		// A line of the address that is named as a number holds just that.
		const kind = /^(off|on)?$/.test(word) || /^line/.test(known) && /^[aln]/.test(named) ? named : known;
		if (!kind || !isNear || taken.has(kind) || drawsFields && !/^country/.test(kind)) return [];
		taken.add(kind);
		return [[field, kind]];
	});
};

/** The fields around a widget: those of its fieldset if that has any, else of its form, else of the page. */
export const fieldsOf = (host, form, drawsFields) => {
	const all = [...form?.elements ?? host.getRootNode().querySelectorAll('*')].filter((field) => field.matches('input, select, textarea'));
	const inside = find(host, all.filter((field) => host.closest('fieldset')?.contains(field)), drawsFields);
	return inside[0] ? inside : find(host, all, drawsFields);
};

/** The text of a field; a list at its first, empty option has none. */
const textOf = (field) => (field.value && (field.selectedOptions?.[0]?.text ?? field.value)).trim();
/** In any spelling; numbers stay apart: 121 is not 12-1. */
const same = (field, value) => {
	const [one, other] = [textOf(field), value].map((text) => bare(text) + `${text ?? ''}`.match(/\d+/g));
	return one === other;
};

/** What the fields hold: the number and what stands behind it, in whichever fields, and whether the country is another one. */
export const entered = (fields) => {
	const value = (kind) => fields.filter(([, each]) => each === kind).map(([field]) => textOf(field))[0] ?? '';
	const [, number, rest = ''] = /^\W*(\d{1,5})(?!\d)(.*)$/.exec(value('number')) ?? [];
	const suffix = `${rest} ${value('numberAddition') || value('letter') + value('addition')}`;
	return {
		postcode: bare(value('postcode')).toUpperCase(), number, suffix, street: value('street') || value('line'), city: value('city'),
		numberSuffix: bare(rest),
		isAbroad: fields.some(([field, kind]) => /^country/.test(kind) && field.value
			&& ![field.value, textOf(field)].some((name) => DUTCH.test(bare(name)))),
	};
};

/** The value of each kind of field for an address; `fields` are all that will be filled. */
const valuesOf = (address, fields) => {
	const has = (pattern) => fields.some(([, kind]) => pattern.test(kind));
	const [longitude, latitude] = address.location?.coordinates ?? [];
	return {
		...address, longitude, latitude, numberAddition: suffixOf(address), country: 'NL', 'country-name': 'Nederland',
		line: has(/^number$/) ? address.street : lineOf(address),
		number: has(SUFFIX) ? address.number : numberOf(address),
		addition: has(/letter|A/) ? address.addition : suffixOf(address),
	};
};

/** Whether all fields hold this address. */
export const agrees = (fields, address) => {
	const values = valuesOf(address, fields);
	const { number, suffix } = entered(fields);
	return fields.every(([field, kind]) => (kind === 'number' ? +number === address.number && hasSuffix(address, suffix)
		: !/^(postcode|street|line|city)$/.test(kind) || same(field, values[kind])));
};

const put = (field, value) => {
	let text = `${value ?? ''}`;
	if (field.options) {
		const isWanted = (name) => (DUTCH.test(bare(text)) ? DUTCH.test(bare(name)) : bare(name) === bare(text));
		const options = [...field.options];
		const option = options.find((each) => isWanted(each.value) || isWanted(each.text)) ?? options.find((each) => !each.value);
		if (!option) return;
		text = option.value;
	}
	if (text === field.value) return;
	// By the prototype's setter: frameworks put their own on the element.
	Reflect.set(Object.getPrototypeOf(field), 'value', text, field);
	filled.set(field, field.value);
	filling = true;
	for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
	filling = false;
};

/** Fills the fields. What people typed stays, unless they chose this address. */
export const fill = (fields, address, isChosen) => {
	const values = valuesOf(address, fields);
	// With the addition behind the number, its own field stays empty.
	const isJoined = !isChosen && entered(fields).numberSuffix;
	for (const [field, kind] of fields) {
		const value = isJoined && SUFFIX.test(kind) ? '' : values[kind];
		if (kind in values && !same(field, value) && (isChosen || !isByHand(field))) put(field, value);
	}
};

/** Empties the fields of these kinds that a widget filled; of an id, whoever did. */
export const clearFields = (fields, kinds = /^(?!country)/) => {
	for (const [field, kind] of fields) if (kinds.test(kind) && field.value && (IDENTIFYING.test(kind) || !isByHand(field))) put(field, '');
};
