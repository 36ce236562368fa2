// An address of the service, as people read and type it.

import { bare } from './text.js';

/** Letter and addition of an address. */
export const suffixOf = ({ letter, addition }) => (letter ?? '') + (addition ?? '');

/** Whether an address has this letter and addition, in any spelling. */
export const hasSuffix = (address, suffix) => bare(suffixOf(address)) === bare(suffix);

/** Number, letter and addition: 24-1, 64 bis. */
export const numberOf = (address) => `${address.number} ${suffixOf(address)}`.trim().replace(/(^\d+) (?=\d)/, '$1-');

export const labelOf = (address) => `${address.street} ${numberOf(address)}, ${address.postcode} ${address.city}`;

/** Keeps one address for each label. If several have the same label, such as units without an addition, keeps the last. */
export const uniqueByLabel = (addresses) => [...new Map(addresses.map((each) => [labelOf(each), each])).values()];

export const areInOneStreet = (addresses) => addresses.every((each) => each.street === addresses[0].street);
