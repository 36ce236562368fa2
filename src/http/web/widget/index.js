// <postduif-address> 2.1.0: Dutch addresses in a form. Usage: src/http/README.md of postduif, "The address field for web forms".

import { createWidget } from './widget.js';
import { attachForms } from './attach.js';

const NAME = 'postduif-address';

class PostduifAddress extends HTMLElement {
	static version = '2.1.0';
	static formAssociated = true;
	static observedAttributes = ['label', 'lang', 'mode', 'placeholder', 'required', 'strict', 'name', 'value', 'api-key', 'base'];
	#reactions = createWidget(this);

	static {
		for (const name of 'connected disconnected attributeChanged formDisabled formReset formStateRestore'.split(' ')) {
			this.prototype[`${name}Callback`] = function react(...values) { this.#reactions[name](...values); };
		}
	}
}

if (!customElements.get(NAME)) {
	customElements.define(NAME, PostduifAddress);
	if (document.readyState === 'loading') addEventListener('DOMContentLoaded', attachForms);
	else attachForms();
}
