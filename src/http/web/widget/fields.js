// Finds the address fields of a form, reads them and fills them in.

import { hasSuffix, numberOf, suffixOf } from './address.js';
import { bare, clean, spaced } from './text.js';

/** A name with its words apart: `street[1]_houseNo2` becomes `street[1] house No 2`. */
const nameWords = (name) => name.replace(/_|(?<=[a-z])(?=[A-Z\d])/g, ' ');
/** A word that says nothing by itself, so it counts only as a whole name or directly below an address: `address[number]`. */
const asWholeName = (word) => RegExp(`(^|,|add?res\\w*\\W+|(billing|shipping|delivery)[[. ])(${word})\\W*,`, 'i');

/** Names of other things: of a telephone number, of a pick-up point, of the part of a name. */
const NOT_ADDRESS = /phone|\btel|mail(?!ing)|\bweb.?(site|add?res|url)|\b(ip|mac|internet).?add?res|saved|birth|geboor|afhaal|pick.?up|vestiging|(?<!number.?)additional|opmerk|toevoegen|loterij|herkomst|(naam|name|bedrijfs).?(toev|addition)|toev\w*.?naam/i;

/** Kinds of fields by the words of their usual names and ids, each with a comma after it. `both` is a field for street and number. */
const BY_NAME = {
	addition: /toev|addition\b|street\[2|\bn(o|r|um\w*).?add|(house|huis|street|straat).?n\w+.?(ext|suffix|add)/i,
	letter: /(house|huis)(.?n(um|r|o)\w*)?.?letter/i,
	both: /(straat|street)(naam|name)?.?(huis|house).?n|(straat|street|adres)(naam|name)?.(en|and).(n|huis|house)/i,
	number: /((?<!t|ware)(house|huis)|street|straat).?(no|nr|num\w*)\b|street\[1|(^|,)(house|huis),/i,
	postcode: /post(al)?.?code|\b(billing|shipping|delivery)?zip|\bpostal,/i,
	street: /(straat|street)(naam|name|address|adres|line)?\b(?!.?(view|foto))/i,
	city: /\b(woon|(af)?lever|bezorg|factuur|verzend)?plaats(naam)?\b(?!.?bestel)|\b(billing|shipping|delivery)?(town|city)(name)?\b(?!.?hall)/i,
	country: /country|\bland\b/i,
	nr: asWholeName('num[bm]er|h?nr|no'),
	ext: asWholeName('suffix|ext(ension)?|bus'),
	line2: /add?res+.?(line|regel)?.?2\b/i,
	line: /add?res+(.?(line|regel)?.?1)?\W*,/i,
};

/** Kinds that count as another kind, if no other field has that other kind. So `nr` counts as `number`. */
const WEAK = { nr: 'number', ext: 'addition', line2: 'addition' };

/** Kinds by the words of `autocomplete`. */
const BY_AUTOCOMPLETE = {
	'postal-code': 'postcode', 'address-level2': 'city', 'address-level1': 'province', country: 'country', 'country-name': 'country-name',
	'address-line1': 'line', 'address-line2': 'line2', 'address-line3': 'line2', 'street-address': 'line',
};

/** Normalizes a country name; every name of the Netherlands becomes `nl`. */
const nameOf = (text) => bare(text).replace(/^(the)?(nld?|nederland|netherlands|holland|niederlande|paysbas)(nl|the)?$/, 'nl');

/** The kind of a field by its name and id; undefined if people enter something else there. */
const kindByName = (field) => {
	const words = nameWords(`${field.name},${field.id},`);
	// Skips inputs that the Tab key does not reach, because they are often honeypots.
	if (NOT_ADDRESS.test(words) || !/^(text|tel|number|select-one)$/.test(field.type) || !field.options && !field.readOnly && field.tabIndex < 0) return;
	const kind = Object.keys(BY_NAME).find((each) => BY_NAME[each].test(words));
	// The options of a list for telephone numbers have a country too: `NL +31`.
	const isCountry = field.options ? [...field.options].some(({ value, text }) => !/\+/.test(text) && [value, text].some((each) => nameOf(each) === 'nl')) : !/code/i.test(words);
	// Shops use type `tel` also for the keyboard of digits.
	return (kind === 'country' ? isCountry : !field.options) && (field.type !== 'tel' || /^n|postcode/.test(kind)) ? kind : undefined;
};

/** Kinds that the service supplies: they are cleared with the address. */
export const DERIVED = /^(?!country|postcode|num|letter|addition)/;
/** Kinds that identify an address: its id and coordinates. */
export const IDENTIFYING = /^(id|l.+itude)$/;
/** All kinds but `IDENTIFYING`. They are filled before the address is confirmed. */
export const NON_IDENTIFYING = /^(?!id|l.+itude)/;
export const SUFFIX = /addition|letter/;

/** The texts that a widget put into fields. */
const filled = new WeakMap();
/** The part of a text that a field can hold: of `64 bis`, a number input can hold only 64, and would be empty with the whole text. */
const heldBy = (field, text) => field.type === 'number' ? text.split(/[ -]/)[0] : text;
export let isFilling;
/** Normalizes a text for comparison. Appends the runs of digits, so that 121 and 12-1 differ. */
const spelled = (text) => bare(text) + `${text}`.match(/\d+/g);
/** True if the field has what the widget put in, in any spelling, because scripts change the case or insert spaces. */
const isFilled = (field) => spelled(field.value) === spelled(heldBy(field, filled.get(field) ?? ''));
/** True if the value differs from what the widget put in, so it was entered, changed or emptied since. False for hidden fields. */
export const isByHand = (field) => field.type !== 'hidden' && !isFilled(field);
/** Lets the widget fill in fields again that people emptied. Also forgets additions that the widget wrote but number inputs do not show. */
export const forgetEmptied = (fields) => {
	for (const [field] of fields) filled.set(field, isFilled(field) ? field.value : '');
};
/** Lets the widget fill in fields that still have these values; those without one were empty. Returns true if no field has changed. */
export const allowOverwrite = (fields, values) => fields.map(([field]) => field.value === (values.get(field) ?? '') && filled.set(field, field.value)).every(Boolean);
/** Lets the widget change street and town of a confirmed address, as if it had filled them in. */
export const markAsFilled = (fields) => {
	for (const [field, kind] of fields) if (DERIVED.test(kind) && isByHand(field)) filled.set(field, field.value);
};

/** Fields into which people typed since the widget last filled them, also if they typed what the widget had put in. */
export const typedInto = new WeakSet();

/** The widget that uses a field. */
const owners = new WeakMap();

/**
 * The address fields among these elements, with their kinds. Leaves out the fields of other widgets. If the widget draws its own fields
 * (`drawsFields`), finds only the country and the fields that `field-…` or `data-postduif` names.
 */
const find = (host, elements, drawsFields) => {
	const section = host.getAttribute('section') ?? '';
	/** The fields that attributes select, with their kinds. */
	const selected = new Map();
	/** Kinds that have a field. A field that is not selected counts only if its kind has none yet. */
	const taken = new Set();
	for (const { name, value } of host.attributes) {
		const kind = name.split(/^field-/)[1]?.replace('ra', 'rA');
		if (kind) try {
			for (const field of elements) if (field.matches(value)) selected.set(field, kind);
			taken.add(kind);
		} catch (error) {
			console.warn(error);
			// Removes the attribute, so that the warning is not repeated at each event. This loop then skips the next attribute, until the next
			// event.
			host.removeAttribute(name);
		}
	}
	// A field that is not displayed counts only if its kind has no other field, unless the widget already uses it and it has a value.
	const isHidden = (each) => !(each.checkVisibility?.() !== false || owners.get(each) === host && each.value > '');
	const candidates = [...elements].filter((each) => each.matches('input,select,textarea')).map((field) => {
		const { postduif } = field.dataset;
		const words = clean(postduif ?? field.getAttribute('autocomplete') ?? '').split(' ');
		const word = words.pop();
		const known = BY_AUTOCOMPLETE[word];
		const named = kindByName(field);
		const isExplicit = selected.has(field) || postduif;
		// A field that is an address line by `autocomplete`, but a number, letter or addition by its name, counts as the latter.
		const kind = selected.get(field)
			?? (postduif ? word : /^((.*-)?off|on|n(o|ew).*|false|disabled)?$/.test(word) || /^line/.test(known) && /^[aeln]/.test(named) ? named : known);
		const rank = isExplicit ? 0 : (kind === 'line2' ? 10 : WEAK[kind] ? 5 : !known && /line|both/.test(kind) ? 0.5 : 0) + (isHidden(field) ? 3 : 1) + !known;
		return [field, WEAK[kind] ?? kind, rank, `${words} ${field.name} ${field.id}`, !isExplicit && !known];
	}).sort(([, , one], [, , other]) => one - other);
	const hasStreet = candidates.some(([, kind]) => /^street|line$/.test(kind));
	const found = [];
	/** Streets that are found only by their names. */
	const streets = new Set();
	for (const [field, wanted, rank, words, isByName] of candidates) {
		const owner = owners.get(field);
		const kind = wanted !== 'both' ? wanted : hasStreet ? 'number' : 'line';
		// Beside a street, an `adres` is something else, such as a postal address.
		const isOther = isByName && kind === 'line' && taken.has('street');
		const isFree = (section || owner === host || !owner?.isConnected)
			&& (!rank || !taken.has(kind) && !isOther && (!drawsFields || /^country/.test(kind)));
		if (selected.has(field) || kind && isFree && words.includes(section)) {
			taken.add(kind);
			found.push([field, kind]);
			if (isByName && kind === 'street') streets.add(field);
			owners.set(field, host);
		}
	}
	// Without a field for the number, the number belongs to the street.
	if (!/num|line/.test(found)) for (const each of found) if (streets.has(each[0])) each[1] = 'line';
	// In the order of the document again.
	return found.sort(([one], [other]) => 3 - one.compareDocumentPosition(other));
};

/**
 * The fields around a widget: those of the nearest fieldset with a postcode or town, else of its form, else those of the page that are in no
 * form, else all of the page.
 */
export const fieldsOf = (host, form, drawsFields) => {
	for (let around = host; around = around.parentElement?.closest('fieldset');) {
		const inside = find(host, around.elements, drawsFields);
		if (drawsFields ? inside[0] : /postcode|city/.test(inside)) return inside;
	}
	const all = [...form?.elements ?? host.getRootNode().querySelectorAll('input,select,textarea')];
	const free = form ? [] : find(host, all.filter((each) => !each.form), drawsFields);
	return (drawsFields ? free[0] : /postcode|city/.test(free)) ? free : find(host, all, drawsFields);
};

/** The text of a field, as the widget put it in; empty for a list in which the first, empty option is selected. */
const textOf = (field) => (field?.value && (field.selectedOptions?.[0].text ?? (isFilled(field) ? filled.get(field) : field.value)) || '').trim();
const same = (field, value) => spelled(textOf(field)) === spelled(value);

/** What the fields hold: postcode, number, the suffix from whichever fields have it, and whether the country is not the Netherlands. */
export const entered = (fields) => {
	const value = (kind) => textOf(fields.find(([, each]) => each === kind)?.[0]);
	const line = value('street') || value('line');
	const [, begin, end = ''] = /(.*) (\d.*)/.exec(line) ?? [];
	// `/num/.test(fields)` turns the list of fields into a text, and that text contains their kinds.
	/** The number with what follows it; undefined if the form has no field for it. */
	const typed = /num/.test(fields) ? value('number') || value('numberAddition') : /line/.test(fields) ? end : undefined;
	const [, number, rest = ''] = /^\W*(\d{1,5})(?!\d)(.*)$/.exec(typed) ?? [];
	const suffix = `${rest} ${value('letter') + value('addition')}`;
	const postcode = bare(value('postcode')).toUpperCase();
	// A number at the end of the street counts as part of its name, unless it is the house number.
	const street = number && typed === end ? begin : line;
	return {
		postcode, typed, number, suffix, street, city: value('city'),
		numberSuffix: bare(rest),
		isAbroad: fields.some(([field, kind]) => /^country/.test(kind) && field.value
			&& nameOf(field.value) !== 'nl' && nameOf(textOf(field)) !== 'nl'),
	};
};

/** The value of each kind of field for an address. If `fields` lack a kind, such as the addition, that part goes into another value. */
const valuesOf = (address, fields) => {
	const [longitude, latitude] = address.location?.coordinates ?? [];
	const number = SUFFIX.test(fields) ? address.number : numberOf(address);
	return {
		...address, longitude, latitude, number, numberAddition: numberOf(address), country: 'NL', 'country-name': 'Nederland',
		line: /num/.test(fields) ? address.street : `${address.street} ${number}`,
		addition: /letter/.test(fields) ? address.addition : suffixOf(address),
	};
};

/** Whether all fields agree with this address. With `isSpelledFreely`, street and city agree in any spelling, but not if they are empty. */
export const agrees = (fields, address, isSpelledFreely) => {
	const values = valuesOf(address, fields);
	const { typed, number, suffix, street } = entered(fields);
	return (typed === undefined || +number === address.number && hasSuffix(address, suffix))
		&& fields.every(([field, kind]) => isSpelledFreely && /street|line|city/.test(kind) && field.value
			|| same(field, values[kind]) || !/street|line|city|postcode|numberA/.test(kind) || /street|line/.test(kind) && spelled(street) === spelled(address.street));
};

const put = (field, value) => {
	let text = `${value ?? ''}`;
	if (field.options) {
		const isWanted = (name) => nameOf(name) === nameOf(text);
		const options = [...field.options];
		const option = options.find((each) => isWanted(each.value) || isWanted(each.text)) ?? options.find((each) => !each.value);
		text = (option ?? field).value;
		if (text === field.value) return;
	}
	// Use the prototype's setter, because frameworks put their own setter on the element.
	const write = (each) => Reflect.set(field.constructor.prototype, 'value', each, field);
	write(heldBy(field, text));
	// The pattern of a postcode may require a space.
	if (field.validity.patternMismatch) write(spaced(text));
	filled.set(field, text);
	typedInto.delete(field);
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
