// One widget: its fields, the confirmed address, and the form's value and validity.

// The built file compresses best with the modules in this order.
import { STYLE } from './style.js';
import { make, setText, spaced } from './text.js';
import { addSearch } from './search.js';
import { BUSY, CHOSEN, FAILED, HINT, LABELS, MANUAL, MISSING, OFF, UNCONFIRMED } from './texts.js';
import { addService } from './service.js';
import { agrees, clearFields, entered, fieldsOf, fill, forgetEmptied, isByHand, isFilling, markAsFilled, typedInto, NON_IDENTIFYING, IDENTIFYING, SUFFIX } from './fields.js';
import { addLookup } from './lookup.js';
import { areInOneStreet, labelOf } from './address.js';
import { addList } from './list.js';

const DEBOUNCE_MS = 300;

/** The reactions of a custom element, in the order in which `createWidget` returns them. */
export const REACTIONS = 'connected disconnected attributeChanged formDisabled formReset formStateRestore'.split(' ');

/** Postcode, number and suffix as one text. A space is between the number and an addition in its own field, so that `6` and `1` are not `61`. */
const placeOf = ({ postcode, number, suffix }) => postcode + number + suffix;

export const createWidget = (host) => {
	const widget = {};
	const internals = host.attachInternals();
	const root = host.attachShadow({ delegatesFocus: true, mode: 'open' });
	// The browser shows its message at the status only if that can take the focus. With `tabindex`, the text can also be selected.
	const status = make('p', 'status', { id: 'status', 'aria-live': 'polite', tabindex: -1 });
	const input = make('input', 'input', {
		id: 'input', role: 'combobox', autocomplete: 'off',
		'aria-autocomplete': 'list', 'aria-controls': 'list', 'aria-describedby': 'status',
	});
	// The Tab key would stop at a list that scrolls.
	const list = make('ul', 'list', { id: 'list', role: 'listbox', tabindex: -1 });
	const withLabel = (field) => make('div', 'field', {}, make('label', 'label', { for: field.id }), field);
	const labelled = withLabel(input);
	const proposal = make('button', 'proposal');
	const button = make('button', 'manual');
	/** The fields of mode `postcode`, each with its kind. */
	let drawn = [];
	let address = null;
	/** The additions to choose from. */
	let units;
	/**
	 * `isManual`: entered by hand, which satisfies `required` if no own field but the addition is empty. `isFailed`: the service failed,
	 * which satisfies `strict`.
	 */
	let isManual, isFailed;
	/** Whether a change in the form's fields is looked up. In mode `search` only after a choice, or if the page filled them in. */
	let isChecked;
	/** True from the choice of a suggestion until the search text is edited or the form is reset. */
	let isChosen;
	/** Whether the fields were not checked because the element was disabled. */
	let isSkipped;
	let isOn = true;
	/** What the fields held at the last check. */
	let checkedContent;
	const fieldContent = () => JSON.stringify(entered(widget.fields()));
	let isSearch, isAttach, custom, page, state, startTimer;
	/** The fields and their values when the page was hidden. */
	let savedValues;

	/** Whether the nearest `lang` is English. In Firefox, `:lang` does not look beyond the shadow root. */
	const isEnglish = () => {
		let node = host;
		while (node && !node.lang) node = node.parentNode ?? node.host;
		return /^en\b/i.test(node?.lang);
	};
	const has = (name) => host.hasAttribute(name);
	const get = (name) => host.getAttribute(name) ?? '';
	widget.phrase = (text, ...values) => {
		if (!text || text === MANUAL && isOn && !isFailed && has('strict')) return '';
		return text.split('|')[+isEnglish()].replace(/#/g, () => values.shift());
	};
	/**
	 * Shows texts as the status. Each is a text, or a list of a text and its values. Marks the widget's own fields as invalid if a text
	 * ends with `|!`, but not an empty search field, because the mistake is then in another field.
	 */
	widget.say = (...texts) => {
		const words = texts.map((text) => widget.phrase(...[text].flat())).join(' ');
		// The height stays until there is an answer, so that fields do not move while people type.
		status.style.height = words && texts[0] !== BUSY ? '' : `${status.offsetHeight}px`;
		setText(status, words);
		for (const each of root.querySelectorAll('input:read-write')) each.ariaInvalid = /\|!/.test(texts) && (!isSearch || !!each.value);
	};
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
		for (const [each, kind] of isSearch ? [[input, 'text']] : drawn) data.set(`${name}_${kind}`, isOn || !isSearch ? each.value : '');
		internals.setFormValue(name && data, JSON.stringify([isManual, address?.id, input.value, ...drawn.map(([each]) => each.value)]));
		for (const [field, kind] of drawn) field.readOnly = isOn && !isManual && /street|city/.test(kind);
		const { postcode, number } = entered(widget.fields());
		// A street, a line or a town that was entered by hand counts as an address. In mode `attach`, an address by hand needs a postcode, a
		// number and all street, line and town fields. In mode `search`, those that the form had before count too, unless people search.
		const streetAndTownFields = drawn[0] ? [] : formFields().filter(([, kind]) => /street|line|city/.test(kind));
		const isElsewhere = streetAndTownFields[isSearch ? 'some' : 'every'](([field]) => field.value && (isByHand(field) || typedInto.has(field) || isSearch && !isChosen && !input.value))
			&& (isSearch || postcode && number && streetAndTownFields[0]);
		/** The widget's first empty required field. The addition is optional; abroad, so are postcode and number. */
		const empty = drawn.find(([each, kind]) => (isOn ? each !== input : /street|city/.test(kind)) && !each.value.trim())?.[0];
		const missing = !address && (isOn && has('strict') && !isFailed ? UNCONFIRMED
			: has('required') && (empty || isOn && !isManual && !isElsewhere) && MISSING);
		const isBegun = isSearch ? input.value : postcode || number;
		const before = state;
		state = !isOn ? 'off' : address ? 'confirmed' : isManual ? 'manual' : units ? 'choose' : isBegun ? 'unconfirmed' : 'empty';
		labelled.hidden = isSearch ? !isOn : isAttach && !units;
		setText(button, widget.phrase(MANUAL));
		button.hidden = !isOn || isAttach && !missing && /^[ce][om]/.test(state);
		internals.setValidity({ valueMissing: missing, customError: custom }, custom || widget.phrase(missing),
			isAttach ? status : empty ?? input);
		if (state !== before) widget.emit('state', { state: host.dataset.state = state });
	};

	const showManualFields = () => {
		for (const each of (internals.form ?? page).querySelectorAll('[data-postduif-fields]')) each.hidden = false;
	};

	const enableManualEntry = () => {
		showManualFields();
		isManual = true;
		publishState();
	};

	widget.enterByHand = () => {
		widget.stop();
		widget.setUnits();
		revoke();
		widget.say();
		enableManualEntry();
		widget.emit('manual');
		// Focuses the first field that accepts it: any field in mode `search`, otherwise one for the street or the address line. Hidden
		// and disabled fields do not accept it.
		widget.fields().find(([each, kind]) => {
			if (!isSearch && !/street|line/.test(kind)) return false;
			each.focus();
			return each.matches(':focus');
		});
	};

	/** Empties the fields of these kinds that the widget filled. In mode `search` without a choice, the form's own street and town stay. */
	widget.clearFilled = (kinds = isSearch && !isChosen ? IDENTIFYING : undefined) => {
		clearFields(widget.fields(), kinds);
		publishState();
	};

	widget.showProposal = (words, choose) => {
		setText(proposal, words);
		proposal.style.visibility = '';
		proposal.onclick = choose;
	};

	/** Lets people choose from these additions. Without additions, ends the choice. */
	widget.setUnits = (among, keepsProposal) => {
		units = among;
		if (!keepsProposal) widget.showProposal();
		// Keeps the typed text while the widget has the focus.
		if (isAttach && !root.activeElement) input.value = '';
		if (!among) widget.open(false);
		else if (isSearch) widget.enter(among);
		else if (!widget.showUnits(among, input.value)) widget.showUnits(among, '');
		publishState();
	};

	/** Removes the house number from the street if the number has a field of its own. */
	const removeNumberFromStreet = () => {
		if (/num/.test(widget.fields())) fill(widget.fields(), address, /street|line/, true);
	};

	/**
	 * Confirms an address if people chose it (`how` is `true`), if the service accepts its spelling (`valid`), or if it matches all fields.
	 * Returns whether it is confirmed. If `how` is a list, it has the additions that people may still choose from in the widget's own field.
	 */
	widget.confirm = (found, how, suggestion = null) => {
		updateCountry();
		if (!isOn) return true;
		isChecked = true;
		isChosen ||= how === true || suggestion;
		fill(widget.fields(), found, NON_IDENTIFYING, how === true);
		if (!agrees(widget.fields(), found, how === 'valid')) {
			widget.say(UNCONFIRMED);
			// The widget's own filling does not count as a change.
			publishState();
			return false;
		}
		fill(widget.fields(), found, IDENTIFYING, true);
		isFailed = false;
		// The field in which people chose the address may be hidden now.
		const hadFocus = isAttach && how === true && root.activeElement;
		address = found;
		if (how !== 'valid') removeNumberFromStreet();
		widget.knownPostcode = found.postcode;
		markAsFilled(widget.fields());
		widget.setUnits(drawn[0] && how?.map && how);
		if (hadFocus) formFields().findLast(([each, kind]) => /^(post|num|let|add|line)/.test(kind) && each.checkVisibility?.() !== false)?.[0].focus();
		if (isSearch && !suggestion) widget.writeSearch(labelOf(found));
		checkedContent = fieldContent();
		publishState();
		widget.say([CHOSEN, spaced(labelOf(found))]);
		widget.emit('select', { address, suggestion });
		return true;
	};

	/** Revokes the confirmed address. */
	const revoke = () => {
		if (!address) return;
		address = null;
		widget.say(UNCONFIRMED);
		widget.clearFilled(IDENTIFYING);
		widget.emit('clear');
	};

	/** Checks the fields at each event of the page, because scripts change fields without an event. */
	const onPageEvent = ({ target, type, formData, key, defaultPrevented, isTrusted }) => {
		const isChanged = checkedContent !== fieldContent();
		if (isFilling) return;
		const all = widget.fields();
		if (isTrusted && type === 'input') typedInto.add(target);
		// Mark the names while they still agree with the address; after an edit they no longer do.
		if (address && agrees(all, address)) {
			markAsFilled(all);
			if (type === 'change') removeNumberFromStreet();
		}
		// Wait for the next event: a changed layout could move the button that is being pressed.
		if (isChanged && address && type === 'focusin') return;
		if (formData) {
			// The data were collected before this event, and its listeners cannot read the form. So the rest happens after the event.
			// As long as no field has changed, a spelling that the service accepted agrees too.
			if (address && !agrees(all, address, !isChanged)) {
				formData.forEach((value, name) => value === address.id && formData.set(name, ''));
				setTimeout(onPageEvent, 0, formData);
			}
			return;
		}
		const isSameNumber = placeOf(JSON.parse(checkedContent)) === placeOf(entered(all));
		// Entry by hand is not checked again, unless it changes what was proposed.
		const isIgnored = isManual && !address && isSameNumber && !proposal.textContent;
		if (isChanged) updateCountry();
		if (isChanged && !isIgnored) {
			// Cancel a look-up, but not the request for an address that people chose.
			if (isChecked) widget.stop();
			// Message and proposal stay until others replace them. An outdated proposal is only hidden, so that fields do not move while people type.
			if (!isSameNumber) proposal.style.visibility = 'hidden';
			const resetsAddition = (kind) => /^(postcode|number)$/.test(kind)
				|| address && /^(line|numA)/.test(kind) && +entered(all).number !== address.number;
			if (all.some(([field, kind]) => field === target && resetsAddition(kind))) {
				// The chosen addition belongs to the number before the change.
				units = null;
				clearFields(all, SUFFIX);
				forgetEmptied(all);
			}
			if (isOn && isChecked && !(address && agrees(all, address))) {
				if (!isSameNumber) widget.say();
				widget.later(widget.check, DEBOUNCE_MS);
				revoke();
			}
		}
		// A form that is sent before the look-up must not have the street of another postcode.
		if (type === 'submit' && widget.timer && !isSearch) widget.clearStaleNames();
		publishState();
		// The browser sends a form on Enter only from the form's own fields, so do the same for those of the shadow root. There only inputs
		// have `select`, so Enter on a button does not send the form. A disabled submit button sends nothing.
		if (key === 'Enter' && !defaultPrevented && root.activeElement?.select && list.hidden && !widget.timer) {
			[...internals.form?.elements ?? []].find((each) => each.type === 'submit')?.click();
		}
	};

	/** Turns the widget off while the form's country is not the Netherlands. */
	const updateCountry = () => {
		if (isOn !== entered(widget.fields()).isAbroad) return;
		isOn = !isOn;
		widget.stop();
		widget.setUnits();
		revoke();
		if (!isOn) showManualFields();
		widget.say(isOn ? isSearch && HINT : OFF);
		publishState();
	};

	widget.showBusy = () => {
		widget.say(BUSY);
		if (!list.firstChild) widget.show([]);
		widget.open(isSearch);
	};

	widget.giveUp = () => {
		isFailed = true;
		enableManualEntry();
		widget.showProposal();
		widget.say(FAILED, OFF);
		widget.show([]);
	};

	/**
	 * After an edit of the search text: empties the fields that the widget filled for it, and revokes the address. With `isChoice`, a change in
	 * the fields is not looked up until the chosen address has arrived.
	 */
	widget.edit = (isChoice) => {
		isChecked &&= !isChosen && !isChoice;
		units = undefined;
		widget.showProposal();
		widget.clearFilled();
		isChosen = false;
		revoke();
	};

	widget.onEscape = () => isSearch && input.value && !clear();

	addService(widget, host);
	addList(widget, input, list);
	addLookup(widget);
	addSearch(widget, host, input);

	/** Looks up the fields if they have a postcode and a number. Returns a truthy value if it does. */
	const checkPrefilled = () => {
		const { postcode, number } = entered(widget.fields());
		isChecked ||= postcode && number;
		isSkipped = host.matches(':disabled');
		return isOn && isChecked && !address && !isManual && !isSkipped && widget.check();
	};

	/** Writes into the drawn fields. The first element of the list is skipped, because it is not the value of a field. */
	const writeDrawn = ([, ...values]) => drawn.forEach(([each], at) => { each.value = values[at] ?? ''; });

	const write = (words, isReset) => {
		revoke();
		isManual = isFailed = units = undefined;
		widget.say();
		if (isSearch) widget.clearFilled();
		isChecked = !isSearch || isChecked && !isChosen;
		isChosen = false;
		if (isSearch) widget.writeSearch(words ?? '');
		else if (words !== undefined) writeDrawn(/\b(\d{4} ?[a-z]{2})\W+(\d.*)/i.exec(words) ?? []);
		publishState();
		// A reset of the form may reach the other fields later.
		if (isOn && (!isSearch || isReset)) widget.later(() => {
			forgetEmptied(widget.fields());
			if (!checkPrefilled()) widget.timer = 0;
		});
	};

	const clear = () => {
		widget.clearFilled();
		if (!address) widget.emit('clear');
		write('');
	};

	/** Makes the widget's own fields, in mode `postcode`. */
	const fieldsOfKinds = (...kinds) => kinds.map((kind) => {
		const field = make('input', 'input', { id: kind, autocomplete: { postcode: 'postal-code', city: 'address-level2' }[kind] ?? '', 'aria-describedby': 'status' });
		if (kind === 'postcode') field.autocapitalize = 'characters';
		drawn.push([field, kind]);
		return withLabel(field);
	});

	/** Builds the fields of the mode. */
	const build = () => {
		const mode = get('mode');
		const own = mode === 'postcode' ? fieldsOfKinds : () => [];
		isAttach = mode === 'attach';
		isSearch = !isAttach && mode !== 'postcode';
		drawn = [];
		input.type = isSearch ? 'search' : 'text';
		const section = (...fields) => make('section', '', {}, ...fields);
		// The status is above the list, which opens over what follows.
		root.replaceChildren(section(...own('postcode', 'number'), labelled), status, list, make('div', '', { 'aria-live': 'polite' }, proposal), section(...own('street', 'city')), button);
		if (drawn[0]) drawn.push([input, 'addition']);
		for (const [mine, kind] of drawn) {
			mine.value ||= host.querySelector(`[name$=_${kind}]`)?.value ?? formFields().find(([, each]) => each === kind)?.[0].value ?? '';
		}
		// The fields for browsers that did not load this script. The form must not send them too.
		if (drawn[0]) host.replaceChildren();
	};

	const draw = (name) => {
		if (name === 'mode') {
			build();
			write(get('value') || undefined);
		}
		for (const [each] of drawn) each.ariaRequired = each !== input && has('required');
		for (const each of root.querySelectorAll('label')) each.textContent = widget.phrase(LABELS[each.htmlFor]);
		labelled.firstChild.textContent = list.ariaLabel = isSearch && get('label') || widget.phrase(LABELS[isSearch ? 'input' : isAttach ? 'units' : 'addition']);
		input.placeholder = get('placeholder');
		input.required = isSearch && has('required');
		if (/api-key|base/.test(name)) widget.forget();
		if (state === 'empty') widget.say(isSearch && HINT);
		publishState();
	};

	/**
	 * Writes the addition that people type in mode `attach` into the form's fields, and confirms the unit that has exactly this addition. The
	 * field stays, so that they can type more.
	 */
	const confirmTyped = (candidates, typed) => {
		const exact = widget.exactUnit(candidates, typed);
		if (exact) fill(widget.fields(), exact, NON_IDENTIFYING, true);
		else if (areInOneStreet(candidates)) {
			fill(widget.fields(), { ...candidates[0], letter: '', addition: typed }, /num|letter|addition|line/, true);
		}
		if (!exact || !widget.confirm(exact)) revoke();
		// `confirm` clears `units`; restore them so that people can type another addition.
		units = candidates;
		publishState();
	};

	input.oninput = () => {
		if (isSearch) return widget.change();
		if (!units || isFilling) return;
		if (isAttach) confirmTyped(units, input.value);
		const fits = widget.showUnits(units, input.value);
		// Nothing is left to choose, and the list may cover the next field.
		if (isAttach && address && fits === 1) widget.open(false);
	};
	root.addEventListener('input', onPageEvent);
	input.onfocus = () => { if (units && !isSearch) widget.showUnits(units, ''); };
	input.onblur = () => {
		widget.open(false);
		if (state === 'unconfirmed' && isSearch) widget.say(UNCONFIRMED);
	};
	button.onclick = widget.enterByHand;
	// Without a field of its own, the browser reports what is missing at the status.
	host.addEventListener('invalid', () => {
		if (!isAttach) return;
		status.textContent ||= internals.validationMessage;
		status.style.height = '';
	});
	root.adoptedStyleSheets = [STYLE];

	host.clear = clear;
	host.checkValidity = () => internals.checkValidity();
	host.reportValidity = () => internals.reportValidity();
	host.setCustomValidity = (words) => {
		custom = words;
		publishState();
	};
	Object.defineProperties(host, {
		address: { get: () => address },
		state: { get: () => state },
		form: { get: () => internals.form },
		validity: { get: () => internals.validity },
		validationMessage: { get: () => internals.validationMessage },
		value: { get: () => input.value, set: (words) => { if (words !== input.value) write(words); } },
	});

	/**
	 * Saves the values of the fields, and restores them when the page comes back from the back/forward cache, because WebKit then empties
	 * those with `autocomplete="off"`.
	 */
	const saveOrRestoreFields = ({ persisted, type }) => {
		if (type === 'pagehide') savedValues = [...widget.fields(), [input]].map(([each]) => [each, each.value]);
		else if (persisted) setTimeout(() => savedValues.forEach(([each, value]) => { each.value ||= value; }));
	};

	const listen = (how) => {
		for (const type of ['pagehide', 'pageshow']) window[how](type, saveOrRestoreFields);
		for (const type of 'input keypress submit change focusin formdata click'.split(' ')) page[how](type, onPageEvent, /cl|su/.test(type));
	};

	/** Begins to work on a page. */
	const start = () => {
		updateCountry();
		if (!address) {
			widget.clearFilled(IDENTIFYING);
			// The page may still keep the address of a removed element; `clear` makes it drop it.
			widget.emit('clear');
		}
		if (isAttach && !formFields()[0]) console.warn('postduif: no address field found', host);
		// A script of type `module` does not know where it comes from.
		if (!widget.hasBase()) console.warn("postduif: attribute base is missing", host);
	};

	return [
		() => {
			const isMoved = page;
			draw(!page && 'mode');
			page = host.getRootNode();
			listen('addEventListener');
			// Wait, because the rest of the page may not be parsed yet.
			startTimer = setTimeout(() => {
				start();
				// Moving the element has stopped the look-up.
				if (isMoved || isSearch) checkPrefilled();
			});
		},
		() => {
			clearTimeout(startTimer);
			widget.stop();
			widget.open(false);
			listen('removeEventListener');
		},
		(name, before, after) => {
			if (before === after || !page) return;
			if (name === 'value') write(after ?? '');
			draw(name);
		},
		(isDisabled) => {
			for (const each of root.querySelectorAll('*')) each.disabled = isDisabled;
			if (!isDisabled && isSkipped && host.isConnected) checkPrefilled();
		},
		() => {
			widget.clearFilled();
			write(get('value'), true);
		},
		/** Restores the content after going back in the browser's history, and requests the address again. */
		(kept) => {
			// Otherwise this timer would request the restored address a second time.
			clearTimeout(startTimer);
			startTimer = setTimeout(() => {
				const [wasManual, id, ...values] = JSON.parse(kept);
				start();
				write(isSearch ? values[0] : undefined);
				writeDrawn(values);
				if (wasManual) {
					widget.stop();
					enableManualEntry();
				} else if (isSearch && id) widget.fetchAddress({ id });
				else if (isSearch) checkPrefilled();
			});
		},
	];
};
