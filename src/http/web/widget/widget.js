// One widget: its fields, what is confirmed, and what its form learns of it.

import { labelOf } from './address.js';
import { agrees, empty, entered, fieldsOf, fill, isByHand, isFilling, PROOF, SUFFIX } from './fields.js';
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
	const content = () => JSON.stringify(entered(fields()));
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
	const formFields = () => fieldsOf(host, internals.form, own.postcode);
	const ownFields = () => Object.keys(own).map((kind) => [own[kind], kind]);
	const fields = () => [...ownFields(), ...formFields()];

	const stateNow = () => {
		const { postcode, number } = entered(fields());
		const isBegun = isSearch ? input.value : postcode || number;
		return !isOn ? 'off' : address ? 'confirmed' : isFree ? 'manual' : units ? 'choose' : isBegun ? 'unconfirmed' : 'empty';
	};

	/** Passes on what is confirmed, to the form, its validity and the page. */
	const settle = (confirmed = address) => {
		// With an address, only a check may take a change of the fields as seen.
		if (!address || confirmed !== address) seen = content();
		address = confirmed;
		const name = get('name');
		const data = new FormData();
		if (name) {
			data.set(name, address?.id ?? '');
			for (const [{ value }, kind] of isSearch ? [[input, 'text']] : ownFields()) data.set(`${name}_${kind}`, value);
		}
		const kept = [isFree, address?.id, input.value, ...ownFields().map(([{ value }]) => value)];
		internals.setFormValue(data, JSON.stringify(kept));
		const isWanted = !address && !isFailed && isOn;
		// Fields that were filled in without a search are an address too.
		const isElsewhere = isSearch && formFields().some(([field]) => !field.options && isByHand(field));
		const missing = isWanted && (has('strict') ? 'unconfirmed'
			: has('required') && !isFree && !isElsewhere && 'missing');
		const state = stateNow();
		button.hidden = !isOn || isAttach && !missing && /^[ce][om]/.test(state);
		internals.setValidity({ customError: !!custom, valueMissing: !!missing }, custom || text(missing),
			isAttach ? button : own.postcode ?? input);
		if (host.dataset.state !== state) emit('state', { state: host.dataset.state = state });
	};

	const lock = (isLocked) => {
		for (const kind of ['street', 'city']) if (own[kind]) own[kind].readOnly = isLocked;
	};

	const uncover = () => {
		for (const each of (internals.form ?? host.getRootNode()).querySelectorAll('[data-postduif-fields]')) each.hidden = false;
		lock(false);
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
		const [field] = all.find(([each, kind]) => each.checkVisibility() && !each.disabled && (isSearch || /^(street|line)$/.test(kind))) ?? [];
		field?.focus();
	};

	/** Empties the fields of these kinds that the widget filled. */
	const drop = (kinds) => {
		empty(fields(), kinds);
		settle();
	};

	const propose = (words = '', choose) => {
		proposal.textContent = words;
		proposal.hidden = !words;
		proposal.onclick = choose;
	};

	/** Lets people choose from these additions; without any, there is nothing to choose. */
	const offer = (among) => {
		units = among;
		propose();
		if (isAttach) [labelled.hidden, input.value] = [!among, ''];
		if (!among) open(false);
		else if (isSearch) enter(`${among[0].street} ${among[0].number}`, among);
		else showUnits(among, input.value);
		settle();
	};

	/**
	 * Takes an address: one that people chose (`true`), one that the service finds right as it is spelled (`valid`), or one that
	 * agrees with all that is in the fields. Returns whether it was taken.
	 */
	const confirm = (found, how, suggestion = null) => {
		turn();
		if (!isOn) return true;
		const isProof = ([, kind]) => PROOF.test(kind);
		fill(fields().filter((each) => !isProof(each)), found, how === true);
		if (how !== 'valid' && !agrees(fields(), found)) {
			say('unconfirmed');
			return false;
		}
		fill(fields().filter(isProof), found, true);
		isFailed = false;
		const isLeft = isAttach && root.activeElement === input;
		offer();
		if (isLeft) fields().find(([, kind]) => kind === 'number')?.[0].focus();
		if (isSearch && !suggestion) writeSearch(labelOf(found));
		settle(found);
		say(['chosen', spaced(labelOf(found))]);
		emit('select', { address, suggestion });
		return true;
	};

	/** Nothing is confirmed any more. */
	const revoke = () => {
		if (!address) return;
		address = null;
		drop(PROOF);
		emit('clear');
	};

	/** Follows changes in the fields, at each event of the page: scripts change fields without one. */
	const follow = ({ target, type }) => {
		const isChanged = seen !== content();
		// A button that is being pressed must not move.
		if (isFilling() || isChanged && address && type === 'focusin') return;
		const all = fields();
		if (isChanged) {
			stop();
			turn();
			isChecked ||= address;
			// An addition that was chosen belongs to its number.
			if (all.some(([field, kind]) => field === target && /^(postcode|number)$/.test(kind))) empty(all, SUFFIX);
			if (isOn && isChecked && recheck(address)) {
				say(address && 'unconfirmed');
				revoke();
			}
		}
		settle();
	};

	/** Off while the form's country is another one. */
	const turn = () => {
		if (isOn === (isOn = !entered(fields()).isAbroad)) return;
		stop();
		offer();
		revoke();
		if (!isOn) uncover();
		isFree = false;
		say(isOn ? isSearch && 'hint' : 'off');
		if (isSearch) label.hidden = box.hidden = !isOn;
		settle();
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
		uncover();
		say('failed', 'manual');
		show([]);
	});
	const { show, open, move, press } = combobox(input, list, () => ({ name: text('manual'), onChoose: manual }));
	const shared = { input, get, text, say, ask, later, stop, safely, show, open, move, fields, drop, offer, propose, confirm };
	const { check, showUnits, recheck } = lookup(shared);
	const { write: writeSearch, change, take, enter } = search({
		...shared, showUnits, isOn: () => isOn,
		/** The text of the field was changed: what it filled in goes. */
		edit: () => {
			isChecked = false;
			units = undefined;
			drop();
			revoke();
		},
	});

	const write = (words) => {
		revoke();
		isFree = isFailed = units = undefined;
		isChecked = !isSearch;
		lock(true);
		if (!isChecked) writeSearch(words ?? '');
		else if (own.postcode && words !== undefined) {
			const [, postcode = '', number = ''] = /\b(\d{4} ?[a-z]{2})\W+(\d.*)/i.exec(words) ?? [];
			for (const [each, kind] of ownFields()) each.value = { postcode, number }[kind] ?? '';
		}
		settle(null);
		// A reset of the form may reach the other fields later.
		if (isChecked && isOn) later(check);
	};

	const clear = () => {
		drop();
		if (!address) emit('clear');
		write('');
	};

	const field = (kind, attributes) => {
		own[kind] = make('input', { id: kind, part: 'input', 'aria-describedby': 'status', ...attributes });
		return make('div', { part: 'field' }, make('label', { for: kind, part: 'label' }), own[kind]);
	};

	/** Builds the fields of the mode. */
	const build = () => {
		const mode = get('mode');
		isAttach = mode === 'attach';
		isSearch = !isAttach && mode !== 'postcode';
		own = {};
		input.type = isSearch ? 'search' : 'text';
		const [typed, found] = isSearch || isAttach ? [[], []] : [
			[field('postcode', { autocomplete: 'postal-code' }), field('number')],
			[field('street'), field('city')],
		];
		if (typed[0]) own.addition = input;
		labelled.append(label, box);
		labelled.hidden = isAttach;
		// The status is above the list, which opens over what follows.
		const entry = isSearch ? [label, status, box] : [status, make('section', {}, ...typed, labelled)];
		root.replaceChildren(...entry, proposal, make('section', {}, ...found), button);
		for (const [mine, kind] of formFields()) if (own[kind]) own[kind].value ||= mine.value;
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
		settle();
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
		follow(event);
	});
	input.onfocus = () => { if (units && !isSearch) showUnits(units, ''); };
	input.onblur = () => {
		open(false);
		if (host.dataset.state === 'unconfirmed' && isSearch) say('unconfirmed');
	};
	button.onclick = manual;
	root.adoptedStyleSheets = [STYLE];

	const start = () => {
		turn();
		if (!address) drop(PROOF);
	};

	const shown = {
		get address() { return address; },
		get state() { return host.dataset.state; },
		get value() { return input.value; },
		set value(words) { if (words !== input.value) write(words); },
		setCustomValidity: (words) => {
			custom = words;
			settle();
		},
		clear,
	};
	Object.defineProperties(host, Object.getOwnPropertyDescriptors(shown));
	for (const name of ['form', 'validity', 'validationMessage']) Object.defineProperty(host, name, { get: () => internals[name] });
	for (const name of ['checkValidity', 'reportValidity']) host[name] = () => internals[name]();

	const listen = (how) => {
		for (const type of ['input', 'change', 'focusin', 'click', 'submit']) page[how](type, follow, /cl|su/.test(type));
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
			drop();
			write(get('value'));
		},
		/** After going back: shows what was there, and asks for the address again. */
		formStateRestore: (kept) => setTimeout(() => {
			const [wasFree, id, label, ...values] = JSON.parse(kept);
			write(isSearch ? label : undefined);
			ownFields().forEach(([each], at) => { each.value = values[at]; });
			if (wasFree) uncover();
			if (id && isSearch) take({ id });
		}),
	};
};
