// <postduif-address> 2.5.0: Dutch addresses in a form. Usage: src/http/README.md of postduif, "The address field for web forms".

import { createWidget, REACTIONS } from './widget.js';
import { watchForms } from './attach.js';

const NAME = 'postduif-address';

class PostduifAddress extends HTMLElement {
	static version = '2.5.0';
	static formAssociated = true;
	static observedAttributes = 'base lang mode label placeholder name required strict value api-key'.split(' ');
	#reactions = createWidget(this);

	static {
		REACTIONS.forEach((name, at) => {
			this.prototype[`${name}Callback`] = function react(...values) { this.#reactions[at](...values); };
		});
	}
}

if (!customElements.get(NAME)) {
	customElements.define(NAME, PostduifAddress);
	if (document.readyState === 'loading') addEventListener('DOMContentLoaded', watchForms);
	else watchForms();
}
