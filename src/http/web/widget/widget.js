// One widget: its fields, the confirmed address, and the form's value and validity.

import { labelOf } from './address.js';
import { agrees, clearFields, entered, fieldsOf, fill, isByHand, isFilling, IDENTIFYING, SUFFIX } from './fields.js';
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
	root.append(box);
	const labelled = make('div', { part: 'field' });
	const proposal = make('button', { part: 'proposal', type: 'button', hidden: '' });
	const button = make('button', { part: 'manual', type: 'button' });
	/** The fields of mode `postcode`, by kind. */
	let drawn = {};
	let address = null;
	/** The additions to choose from. */
	let units;
	/** Entered by hand, which is enough for `required`; the service failed, which is enough for `strict` too. */
	let isManual, isFailed;
	/** Whether a change in the form's fields is looked up. In mode `search` only after a choice from the list. */
	let isChecked;
	let isOn = true;
	/** What the fields held at the last check. */
	let checkedContent;
	const fieldContent = () => JSON.stringify(entered(fields()));
	let isBuilt, isSearch, isAttach, custom, page;

	const has = (name) => host.hasAttribute(name);
	const get = (name, otherwise = '') => host.getAttribute(name) ?? otherwise;
	const text = (name, ...values) => {
		const { lang } = host.closest('[lang]') ?? document.documentElement;
		return TEXTS[name]?.[+/^en/i.test(lang)].replace(/#/g, () => values.shift()) ?? '';
	};
	/** Shows texts by their names, or by lists of a name and its values. */
	const say = (...names) => { status.textContent = names.map((name) => text(...[name].flat())).join(' ').trim(); };
	const emit = (name, detail) =>
		host.dispatchEvent(new CustomEvent(`postduif-${name}`, { detail, bubbles: true, composed: true }));
	const formFields = () => fieldsOf(host, internals.form, drawn.postcode);
	const drawnFields = () => Object.keys(drawn).map((kind) => [drawn[kind], kind]);
	const fields = () => [...drawnFields(), ...formFields()];

	const stateNow = () => {
		const { postcode, number } = entered(fields());
		const isBegun = isSearch ? input.value : postcode || number;
		return !isOn ? 'off' : address ? 'confirmed' : isManual ? 'manual' : units ? 'choose' : isBegun ? 'unconfirmed' : 'empty';
	};

	/** Updates form value, validity and `data-state`. */
	const publishState = (confirmed = address) => {
		// While an address is confirmed, the old content is kept, so that a change of the fields is noticed.
		if (!address || confirmed !== address) checkedContent = fieldContent();
		address = confirmed;
		const name = get('name');
		const data = new FormData();
		if (name) {
			data.set(name, address?.id ?? '');
			for (const [{ value }, kind] of isSearch ? [[input, 'text']] : drawnFields()) data.set(`${name}_${kind}`, value);
		}
		const kept = [isManual, address?.id, input.value, ...drawnFields().map(([{ value }]) => value)];
		internals.setFormValue(data, JSON.stringify(kept));
		const isWanted = !address && !isFailed && isOn;
		// Fields that were filled in by hand count as an address too.
		const isElsewhere = isSearch && formFields().some(([field]) => !field.options && isByHand(field));
		const missing = isWanted && (has('strict') ? 'unconfirmed'
			: has('required') && !isManual && !isElsewhere && 'missing');
		const state = stateNow();
		button.hidden = !isOn || isAttach && !missing && /^[ce][om]/.test(state);
		internals.setValidity({ customError: !!custom, valueMissing: !!missing }, custom || text(missing),
			isAttach ? button : drawn.postcode ?? input);
		if (host.dataset.state !== state) emit('state', { state: host.dataset.state = state });
	};

	const lock = (isLocked) => {
		for (const kind of ['street', 'city']) if (drawn[kind]) drawn[kind].readOnly = isLocked;
	};

	const enableManualEntry = () => {
		for (const each of (internals.form ?? host.getRootNode()).querySelectorAll('[data-postduif-fields]')) each.hidden = false;
		lock(false);
		isManual = true;
		publishState();
	};

	const manual = () => {
		stop();
		showProposal();
		open(false);
		enableManualEntry();
		emit('manual');
		const all = fields();
		const [field] = all.find(([each, kind]) => each.checkVisibility() && !each.disabled && (isSearch || /^(street|line)$/.test(kind))) ?? [];
		field?.focus();
	};

	/** Empties the fields of these kinds that the widget filled. */
	const clearFilled = (kinds) => {
		clearFields(fields(), kinds);
		publishState();
	};

	const showProposal = (words = '', choose) => {
		proposal.textContent = words;
		proposal.hidden = !words;
		proposal.onclick = choose;
	};

	/** Lets people choose from these additions; without any, there is nothing to choose. */
	const setUnits = (among) => {
		units = among;
		showProposal();
		if (isAttach) [labelled.hidden, input.value] = [!among, ''];
		if (!among) open(false);
		else if (isSearch) enter(`${among[0].street} ${among[0].number}`, among);
		else showUnits(among, input.value);
		publishState();
	};

	/**
	 * Confirms an address if people chose it (`true`), if the service accepts its spelling (`valid`), or if it matches all fields.
	 * Returns whether it is confirmed.
	 */
	const confirm = (found, how, suggestion = null) => {
		updateCountry();
		if (!isOn) return true;
		const isIdentifying = ([, kind]) => IDENTIFYING.test(kind);
		fill(fields().filter((each) => !isIdentifying(each)), found, how === true);
		if (how !== 'valid' && !agrees(fields(), found)) {
			say('unconfirmed');
			// The widget's own filling does not count as a change.
			publishState();
			return false;
		}
		fill(fields().filter(isIdentifying), found, true);
		isFailed = false;
		const isLeft = isAttach && root.activeElement === input;
		setUnits();
		if (isLeft) fields().find(([, kind]) => kind === 'number')?.[0].focus();
		if (isSearch && !suggestion) writeSearch(labelOf(found));
		publishState(found);
		say(['chosen', spaced(labelOf(found))]);
		emit('select', { address, suggestion });
		return true;
	};

	/** Nothing is confirmed any more. */
	const revoke = () => {
		if (!address) return;
		address = null;
		clearFilled(IDENTIFYING);
		emit('clear');
	};

	/** Follows changes in the fields, at each event of the page: scripts change fields without one. */
	const onPageEvent = ({ target, type }) => {
		const isChanged = checkedContent !== fieldContent();
		// A changed layout could move the button that is being pressed.
		if (isFilling() || isChanged && address && type === 'focusin') return;
		const all = fields();
		if (isChanged) {
			stop();
			showProposal();
			updateCountry();
			isChecked ||= address;
			// An addition that was chosen belongs to its number.
			if (all.some(([field, kind]) => field === target && /^(postcode|number)$/.test(kind))) clearFields(all, SUFFIX);
			if (isOn && isChecked && recheck(address)) {
				say(address && 'unconfirmed');
				revoke();
			}
		}
		publishState();
	};

	/** Off while the form's country is another one. */
	const updateCountry = () => {
		if (isOn === (isOn = !entered(fields()).isAbroad)) return;
		stop();
		setUnits();
		revoke();
		if (!isOn) enableManualEntry();
		isManual = false;
		say(isOn ? isSearch && 'hint' : 'off');
		if (isSearch) label.hidden = box.hidden = !isOn;
		publishState();
	};

	const { ask, stop, safely, later, forget } = connect(host, emit, () => {
		say('busy');
		if (isSearch) open(true);
	}, (seconds) => {
		if (seconds) {
			say(['limit', seconds]);
			return open(true);
		}
		isFailed = true;
		enableManualEntry();
		say('failed', 'manual');
		show([]);
	});
	const { show, open, move, press } = combobox(input, list, () => ({ name: text('manual'), onChoose: manual }));
	const shared = { input, get, text, say, ask, later, stop, safely, show, open, move, fields, clearFilled, setUnits, showProposal, confirm };
	const { check, showUnits, recheck } = lookup(shared);
	const { write: writeSearch, change, fetchAddress, enter } = search({
		...shared, showUnits, isOn: () => isOn,
		/** The text of the field was changed: what it filled in goes. */
		edit: () => {
			isChecked = false;
			units = undefined;
			clearFilled();
			revoke();
		},
	});

	const write = (words) => {
		revoke();
		isManual = isFailed = units = undefined;
		isChecked = !isSearch;
		lock(true);
		if (!isChecked) writeSearch(words ?? '');
		else if (drawn.postcode && words !== undefined) {
			const [, postcode = '', number = ''] = /\b(\d{4} ?[a-z]{2})\W+(\d.*)/i.exec(words) ?? [];
			for (const [each, kind] of drawnFields()) each.value = { postcode, number }[kind] ?? '';
		}
		publishState(null);
		// A reset of the form may reach the other fields later.
		if (isChecked && isOn) later(check);
	};

	const clear = () => {
		clearFilled();
		if (!address) emit('clear');
		write('');
	};

	const field = (kind, attributes) => {
		drawn[kind] = make('input', { id: kind, part: 'input', 'aria-describedby': 'status', ...attributes });
		return make('div', { part: 'field' }, make('label', { for: kind, part: 'label' }), drawn[kind]);
	};

	/** Builds the fields of the mode. */
	const build = () => {
		const mode = get('mode');
		isAttach = mode === 'attach';
		isSearch = !isAttach && mode !== 'postcode';
		drawn = {};
		input.type = isSearch ? 'search' : 'text';
		const [typed, found] = isSearch || isAttach ? [[], []] : [
			[field('postcode', { autocomplete: 'postal-code' }), field('number')],
			[field('street'), field('city')],
		];
		if (typed[0]) drawn.addition = input;
		labelled.append(label, box);
		labelled.hidden = isAttach;
		// The status is above the list, which opens over what follows.
		const entry = isSearch ? [label, status, box] : [status, make('section', {}, ...typed, labelled)];
		root.replaceChildren(...entry, proposal, make('section', {}, ...found), button);
		for (const [mine, kind] of formFields()) if (drawn[kind]) drawn[kind].value ||= mine.value;
		isBuilt = true;
	};

	const draw = (name) => {
		button.textContent = text('manual');
		if (!isBuilt || name === 'mode') {
			build();
			write(get('value') || undefined);
		}
		for (const each of root.querySelectorAll('label')) each.textContent = text(each.htmlFor);
		label.textContent = list.ariaLabel = isSearch ? get('label', text('input')) : text('addition');
		input.placeholder = get('placeholder');
		input.required = isSearch && has('required');
		if (/api-key|base/.test(name)) forget();
		if (host.dataset.state === 'empty') say(isSearch && 'hint');
		publishState();
	};

	input.onkeydown = (event) => {
		if (event.isComposing) return;
		if (!press(event)) {
			if (event.key !== 'Escape' || !input.value || !isSearch) return;
			clear();
		}
		event.preventDefault();
		event.stopPropagation();
	};
	root.addEventListener('input', (event) => {
		if (isFilling()) return;
		if (event.target === input && isSearch) change();
		else if (event.target === input && units) showUnits(units, input.value);
		onPageEvent(event);
	});
	input.onfocus = () => { if (units && !isSearch) showUnits(units, ''); };
	input.onblur = () => {
		open(false);
		if (host.dataset.state === 'unconfirmed' && isSearch) say('unconfirmed');
	};
	button.onclick = manual;
	root.adoptedStyleSheets = [STYLE];

	const start = () => {
		updateCountry();
		if (!address) clearFilled(IDENTIFYING);
	};

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
	for (const name of ['form', 'validity', 'validationMessage']) Object.defineProperty(host, name, { get: () => internals[name] });
	for (const name of ['checkValidity', 'reportValidity']) host[name] = () => internals[name]();

	const listen = (how) => {
		for (const type of ['input', 'change', 'focusin', 'click', 'submit']) page[how](type, onPageEvent, /cl|su/.test(type));
	};

	return {
		connected: () => {
			page = host.getRootNode();
			listen('addEventListener');
			// The rest of the page may come later.
			setTimeout(start);
			draw();
		},
		disconnected: () => {
			stop();
			listen('removeEventListener');
		},
		attributeChanged: (name, before, after) => {
			if (before === after || !isBuilt) return;
			if (name === 'value') write(after ?? '');
			draw(name);
		},
		formDisabled: (isDisabled) => {
			for (const each of root.querySelectorAll('*')) each.disabled = isDisabled;
		},
		formReset: () => {
			clearFilled();
			write(get('value'));
		},
		/** After going back: shows what was there, and asks for the address again. */
		formStateRestore: (kept) => setTimeout(() => {
			const [wasManual, id, label, ...values] = JSON.parse(kept);
			write(isSearch ? label : undefined);
			drawnFields().forEach(([each], at) => { each.value = values[at]; });
			if (wasManual) enableManualEntry();
			if (id && isSearch) fetchAddress({ id });
		}),
	};
};
