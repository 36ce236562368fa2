// The address of postcode and number, as the fields have them: confirmed, to be chosen from its additions, or corrected.

import { uniqueByLabel, hasSuffix, labelOf, suffixOf } from './address.js';
import { agrees, entered, fill, DERIVED } from './fields.js';
import { bare, clean, spaced } from './text.js';

const POSTCODE = /^[1-9]\d{3}[A-Z]{2}$/;
const DEBOUNCE_MS = 300;
const PAGE = 50;

export const lookup = ({ fields, text, say, ask, later, safely, show, move, clearFilled, setUnits, showProposal, confirm }) => {
	const check = safely(async () => {
		const all = fields();
		const { postcode, number, suffix } = entered(all);
		setUnits();
		if (!POSTCODE.test(postcode) || !number) {
			clearFilled(DERIVED);
			return postcode[5] && !POSTCODE.test(postcode) && say('none');
		}
		const answer = await ask(`addresses?postcode=${postcode}&number=${number}`, check);
		if (!answer) return;
		const units = uniqueByLabel(answer.data);
		const [unit, ...others] = units;
		const fits = units.filter((each) => hasSuffix(each, suffix));
		const found = fits[1] || (!bare(suffix) && others[0]) ? undefined : fits[0] ?? (!bare(suffix) && unit);
		if (!unit) clearFilled(DERIVED);
		if (!unit || found && !confirm(found)) return validate();
		if (found) return;
		if (others.every(({ street }) => street === unit.street)) fill(all.filter(([, kind]) => /^(street|line|city)$/.test(kind)), unit);
		setUnits([...fits, ...units.filter((each) => !fits.includes(each))]);
		say(!fits[0] && bare(suffix) && ['unknown', clean(suffix), number], 'choose');
	});

	/** Asks what is wrong, and proposes the address that was probably meant. */
	const validate = async () => {
		const { postcode, number, suffix, street, city } = entered(fields());
		const answer = await ask('validate', check, { postcode, number: number + suffix, street, city });
		if (!answer) return;
		const { valid, corrections, suggestion, address } = answer.data;
		if (valid) return confirm(address, 'valid');
		const meant = suggestion ?? address;
		say(corrections.street ? 'mismatch' : corrections.city ? 'unconfirmed' : 'none');
		if (meant) showProposal(text('meant', spaced(labelOf(meant))), () => confirm(meant, true));
	};

	/** Shows the additions that begin with what was typed, with a row for more. Returns how many they are. */
	const showUnits = (units, typed, upTo = PAGE) => {
		const fits = units.filter((unit) => bare(suffixOf(unit)).startsWith(bare(typed)));
		const streets = new Set(units.map(({ street }) => street));
		const options = fits.slice(0, upTo).map((unit) => ({
			name: suffixOf(unit) || text('plain'), detail: streets.size > 1 && unit.street, onChoose: () => confirm(unit, true),
		}));
		const more = () => {
			showUnits(units, typed, upTo + PAGE);
			move(upTo);
		};
		if (fits[upTo]) options.push({ name: text('more', fits.length - upTo), onChoose: more });
		show(options, typed);
		return fits.length;
	};

	return {
		check, showUnits,
		/** Checks what the fields hold after a change, unless they still hold this address. Returns whether it will. */
		recheck: (address) => {
			if (address && agrees(fields(), address)) return false;
			later(check, DEBOUNCE_MS);
			return true;
		},
	};
};
