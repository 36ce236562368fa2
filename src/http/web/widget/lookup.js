// The address of postcode and number, as the fields have them: confirmed, to be chosen from its additions, or corrected.

import { distinct, hasSuffix, labelOf, suffixOf } from './address.js';
import { agrees, empty, entered, fill, FOUND } from './fields.js';
import { bare, clean, spaced } from './text.js';

const POSTCODE = /^[1-9]\d{3}[A-Z]{2}$/;
const DEBOUNCE_MS = 300;
const PAGE = 50;

export const lookup = ({ fields, text, say, ask, later, safely, show, move, offer, propose, confirm }) => {
	/** The answer, if the fields still hold what it is about. */
	const askAbout = async (path, body) => {
		const now = () => JSON.stringify(entered(fields()));
		const before = now();
		const answer = await ask(path, check, body);
		return now() === before && answer;
	};

	const check = safely(async () => {
		const all = fields();
		const { postcode, number, suffix } = entered(all);
		offer();
		if (!POSTCODE.test(postcode) || !number) {
			empty(all, FOUND);
			return postcode[5] && !POSTCODE.test(postcode) && say(text('form'));
		}
		const answer = await askAbout(`addresses?${new URLSearchParams({ postcode, number })}`);
		if (!answer) return;
		const units = distinct(answer.data);
		const [unit, ...others] = units;
		const fits = units.filter((each) => hasSuffix(each, bare(suffix)));
		const found = fits[1] || (!bare(suffix) && others[0]) ? undefined : fits[0] ?? (!bare(suffix) && unit);
		if (!unit) empty(all, FOUND);
		if (!unit || found && !confirm(found)) return validate();
		if (found) return;
		const isShared = (name) => others.every((each) => each[name] === unit[name]);
		fill(all.filter(([, kind]) => /^(street|line|city)$/.test(kind) && isShared(kind.replace('line', 'street'))), unit);
		say(!fits[0] && bare(suffix) && text('unknown', clean(suffix), number), text('choose'));
		offer([...fits, ...units.filter((each) => !fits.includes(each))]);
	});

	/** Asks what is wrong, and proposes the address that was probably meant. */
	const validate = async () => {
		const { postcode, number, suffix, street, city } = entered(fields());
		const answer = await askAbout('validate', { postcode, number: number + suffix, street, city });
		if (!answer) return;
		const { valid, reason, corrections, suggestion, address } = answer.data;
		if (valid) return confirm(address, 'valid');
		const meant = suggestion ?? address;
		say(text(corrections.city && !corrections.street ? 'city_mismatch' : reason) || text('none'));
		if (meant) propose(text('meant', spaced(labelOf(meant))), () => confirm(meant, true));
	};

	/** Shows the additions that begin with what was typed, with a row for more. Returns how many they are. */
	const showUnits = (units, typed, upTo = PAGE) => {
		const fits = units.filter((unit) => bare(suffixOf(unit)).startsWith(bare(typed)));
		const streets = new Set(units.map(({ street }) => street));
		const options = fits.slice(0, upTo).map((unit) => ({
			name: suffixOf(unit) || text('plain'), detail: streets.size > 1 && unit.street, choose: () => confirm(unit, true),
		}));
		const more = () => {
			showUnits(units, typed, upTo + PAGE);
			move(upTo);
		};
		if (fits[upTo]) options.push({ name: text('more', fits.length - upTo), choose: more });
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
