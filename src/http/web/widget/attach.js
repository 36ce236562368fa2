// Forms that ask for a widget by an attribute: `<form data-postduif-form="KEY">`.

import { fieldsOf } from './fields.js';
import { make } from './text.js';

const CONTROLS = 'input,select,textarea,button';

/**
 * Adds a widget to each form with `data-postduif-form` that has none for the same section, below its last field for postcode, number or
 * addition, and below what holds only such fields. The other `data-postduif-…` attributes of the form become attributes of the widget.
 */
const attachForms = () => {
	for (const form of document.querySelectorAll('form[data-postduif-form]')) {
		const section = form.getAttribute('data-postduif-section');
		if ([...form.querySelectorAll('postduif-address')].some((each) => each.getAttribute('section') === section)) continue;
		const added = make('postduif-address', '', { mode: 'attach' });
		for (const { name, value } of form.attributes) {
			const setting = name.split(/^data-postduif-/)[1]?.replace(/^form$/, 'api-key');
			if (setting) added.setAttribute(setting, value);
		}
		const known = fieldsOf(added, form).filter(([, kind]) => /^(postcode|number|letter|addition)/.test(kind)).map(([field]) => field);
		let place = known.at(-1);
		/** Whether the widget is placed after this element, not in it: all its controls are these fields, or it is a row that does not wrap. */
		const isBefore = (around) => {
			const { display, flexFlow } = getComputedStyle(around);
			return around.matches('form :not(td,tr,table,ul,ol,fieldset)')
				&& (/flexrow\S*( nowrap)?$/.test(display + flexFlow)
					|| [...around.querySelectorAll(CONTROLS)].every((each) => known.includes(each)));
		};
		while (place && isBefore(place.parentElement)) place = place.parentElement;
		// Two floated fields are a row.
		const next = place?.nextElementSibling;
		if (next && getComputedStyle(next).float === 'right' && !next.querySelectorAll(CONTROLS)[1]) place = next;
		// The whole width of a grid, or of a row that wraps.
		added.style.cssText = 'flex:initial;grid-column:1/-1;width:100%';
		// A field can belong to a form without being inside it. The widget must be inside, so it then goes to the end of the form.
		if (form.contains(place)) place.after(added);
		else form.append(added);
	}
};

/** Attaches to the forms of the page, and to those that scripts add later. */
export const watchForms = () => {
	attachForms();
	new MutationObserver(attachForms).observe(document, { childList: true, subtree: true });
};
