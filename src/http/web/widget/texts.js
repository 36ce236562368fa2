// The widget's texts, each in Dutch and English. Each `#` stands for a value. While a text that ends with `|!` is shown, the widget's own
// fields are invalid.

/** Labels of the fields by their ids. */
export const LABELS = {
	addition: 'Toevoeging|Addition',
	number: 'Huisnummer|House number',
	input: 'Adres|Address',
	city: 'Plaats|Town',
	street: 'Straat|Street',
	postcode: 'Postcode|Postcode',
};

export const PLAIN = 'zonder toevoeging|no addition';
export const UNKNOWN_ADDITION = 'Toevoeging # is niet bekend bij nummer #.|No # at number #.|!';
export const TYPE_NUMBER = 'Vul je huisnummer in.|Enter the number.';
export const NUMBER_ONLY = 'Vul alleen het huisnummer in, zonder letter of toevoeging.|Enter only the house number.';
export const BUSY = 'Zoeken…|Searching…';
export const HINT = 'Postcode en huisnummer, of straat en plaats|Postcode, street or town';
export const FAILED = 'Zoeken lukt nu niet.|Search is down.';
export const MISMATCH = 'Deze straat hoort niet bij deze postcode.|Wrong street.|!';
export const UNCONFIRMED = 'Nog niet bevestigd.|Not confirmed.';
export const CHOOSE_ADDITION = 'Kies de toevoeging.|Choose one.';
export const CHOSEN = 'Gekozen: #|Chosen: #';
export const FOUND = '# suggestie#|# suggestion#';
export const NONE = 'Geen adres gevonden.|No address found.|!';
export const MISSING = 'Kies een adres of vul het zelf in.|Enter an address.';
export const UNITS = '# toevoegingen|# additions';
export const OFF = 'Vul je adres zelf in.|Enter your address.';
export const MANUAL = 'Adres zelf invullen|Enter address by hand';
export const MORE = 'Nog # tonen|Show # more';
export const LIMIT = 'Wacht # s.|Wait # s.';
export const MEANT = 'Bedoel je #?|Do you mean #?';
