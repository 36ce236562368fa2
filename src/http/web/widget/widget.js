// One widget: its fields, the confirmed address, and the form's value and validity.

// The built file compresses best with the modules in this order.
import { STYLE } from './style.js';
import { make, spaced } from './text.js';
import { addSearch } from './search.js';
import { TEXTS } from './texts.js';
import { addService } from './service.js';
import { agrees, clearFields, entered, fieldsOf, fill, forgetEmptied, isByHand, isFilling, IDENTIFYING, SUFFIX } from './fields.js';
import { addLookup } from './lookup.js';
import { labelOf } from './address.js';
import { addList } from './list.js';

const DEBOUNCE_MS = 300;

export const createWidget = (host) => {
	const widget = {};
	const internals = host.attachInternals();
	const root = host.attachShadow({ mode: 'open', delegatesFocus: true });
	const label = make('label', 'label', { for: 'input' });
	const status = make('p', 'status', { id: 'status', 'aria-live': 'polite' });
	const input = make('input', 'input', {
		id: 'input', role: 'combobox', autocomplete: 'off',
		'aria-autocomplete': 'list', 'aria-controls': 'list', 'aria-describedby': 'status',
	});
	const list = make('ul', 'list', { id: 'list', role: 'listbox' });
	const labelled = make('div', 'field');
	const proposal = make('button', 'proposal');
	const button = make('button', 'manual');
	/** The fields of mode `postcode`, each with its kind. */
	let drawn = [];
	let address = null;
	/** The additions to choose from. */
	let units;
	/** `isManual`: entered by hand, which satisfies `required`. `isFailed`: the service failed, which satisfies `strict` too. */
	let isManual, isFailed;
	/** Whether a change in the form's fields is looked up. In mode `search` only after a choice from the list. */
	let isChecked;
	let isOn = true;
	/** What the fields held at the last check. */
	let checkedContent;
	const fieldContent = () => JSON.stringify(entered(widget.fields()));
	let isSearch, isAttach, custom, page;

	const has = (name) => host.hasAttribute(name);
	const get = (name, otherwise = '') => host.getAttribute(name) ?? otherwise;
	widget.phrase = (name, ...values) => {
		const both = (TEXTS[name] ?? '|').split('|');
		return both[+host.matches(':lang(en)')].replace(/#/g, () => values.shift());
	};
	/** Shows texts as the status. Each is given by its name, or by a list of its name and values. */
	widget.say = (...names) => { status.textContent = names.map((name) => widget.phrase(...[name].flat())).join(' ').trim(); };
	widget.emit = (name, detail) =>
		host.dispatchEvent(new CustomEvent(`postduif-${name}`, { detail, bubbles: true, composed: true }));
	const formFields = () => fieldsOf(host, internals.form, drawn[0]);
	widget.fields = () => [...drawn, ...formFields()];

	/** Updates form value, validity and `data-state`. */
	const publishState = () => {
		// While an address is confirmed, the old content is kept, so that a change of the fields is noticed.
		if (!address) checkedContent = fieldContent();
		const name = get('name');
		const data = new FormData();
		data.set(name, address?.id ?? '');
		for (const [{ value }, kind] of isSearch ? [[input, 'text']] : drawn) data.set(`${name}_${kind}`, value);
		const kept = [isManual, address?.id, input.value, ...drawn.map(([{ value }]) => value)];
		internals.setFormValue(name && data, JSON.stringify(kept));
		for (const [field, kind] of drawn) field.readOnly = isOn && !isManual && /street|city/.test(kind);
		// Fields that were filled in by hand count as an address too.
		const isElsewhere = isSearch && formFields().some(([field]) => !field.options && field.value && isByHand(field));
		const missing = !address && !isFailed && isOn && (has('strict') ? 'unconfirmed'
			: has('required') && !isManual && !isElsewhere && 'missing');
		const { postcode, number } = entered(widget.fields());
		const isBegun = isSearch ? input.value : postcode || number;
		const state = !isOn ? 'off' : address ? 'confirmed' : isManual ? 'manual' : units ? 'choose' : isBegun ? 'unconfirmed' : 'empty';
		button.hidden = !isOn || isAttach && !missing && !custom && /^[ce][om]/.test(state);
		internals.setValidity({ customError: custom, valueMissing: missing }, custom || widget.phrase(missing),
			isAttach ? button : drawn[0]?.[0] ?? input);
		if (host.dataset.state !== state) widget.emit('state', { state: host.dataset.state = state });
	};

	const enableManualEntry = () => {
		for (const each of (internals.form ?? page).querySelectorAll('[data-postduif-fields]')) each.hidden = false;
		isManual = true;
		publishState();
	};

	widget.enterByHand = () => {
		widget.stop();
		widget.showProposal();
		widget.open(false);
		revoke();
		widget.say();
		enableManualEntry();
		widget.emit('manual');
		const isFirst = ([each, kind]) => each.checkVisibility() && !each.disabled && (isSearch || /street|line/.test(kind));
		widget.fields().find(isFirst)?.[0].focus();
	};

	/** Empties the fields of these kinds that the widget filled. */
	widget.clearFilled = (kinds) => {
		clearFields(widget.fields(), kinds);
		publishState();
	};

	widget.showProposal = (words = '', choose) => {
		proposal.textContent = words;
		proposal.onclick = choose;
	};

	/** Lets people choose from these additions. Without an argument, ends the choice. */
	widget.setUnits = (among) => {
		units = among;
		widget.showProposal();
		if (isAttach) {
			labelled.hidden = !among;
			input.value = '';
		}
		if (!among) widget.open(false);
		else if (isSearch) widget.enter(among);
		else widget.showUnits(among, input.value);
		publishState();
	};

	/**
	 * Confirms an address if people chose it (`true`), if the service accepts its spelling (`valid`), or if it matches all fields.
	 * Returns whether it is confirmed.
	 */
	widget.confirm = (found, how, suggestion = null) => {
		updateCountry();
		if (!isOn) return true;
		fill(widget.fields(), found, /^(?!id|l.+itude)/, how === true);
		if (!agrees(widget.fields(), found, how === 'valid')) {
			widget.say('unconfirmed');
			// The widget's own filling does not count as a change.
			publishState();
			return false;
		}
		fill(widget.fields(), found, IDENTIFYING, true);
		isFailed = false;
		const isLeft = isAttach && root.activeElement;
		widget.setUnits();
		if (isLeft) formFields().find(([, kind]) => kind === 'number')?.[0].focus();
		if (isSearch && !suggestion) widget.writeSearch(labelOf(found));
		address = found;
		checkedContent = fieldContent();
		publishState();
		widget.say(['chosen', spaced(labelOf(found))]);
		widget.emit('select', { address, suggestion });
		return true;
	};

	/** Revokes the confirmed address. */
	const revoke = () => {
		if (!address) return;
		address = null;
		widget.clearFilled(IDENTIFYING);
		widget.emit('clear');
	};

	/** Checks the fields at each event of the page, because scripts change fields without an event. */
	const onPageEvent = ({ target, type, formData }) => {
		const isChanged = checkedContent !== fieldContent();
		// Wait for the next event: a changed layout could move the button that is being pressed.
		if (isFilling || isChanged && address && type === 'focusin') return;
		const all = widget.fields();
		if (formData) {
			// The data were collected before this event, and its listeners cannot read the form. So the rest happens after the event.
			if (address && !agrees(all, address)) {
				formData.forEach((value, name) => value === address.id && formData.set(name, ''));
				setTimeout(onPageEvent, 0, formData);
			}
			return;
		}
		if (isChanged) {
			widget.stop();
			widget.showProposal();
			updateCountry();
			isChecked ||= address;
			if (all.some(([field, kind]) => field === target && /^(postcode|number)$/.test(kind))) {
				// The chosen addition belongs to the number before the change.
				clearFields(all, SUFFIX);
				forgetEmptied(all);
			}
			if (isOn && isChecked && !(address && agrees(all, address))) {
				widget.say(address && 'unconfirmed');
				widget.later(widget.check, DEBOUNCE_MS);
				revoke();
			}
		}
		publishState();
	};

	/** Turns the widget off while the form's country is not the Netherlands. */
	const updateCountry = () => {
		if (isOn !== entered(widget.fields()).isAbroad) return;
		isOn = !isOn;
		widget.stop();
		widget.setUnits();
		revoke();
		if (!isOn) enableManualEntry();
		isManual = false;
		widget.say(isOn ? isSearch && 'hint' : 'off');
		if (isSearch) label.hidden = input.hidden = !isOn;
		publishState();
	};

	widget.showBusy = () => {
		widget.say('busy');
		widget.open(isSearch);
	};

	widget.giveUp = () => {
		isFailed = true;
		enableManualEntry();
		widget.say('failed', 'manual');
		widget.show([]);
	};

	/** After an edit of the search text: empties the fields that the widget filled, and revokes the address. */
	widget.edit = () => {
		isChecked = false;
		units = undefined;
		widget.clearFilled();
		revoke();
	};

	widget.onEscape = () => isSearch && input.value && !clear();

	addService(widget, host);
	addList(widget, input, list);
	addLookup(widget);
	addSearch(widget, host, input);

	const write = (words) => {
		revoke();
		isManual = isFailed = units = undefined;
		widget.say();
		isChecked = !isSearch;
		if (!isChecked) widget.writeSearch(words ?? '');
		else if (words !== undefined) {
			const read = /\b(?<postcode>\d{4} ?[a-z]{2})\W+(?<number>\d.*)/i.exec(words);
			for (const [each, kind] of drawn) each.value = read?.groups[kind] ?? '';
		}
		publishState();
		// A reset of the form may reach the other fields later.
		if (isChecked && isOn) widget.later(() => {
			forgetEmptied(widget.fields());
			widget.check();
		});
	};

	const clear = () => {
		widget.clearFilled();
		if (!address) widget.emit('clear');
		write('');
	};

	/** Makes the widget's own fields, in mode `postcode`. */
	const fieldsOfKinds = (...kinds) => kinds.map((kind) => {
		const field = make('input', 'input', { id: kind, autocomplete: kind === 'postcode' ? 'postal-code' : '', 'aria-describedby': 'status' });
		drawn.push([field, kind]);
		return make('div', 'field', {}, make('label', 'label', { for: kind }), field);
	});

	/** Builds the fields of the mode. */
	const build = () => {
		const mode = get('mode');
		const own = mode === 'postcode' ? fieldsOfKinds : () => [];
		isAttach = mode === 'attach';
		isSearch = !/^(attach|postcode)$/.test(mode);
		drawn = [];
		input.type = isSearch ? 'search' : 'text';
		labelled.append(label, input, list);
		labelled.hidden = isAttach;
		// The status is above the list, which opens over what follows.
		const entry = isSearch ? [label, status, input, list] : [status, make('section', '', {}, ...own('postcode', 'number'), labelled)];
		root.replaceChildren(...entry, proposal, make('section', '', {}, ...own('street', 'city')), button);
		if (drawn[0]) drawn.push([input, 'addition']);
		for (const [mine, kind] of drawn) mine.value ||= formFields().find(([, each]) => each === kind)?.[0].value ?? '';
	};

	const draw = (name) => {
		button.textContent = widget.phrase('manual');
		if (name === 'mode') {
			build();
			write(get('value') || undefined);
		}
		for (const each of root.querySelectorAll('label')) each.textContent = widget.phrase(each.htmlFor);
		label.textContent = list.ariaLabel = isSearch ? get('label', widget.phrase('input')) : widget.phrase('addition');
		input.placeholder = get('placeholder');
		input.required = isSearch && has('required');
		if (/api-key|base/.test(name)) widget.forget();
		if (host.dataset.state === 'empty') widget.say(isSearch && 'hint');
		publishState();
	};

	input.oninput = () => {
		if (isSearch) widget.change();
		else if (units && !isFilling) widget.showUnits(units, input.value);
	};
	root.addEventListener('input', onPageEvent);
	input.onfocus = () => { if (units && !isSearch) widget.showUnits(units, ''); };
	input.onblur = () => {
		widget.open(false);
		if (host.dataset.state === 'unconfirmed' && isSearch) widget.say('unconfirmed');
	};
	button.onclick = widget.enterByHand;
	root.adoptedStyleSheets = [STYLE];

	const shown = {
		get address() { return address; },
		get state() { return host.dataset.state; },
		get value() { return input.value; },
		set value(words) { if (words !== input.value) write(words); },
		setCustomValidity: (words) => {
			custom = words;
			publishState();
		},
		clear,
	};
	Object.defineProperties(host, Object.getOwnPropertyDescriptors(shown));
	for (const name of 'form validity validationMessage checkValidity reportValidity'.split(' ')) {
		Object.defineProperty(host, name, { get: () => internals[name]?.bind?.(internals) ?? internals[name] });
	}

	const listen = (how) => {
		for (const type of 'input change focusin click submit formdata'.split(' ')) page[how](type, onPageEvent, /cl|su/.test(type));
	};

	return {
		connected: () => {
			draw(!page && 'mode');
			page = host.getRootNode();
			listen('addEventListener');
			// Wait, because the rest of the page may not be parsed yet.
			setTimeout(() => {
				updateCountry();
				if (!address) widget.clearFilled(IDENTIFYING);
				if (isAttach && !formFields()[0]) console.warn('no field', host);
			});
		},
		disconnected: () => {
			widget.stop();
			listen('removeEventListener');
		},
		attributeChanged: (name, before, after) => {
			if (before === after || !page) return;
			if (name === 'value') write(after ?? '');
			draw(name);
		},
		formDisabled: (isDisabled) => {
			for (const each of root.querySelectorAll('*')) each.disabled = isDisabled;
		},
		formReset: () => {
			widget.clearFilled();
			write(get('value'));
		},
		/** Restores the content after going back in the browser's history, and requests the address again. */
		formStateRestore: (kept) => setTimeout(() => {
			const [wasManual, id, label, ...values] = JSON.parse(kept);
			write(isSearch ? label : undefined);
			drawn.forEach(([each], at) => { each.value = values[at]; });
			if (wasManual) enableManualEntry();
			if (id && isSearch) widget.fetchAddress({ id });
		}),
	};
};
