// The widget's texts. Each `#` stands for a value.

export const TEXTS = {
	nl: {
		input: 'Adres', postcode: 'Postcode', number: 'Huisnummer', addition: 'Toevoeging', street: 'Straat', city: 'Plaats',
		hint: 'Postcode en huisnummer, of straat en plaats', manual: 'Adres zelf invullen', busy: 'Zoeken…',
		one: '1 suggestie', many: '# suggesties', none: 'Geen adres gevonden.', next: 'Typ het huisnummer.', chosen: 'Gekozen: #',
		failed: 'Zoeken lukt nu niet.', refused: 'Adressen zoeken is hier niet beschikbaar.',
		limit: 'Even geduld: over # s zoeken we verder.', missing: 'Kies een adres of vul het zelf in.', strict: 'Kies een adres uit de lijst.',
		unconfirmed: 'Nog niet bevestigd.', choose: 'Kies de toevoeging.', units: '# toevoegingen', plain: 'zonder toevoeging',
		more: 'Nog # tonen', unknown: 'Toevoeging # is niet bekend bij nummer #.', meant: 'Bedoel je #?',
		form: 'Vul de postcode in als 1234 AB.', off: 'Adressen zoeken kan alleen in Nederland.',
		field_mismatch: 'Deze straat hoort niet bij deze postcode.', city_mismatch: 'Deze plaats hoort niet bij deze postcode.', number_not_found: 'Dit huisnummer is niet bekend.',
		postcode_not_found: 'Deze postcode bestaat niet.',
	},
	en: {
		input: 'Address', postcode: 'Postcode', number: 'House number', addition: 'Addition', street: 'Street', city: 'Town',
		hint: 'Postcode and number, or street and town', manual: 'Enter address by hand', busy: 'Searching…',
		one: '1 suggestion', many: '# suggestions', none: 'No address found.', next: 'Type the house number.', chosen: 'Chosen: #',
		failed: 'Search is not working right now.', refused: 'Address search is not available here.',
		limit: 'One moment: searching again in # s.', missing: 'Choose an address or enter it by hand.', strict: 'Choose an address from the list.',
		unconfirmed: 'Not confirmed yet.', choose: 'Choose the addition.', units: '# additions', plain: 'without addition',
		more: 'Show # more', unknown: 'Addition # is not known at number #.', meant: 'Do you mean #?',
		form: 'Enter the postcode as 1234 AB.', off: 'Address search covers the Netherlands only.',
		field_mismatch: 'This street is not in this postcode.', city_mismatch: 'This town is not in this postcode.', number_not_found: 'This house number is not known.',
		postcode_not_found: 'This postcode does not exist.',
	},
};
