// Looks up the postcode and number in the fields. Confirms the address, lets people choose an addition, or proposes a correction.

import { areInOneStreet, hasSuffix, labelOf, suffixOf, uniqueByLabel } from './address.js';
import { entered, fill, isByHand, DERIVED } from './fields.js';
import { bare, clean, spaced } from './text.js';
import { CHOOSE_ADDITION, MEANT, MORE, NONE, NUMBER_ONLY, PLAIN, TYPE_NUMBER, UNCONFIRMED, UNITS, UNKNOWN_ADDITION, WRONG_CITY, WRONG_NUMBER, WRONG_POSTCODE, WRONG_STREET } from './texts.js';

const POSTCODE = /^[1-9]\d{3}[A-Z]{2}$/;
const PAGE = 50;

/** The units with an addition that begins with the typed text. */
const beginning = (units, typed) => units.filter((unit) => bare(suffixOf(unit)).startsWith(bare(typed)));

/** Lets a widget look up what its fields hold. */
export const addLookup = (widget) => {
	/**
	 * Empties the filled street and town if they belong to another postcode, unless the street was replaced already. Keeps a line that has the
	 * number too.
	 */
	widget.clearStaleNames = () => {
		const stale = /num/.test(widget.fields()) ? DERIVED : /^(city|mun|prov)/;
		const isReplaced = ([field, kind]) => /street|line/.test(kind) && field.value && isByHand(field);
		if (entered(widget.fields()).postcode !== widget.knownPostcode && !widget.fields().some(isReplaced)) widget.clearFilled(stale);
	};

	widget.check = widget.safely(async () => {
		const { postcode, number, suffix } = entered(widget.fields());
		const isPostcode = POSTCODE.test(postcode);
		widget.setUnits(null, true);
		// In Firefox and Safari, the value of a number input is empty if it holds `64 bis`.
		const hasBadInput = widget.fields().some(([field]) => field.validity?.badInput);
		if (!isPostcode || !number) {
			widget.showProposal();
			return widget.say(postcode[5] && (!isPostcode ? WRONG_POSTCODE : hasBadInput ? NUMBER_ONLY : TYPE_NUMBER));
		}
		widget.clearStaleNames();
		const answer = await widget.ask(`addresses?postcode=${postcode}&number=${number}`);
		if (!answer) return;
		widget.knownPostcode = postcode;
		const units = uniqueByLabel(answer.data);
		const fits = bare(suffix) ? units.filter((each) => hasSuffix(each, suffix)) : units;
		const [unit] = units;
		const found = !fits[1] && fits[0];
		// Another addition may begin with the typed one, as 70 begins with 7. Then the list of additions stays open.
		if (!unit || found && !widget.confirm(found, beginning(units, suffix)[1] && units)) return validate(found);
		if (found) return;
		if (areInOneStreet(units)) fill(widget.fields(), unit, /street|line|city/);
		widget.setUnits(units);
		widget.say(!fits[0] && [UNKNOWN_ADDITION, clean(suffix), number], ...units[1] ? [CHOOSE_ADDITION, [UNITS, units.length]] : []);
	});

	/**
	 * Asks the service what is wrong, and proposes the address that was probably meant. `found` is the only unit that fits the
	 * postcode, the number and the typed addition, but not the other fields.
	 */
	const validate = async (found) => {
		// Ignore street and town that the widget filled in: they belong to the previous address.
		const fields = widget.fields().filter(([field, kind]) => isByHand(field) || !/street|city/.test(kind));
		const { postcode, number, suffix, street, city } = entered(fields);
		const answer = await widget.ask('validate', { postcode, number: number + suffix, street, city });
		if (!answer) return;
		const { valid, reason, corrections, suggestion, address } = answer.data;
		if (valid && widget.confirm(address, 'valid')) return;
		const meant = suggestion ?? address;
		widget.say(corrections.street ? WRONG_STREET : corrections.city ? WRONG_CITY : valid ? UNCONFIRMED
			: reason === 'number_not_found' ? WRONG_NUMBER : found ? WRONG_STREET : NONE);
		widget.showProposal(meant && widget.phrase(MEANT, spaced(labelOf(meant))), () => widget.confirm(meant, true));
	};

	/** The only unit with exactly the typed addition. */
	widget.exactUnit = (units, typed) => {
		const [exact, other] = bare(typed) ? units.filter((unit) => hasSuffix(unit, typed)) : [];
		return other ? undefined : exact;
	};

	/**
	 * Shows the additions that begin with the typed text, up to `PAGE` after index `from`, and a row that shows more of them. Returns how
	 * many additions begin with the text.
	 */
	widget.showUnits = (units, typed, from) => {
		const end = PAGE + (from ?? 0);
		const fits = beginning(units, typed);
		const isOneStreet = areInOneStreet(units);
		const options = fits.slice(0, end).map((unit) => ({
			name: suffixOf(unit) || widget.phrase(PLAIN), detail: !isOneStreet && unit.street, onChoose: () => widget.confirm(unit, true),
		}));
		if (fits[end]) options.push({ name: widget.phrase(MORE, fits.length - end), onChoose: () => widget.showUnits(units, typed, end) });
		widget.show(options, typed, from ?? fits.indexOf(widget.exactUnit(fits, typed)));
		return fits.length;
	};
};
