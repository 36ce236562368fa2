// An address of the service, as people read and type it.

import { bare } from './text.js';

/** Letter and addition. */
export const suffixOf = ({ letter, addition }) => (letter ?? '') + (addition ?? '');

/** Whether it has this letter and addition, in any spelling. */
export const hasSuffix = (address, suffix) => bare(suffixOf(address)) === bare(suffix);

/** Number, letter and addition. */
export const numberOf = (address) => {
	const suffix = suffixOf(address);
	return `${address.number}${suffix && (/^\d/.test(suffix) ? '-' : ' ')}${suffix}`;
};

export const lineOf = (address) => `${address.street} ${numberOf(address)}`;
export const labelOf = (address) => `${lineOf(address)}, ${address.postcode} ${address.city}`;

/** Addresses with different labels: of equal ones, such as two units without an addition, the last. */
export const uniqueByLabel = (addresses) => [...new Map(addresses.map((each) => [labelOf(each), each])).values()];
