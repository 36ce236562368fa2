// The widget's texts, each in Dutch and English. Each `#` stands for a value. While a text that ends with `|!` is shown, the widget's own
// fields are invalid.

/** Labels of the fields by their ids. */
export const LABELS = {
	addition: 'Toevoeging (optioneel)|Addition (optional)',
	// In mode `attach`, beside the form's own field for the addition.
	units: 'Kies je toevoeging|Choose your addition',
	number: 'Huisnummer|House number',
	input: 'Adres|Address',
	city: 'Plaats|Town',
	street: 'Straat|Street',
	postcode: 'Postcode|Postcode',
};

export const PLAIN = 'zonder toevoeging|no addition';
export const UNKNOWN_ADDITION = 'Toevoeging # is niet bekend bij nummer #.|Addition # is not known at number #.|!';
export const TYPE_NUMBER = 'Vul je huisnummer in.|Enter your house number.';
export const NUMBER_ONLY = 'Vul alleen het huisnummer in, zonder letter of toevoeging.|Enter only the house number.';
export const BUSY = 'Zoeken…|Searching…';
export const HINT = 'Postcode en huisnummer, of straat en plaats|Postcode, street or town';
export const FAILED = 'Adressen zoeken lukt nu even niet.|Address search is not available.';
export const WRONG_STREET = 'Deze straat hoort niet bij deze postcode.|This street is not at this postcode.|!';
export const WRONG_CITY = 'Deze plaats hoort niet bij deze postcode.|This town is not at this postcode.|!';
export const WRONG_POSTCODE = 'Een postcode heeft vier cijfers en twee letters.|A postcode has four digits and two letters.|!';
export const WRONG_NUMBER = 'Dit huisnummer kennen we niet bij deze postcode.|This number is not at this postcode.|!';
export const UNCONFIRMED = 'Dit adres is nog niet gecontroleerd.|This address is not checked yet.';
export const CHOOSE_ADDITION = 'Kies je toevoeging.|Choose your addition.';
export const CHOSEN = 'Gekozen: #|Chosen: #';
export const FOUND = '# suggestie#|# suggestion#';
export const NONE = 'Geen adres gevonden.|No address found.|!';
export const MISSING = 'Kies een adres of vul het zelf in.|Choose an address or enter it by hand.';
export const UNITS = '# toevoegingen|# additions';
export const OFF = 'Vul je adres zelf in.|Enter your address.';
export const MANUAL = 'Adres zelf invullen|Enter address by hand';
export const MORE = 'Nog # tonen|Show # more';
export const LIMIT = 'Even geduld, over # sec. zoeken we verder.|Searching again in # s.';
export const MEANT = 'Bedoel je #?|Do you mean #?';
