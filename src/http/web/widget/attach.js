// Forms that ask for a widget by an attribute: `<form data-postduif-form="KEY">`.

import { fieldsOf } from './fields.js';
import { make } from './text.js';

/**
 * Adds a widget to each form with `data-postduif-form` that has none for the same section, after its last field for postcode, number or addition, or after the outermost
 * element that holds only this field. The other `data-postduif-…` attributes of the form become attributes of the widget.
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
		const field = fieldsOf(added, form).findLast(([, kind]) => /^(postcode|number|letter|addition)/.test(kind))?.[0];
		let place = field;
		// An element that holds only this field may also hold its label.
		const holdsOneField = (around) => around.matches('form :not(td,tr,table,ul,ol,fieldset)')
			&& !around.querySelectorAll('input,select,textarea,button')[1]
			&& !/flex|grid/.test(getComputedStyle(around.parentElement).display);
		while (place && holdsOneField(place.parentElement)) place = place.parentElement;
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
