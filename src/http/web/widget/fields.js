// Finds the address fields of a form, reads them and fills them in.

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

/** Normalizes a country name; every name of the Netherlands becomes `nl`. */
const nameOf = (text) => bare(text).replace(/^(nld?|nederland|(the)?netherlands)$/, 'nl');

/** Kinds that the service supplies: they are cleared with the address. */
export const DERIVED = /^(?!country|postcode|num|letter|addition)/;
/** Kinds that identify an address: its id and coordinates. */
export const IDENTIFYING = /^(id|l.+itude)$/;
export const SUFFIX = /addition|letter/i;

/** The values that a widget put into fields. */
const filled = new WeakMap();
export let isFilling;
/** True if the value differs from what the widget put in, so it was entered, changed or emptied since. False for hidden fields. */
export const isByHand = (field) => field.type !== 'hidden' && field.value !== (filled.get(field) ?? '');
/** Lets the widget fill in again what people emptied. */
export const forgetEmptied = (fields) => { for (const [field] of fields) if (!field.value) filled.delete(field); };

/**
 * The address fields among these elements, with their kinds. If the widget draws its own fields (`drawsFields`): only those named by
 * `field-…` or `data-postduif`, and the country.
 */
const find = (host, elements, drawsFields) => {
	const section = host.getAttribute('section') ?? '';
	const selectors = [...host.attributes].filter(({ name, value }) => /^field-/.test(name) && CSS.supports(`selector(:is(${value}))`));
	const kindOf = ({ name }) => name.slice(6).replace('ra', 'rA');
	/** Kinds that have a field. A field recognized by its name, id or `autocomplete` counts only if its kind has none yet. */
	const taken = new Set(selectors.map(kindOf));
	return [...elements].flatMap((field) => {
		if (!field.matches('input, select, textarea')) return [];
		const selector = selectors.find(({ value }) => field.matches(value));
		if (selector) return [[field, kindOf(selector)]];
		const { postduif } = field.dataset;
		const nameAndId = `${field.name} ${field.id}`;
		const words = clean(postduif ?? field.getAttribute('autocomplete') ?? '').split(' ');
		const word = words.pop();
		const known = BY_AUTOCOMPLETE[word];
		const named = !/hid|box|dio|texta/.test(field.type)
			&& Object.entries(BY_NAME).find(([, each]) => each.test(nameAndId))?.[0];
		// A field that is an address line by `autocomplete`, but a number, letter or addition by its name, holds only that.
		const kind = postduif ? word : /^(off|on)?$/.test(word) || /^line/.test(known) && /^[aln]/.test(named) ? named : known;
		const isFree = postduif || !taken.has(kind) && (!drawsFields || /^country/.test(kind));
		if (!kind || !isFree || !`${words} ${nameAndId}`.includes(section)) return [];
		if (!postduif) taken.add(kind);
		return [[field, kind]];
	});
};

/** The fields around a widget: those of its fieldset if that has any, else of its form, else of the page. */
export const fieldsOf = (host, form, drawsFields) => {
	const inside = find(host, host.closest('fieldset')?.elements ?? [], drawsFields);
	return inside[0] ? inside : find(host, form?.elements ?? host.getRootNode().querySelectorAll('*'), drawsFields);
};

/** The text of a field; empty for a list whose first, empty option is selected. */
const textOf = (field) => (field?.value && (field.selectedOptions?.[0].text ?? field.value) || '').trim();
/** Normalizes a text for comparison. Appends the runs of digits, so that 121 and 12-1 differ. */
const spelled = (text) => bare(text) + `${text}`.match(/\d+/g);
const same = (field, value) => spelled(textOf(field)) === spelled(value);

/** What the fields hold: postcode, number, the suffix from whichever fields have it, and whether the country is not the Netherlands. */
export const entered = (fields) => {
	const value = (kind) => textOf(fields.find(([, each]) => each === kind)?.[0]);
	const [, number, rest = ''] = /^\W*(\d{1,5})(?!\d)(.*)$/.exec(value('number')) ?? [];
	const suffix = `${rest} ${value('numberAddition') || value('letter') + value('addition')}`;
	const postcode = bare(value('postcode')).toUpperCase();
	return {
		postcode, number, suffix,
		whole: { postcode, number: number + suffix, street: value('street') || value('line'), city: value('city') },
		numberSuffix: bare(rest),
		isAbroad: fields.some(([field, kind]) => /^country/.test(kind) && field.value
			&& nameOf(field.value) !== 'nl' && nameOf(textOf(field)) !== 'nl'),
	};
};

/** The value of each kind of field for an address. A kind that `fields` lack, such as the addition, is part of another value. */
const valuesOf = (address, fields) => {
	const has = (pattern) => fields.some(([, kind]) => pattern.test(kind));
	const [longitude, latitude] = address.location?.coordinates ?? [];
	return {
		...address, longitude, latitude, numberAddition: suffixOf(address), country: 'NL', 'country-name': 'Nederland',
		line: has(/number$/) ? address.street : lineOf(address),
		number: has(SUFFIX) ? address.number : numberOf(address),
		addition: has(/letter|A/) ? address.addition : suffixOf(address),
	};
};

/** Whether all fields agree with this address. With `isSpelledFreely`, only empty fields are compared. */
export const agrees = (fields, address, isSpelledFreely) => {
	const values = valuesOf(address, fields);
	const { number, suffix } = entered(fields);
	return fields.every(([field, kind]) => isSpelledFreely && field.value
		|| (kind === 'number' ? +number === address.number && hasSuffix(address, suffix)
			: !/postcode|street|line|city/.test(kind) || same(field, values[kind])));
};

const put = (field, value) => {
	let text = `${value ?? ''}`;
	if (field.options) {
		const isWanted = (name) => nameOf(name) === nameOf(text);
		const options = [...field.options];
		const option = options.find((each) => isWanted(each.value) || isWanted(each.text)) ?? options.find((each) => !each.value);
		text = (option ?? field).value;
	}
	if (text === field.value) return;
	// Use the prototype's setter, because frameworks put their own setter on the element.
	Reflect.set(field.constructor.prototype, 'value', text, field);
	filled.set(field, field.value);
	isFilling = true;
	for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
	isFilling = false;
};

/** Fills the fields of these kinds. Keeps what people typed, unless they chose this address. */
export const fill = (fields, address, kinds, isChosen) => {
	const values = valuesOf(address, fields);
	// If the field of the number holds the addition too, the field of the addition stays empty.
	const isJoined = !isChosen && entered(fields).numberSuffix;
	for (const [field, kind] of fields) {
		const value = isJoined && SUFFIX.test(kind) ? '' : values[kind];
		if (kinds.test(kind) && kind in values && !same(field, value) && (isChosen || !isByHand(field))) put(field, value);
	}
};

/** Empties the fields of these kinds that a widget filled. Ids and coordinates are emptied even if something else filled them. */
export const clearFields = (fields, kinds = /^(?!country)/) => {
	for (const [field, kind] of fields) if (kinds.test(kind) && field.value && (IDENTIFYING.test(kind) || !isByHand(field))) put(field, '');
};
