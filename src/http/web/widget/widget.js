// One widget: its fields, what is confirmed, and what its form learns of it.

import { labelOf } from './address.js';
import { agrees, empty, entered, fieldsOf, fill, isByHand, isDutch, isFilling, SUFFIX } from './fields.js';
import { combobox } from './list.js';
import { lookup } from './lookup.js';
import { search } from './search.js';
import { connect } from './service.js';
import { STYLE } from './style.js';
import { make, spaced } from './text.js';
import { TEXTS } from './texts.js';

export const widget = (host) => {
	const internals = host.attachInternals();
	const root = host.attachShadow({ mode: 'open', delegatesFocus: true });
	const label = make('label', { for: 'input', part: 'label' });
	const status = make('p', { id: 'status', part: 'status', 'aria-live': 'polite' });
	const input = make('input', {
		id: 'input', part: 'input', role: 'combobox', autocomplete: 'off', spellcheck: false,
		'aria-autocomplete': 'list', 'aria-controls': 'list', 'aria-describedby': 'status',
	});
	const list = make('ul', { id: 'list', part: 'list', role: 'listbox' });
	const box = make('div', {}, input, list);
	const proposal = make('button', { part: 'proposal', type: 'button', hidden: '' });
	const button = make('button', { part: 'manual', type: 'button' });
	/** The fields of mode `postcode`, by kind. */
	let own = {};
	let address = null;
	/** The additions to choose from. */
	let units;
	/** Set for entry by hand and after a failure: nothing is required. */
	let isFree, isFailed;
	/** Whether the form's fields are checked: always but in mode `search`, where a choice from the list comes first. */
	let isChecked;
	let isOn = true;
	/** What the fields held when it was last dealt with. */
	let seen;
	let mode, state, custom, page;

	const get = (name, otherwise = '') => host.getAttribute(name) ?? otherwise;
	const text = (name, ...values) => {
		const { lang } = host.closest('[lang]') ?? document.documentElement;
		return TEXTS[name]?.[+/^en/i.test(lang)].replace(/#/g, () => values.shift()) ?? '';
	};
	const say = (...words) => { status.textContent = words.filter(Boolean).join(' '); };
	const emit = (name, detail) =>
		host.dispatchEvent(new CustomEvent(`postduif-${name}`, { detail, bubbles: true, composed: true }));
	const formFields = () => fieldsOf(host, internals.form, mode === 'postcode');
	const fields = () => [...Object.keys(own).map((kind) => [own[kind], kind]), ...formFields()];

	const stateNow = () => {
		const { postcode, number } = entered(fields());
		const isBegun = mode === 'search' ? input.value : postcode || number;
		return !isOn ? 'off' : address ? 'confirmed' : isFree ? 'manual' : units ? 'choose' : isBegun ? 'unconfirmed' : 'empty';
	};

	/** Passes on what is confirmed, to the form, its validity and the page. */
	const settle = (confirmed = address) => {
		address = confirmed;
		seen = JSON.stringify(entered(fields()));
		const name = get('name');
		const data = new FormData();
		if (name) data.set(name, address?.id ?? '');
		if (name && mode === 'search') data.set(`${name}_text`, input.value);
		for (const kind in own) if (name) data.set(`${name}_${kind}`, own[kind].value);
		const words = own.postcode ? `${own.postcode.value} ${own.number.value} ${input.value}` : input.value;
		internals.setFormValue(data, `${address?.id ?? ''} ${words}`);
		const isDone = address || isFailed || !isOn;
		const isElsewhere = () => formFields().some(([field, kind]) => isByHand(field) && (mode === 'search' ? !field.options : /^(street|line)$/.test(kind)));
		const missing = !isDone && (host.hasAttribute('strict') ? 'strict'
			: host.hasAttribute('required') && !isFree && !isElsewhere() && 'missing');
		state = stateNow();
		button.hidden = !isOn || mode === 'attach' && !missing && /^[ce][om]/.test(state);
		internals.setValidity({ customError: !!custom, valueMissing: !!missing }, custom || text(missing),
			mode === 'attach' ? button : own.postcode ?? input);
		if (host.dataset.state !== state) emit('state', { state: host.dataset.state = state });
	};

	const uncover = () => {
		for (const each of (internals.form ?? host.getRootNode()).querySelectorAll('[data-postduif-fields]')) each.hidden = false;
		for (const kind of ['street', 'city']) if (own[kind]) own[kind].readOnly = false;
		isFree = true;
		settle();
	};

	const manual = () => {
		stop();
		propose();
		open(false);
		uncover();
		emit('manual');
		const all = fields();
		const [field] = all.find(([each, kind]) => each.checkVisibility() && !each.disabled && (mode === 'search' || /^(street|line)$/.test(kind))) ?? [];
		field?.focus();
	};

	/** Empties the fields of these kinds that the widget filled. */
	const drop = (kinds) => {
		empty(fields(), kinds);
		settle();
	};

	const propose = (words = '', take) => {
		proposal.textContent = words;
		proposal.hidden = !words;
		proposal.onclick = take;
	};

	/** Lets people choose from these additions; without any, there is nothing to choose. */
	const offer = (among) => {
		units = among;
		propose();
		if (mode === 'attach') box.parentNode.hidden = !among;
		if (mode === 'attach') input.value = '';
		if (!among) open(false);
		else if (mode === 'search') finder.enter(`${among[0].street} ${among[0].number}`, among);
		else checker.showUnits(among, input.value);
		settle();
	};

	/**
	 * Takes an address: one that people chose (`true`), one that the service finds right as it is spelled (`valid`), or one that
	 * agrees with all that is in the fields. Returns whether it was taken.
	 */
	const confirm = (found, how, suggestion = null) => {
		fill(fields(), found, how === true);
		if (how !== 'valid' && !agrees(fields(), found)) {
			say(text('unconfirmed'));
			return false;
		}
		isFailed = false;
		const isLeft = mode === 'attach' && root.activeElement === input;
		offer();
		if (isLeft) fields().find(([, kind]) => kind === 'number')?.[0].focus();
		if (mode === 'search' && !suggestion) finder.write(labelOf(found));
		settle(found);
		say(text('chosen', spaced(suggestion?.label ?? labelOf(found))));
		emit('select', { address, suggestion });
		return true;
	};

	/** Nothing is confirmed any more. */
	const revoke = () => {
		if (!address) return;
		address = null;
		drop(/^(id|l.+itude)$/);
		emit('clear');
	};

	/** Follows a change in one of the fields. */
	const follow = ({ target }) => {
		const all = fields();
		const [, kind] = all.find(([field]) => field === target) ?? [];
		if (isFilling() || !kind || seen === JSON.stringify(entered(all))) return;
		turn();
		isChecked ||= address;
		// An addition that was chosen belongs to its number.
		if (/^(postcode|number)$/.test(kind)) empty(all.filter(([field]) => field !== target), SUFFIX);
		if (isOn && isChecked && checker.recheck(address)) {
			say(address && text('unconfirmed'));
			revoke();
		}
		settle();
	};

	/** Off while the form's country is another one. */
	const turn = () => {
		if (isOn === (isOn = isDutch(fields()))) return;
		stop();
		offer();
		revoke();
		isFree = false;
		if (!isOn) uncover();
		say(text(isOn ? 'hint' : 'off'));
		if (mode === 'search') label.hidden = box.hidden = !isOn;
		settle();
	};

	const { ask, stop, safely, later, forget } = connect(host, emit, () => {
		say(text('busy'));
		if (mode === 'search') open(true);
	}, (kind, seconds) => {
		if (seconds) {
			say(text('limit', seconds));
			return open(true);
		}
		isFailed = true;
		uncover();
		say(text(kind === 'refused' ? kind : 'failed'), text('manual'));
		show([]);
	});
	const last = { choose: manual };
	const { show, open, move, press } = combobox(input, list, last);
	const shared = { input, get, text, say, ask, later, stop, safely, show, open, move, fields, drop, offer, propose, confirm };
	const checker = lookup(shared);
	const finder = search({
		...shared, showUnits: checker.showUnits, isOn: () => isOn,
		/** The text of the field was changed: what it filled in goes. */
		edit: () => {
			isFailed = isChecked = false;
			units = undefined;
			drop();
			revoke();
		},
	});

	const write = (words) => {
		isFree = isFailed = units = undefined;
		isChecked = mode !== 'search';
		for (const kind of ['street', 'city']) if (own[kind]) own[kind].readOnly = true;
		if (!isChecked) finder.write(words ?? '');
		else if (own.postcode && words !== undefined) {
			const [, postcode = '', number = ''] = /\b(\d{4} ?[a-z]{2})\W+(\d.*)/i.exec(words) ?? [];
			for (const kind in own) own[kind].value = { postcode, number }[kind] ?? '';
		}
		settle(null);
		if (isChecked && isOn) checker.check();
	};

	const clear = () => {
		drop();
		write('');
		emit('clear');
	};

	const field = (kind, attributes) => {
		own[kind] = make('input', { id: kind, part: 'input', 'aria-describedby': 'status', ...attributes });
		return make('div', { part: 'field' }, make('label', { for: kind, part: 'label' }), own[kind]);
	};

	/** Builds the fields of the mode. */
	const build = () => {
		mode = { postcode: 'postcode', attach: 'attach' }[get('mode')] ?? 'search';
		own = {};
		input.type = mode === 'search' ? 'search' : 'text';
		const labelled = make('div', { part: 'field' }, label, box);
		const rest = [status, proposal, button];
		if (mode === 'search') return root.replaceChildren(label, status, box, proposal, button);
		if (mode === 'attach') return root.replaceChildren(labelled, ...rest);
		const typed = [field('postcode', { autocomplete: 'postal-code', maxlength: 10 }), field('number', { maxlength: 20 })];
		own.addition = input;
		root.replaceChildren(make('section', {}, ...typed, labelled), ...rest.slice(0, 2),
			make('section', {}, field('street', { readonly: '' }), field('city', { readonly: '' })), button);
		for (const [mine, kind] of formFields()) if (own[kind]) own[kind].value ||= mine.value;
	};

	const draw = (name) => {
		last.name = button.textContent = text('manual');
		if (!mode || name === 'mode') {
			build();
			write(get('value') || undefined);
		}
		for (const each of root.querySelectorAll('label')) each.textContent = text(each.htmlFor);
		label.textContent = list.ariaLabel = mode === 'search' ? get('label', text('input')) : text('addition');
		input.placeholder = get('placeholder');
		input.required = mode === 'search' && host.hasAttribute('required');
		if (/api-key|base/.test(name)) forget();
		if (state === 'empty') say(mode === 'search' && text('hint'));
		settle();
	};

	input.onkeydown = (event) => {
		if (event.isComposing) return;
		if (!press(event)) {
			if (event.key !== 'Escape' || !input.value || mode !== 'search') return;
			clear();
		}
		event.preventDefault();
		event.stopPropagation();
	};
	root.addEventListener('input', (event) => {
		if (isFilling()) return;
		if (event.target === input && mode === 'search') finder.change();
		else if (event.target === input && units) checker.showUnits(units, input.value);
		follow(event);
	});
	input.onfocus = () => { if (units && mode !== 'search') checker.showUnits(units, ''); };
	input.onblur = () => {
		open(false);
		if (state === 'unconfirmed' && mode === 'search') say(text('unconfirmed'));
	};
	button.onclick = manual;
	root.adoptedStyleSheets = [STYLE];

	const refresh = () => settle();
	const start = () => {
		turn();
		if (isChecked && isOn) checker.check();
	};

	const shown = {
		get address() { return address; },
		get state() { return state; },
		get value() { return input.value; },
		set value(words) { if (words !== input.value) write(words); },
		get form() { return internals.form; },
		get validity() { return internals.validity; },
		get validationMessage() { return internals.validationMessage; },
		checkValidity: () => internals.checkValidity(),
		reportValidity: () => internals.reportValidity(),
		setCustomValidity: (words) => {
			custom = words;
			settle();
		},
		clear,
	};
	Object.defineProperties(host, Object.getOwnPropertyDescriptors(shown));

	const listen = (how) => {
		for (const type of ['input', 'change', 'focusin']) page[how](type, type === 'focusin' ? refresh : follow);
	};

	return {
		connected: () => {
			draw();
			page = host.getRootNode();
			listen('addEventListener');
			// The rest of the page may come later.
			setTimeout(start);
		},
		disconnected: () => {
			stop();
			listen('removeEventListener');
		},
		attributeChanged: (name, before, after) => {
			if (before === after || !mode) return;
			if (name === 'value') write(after ?? '');
			draw(name);
		},
		formAssociated: () => mode && settle(),
		formDisabled: (isDisabled) => {
			for (const each of root.querySelectorAll('input, button')) each.disabled = isDisabled;
		},
		formReset: () => write(get('value')),
		/** After going back: shows what was there, and asks for the address again. */
		formStateRestore: (kept) => setTimeout(() => {
			const [, id, words] = /^(\d*) (.*)/.exec(kept) ?? [];
			write(words);
			if (id && mode === 'search') finder.take({ id, value: words, label: words });
		}),
	};
};
