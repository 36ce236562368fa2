// <postduif-address> 1.1.0: type-ahead for Dutch addresses. Usage: src/http/README.md of postduif, "In a form".
if (!customElements.get('postduif-address')) {
const BASE = new URL('/api', document.currentScript?.src || location).href;
const [DEBOUNCE_MS, BUSY_MS, SLOW_MS] = [150, 400, 5000];

const TEXTS = {
	nl: {
		label: 'Adres', hint: 'Postcode en huisnummer, of straat en plaats', manual: 'Adres zelf invullen', busy: 'Zoeken…',
		one: '1 suggestie', many: '# suggesties', none: 'Geen adres gevonden.', street: 'Typ het huisnummer.', chosen: 'Gekozen: #',
		failed: 'Zoeken lukt nu niet.', refused: 'Adressen zoeken is hier niet beschikbaar.',
		limit: 'Even geduld: over # s zoeken we verder.', missing: 'Kies een adres of vul het zelf in.',
	},
	en: {
		label: 'Address', hint: 'Postcode and number, or street and town', manual: 'Enter address by hand', busy: 'Searching…',
		one: '1 suggestion', many: '# suggestions', none: 'No address found.', street: 'Type the house number.', chosen: 'Chosen: #',
		failed: 'Search is not working right now.', refused: 'Address search is not available here.',
		limit: 'One moment: searching again in # s.', missing: 'Choose an address or enter it by hand.',
	},
};

const STYLE = new CSSStyleSheet();
STYLE.replaceSync(`
:host(:not([hidden])) { display: block; color: var(--postduif-text, CanvasText); font: var(--postduif-font, inherit);
	--accent: var(--postduif-accent, light-dark(#1552b5, #8ab4f8)); --ground: var(--postduif-background, Canvas);
	--line: 1px solid var(--postduif-border, #808080) }
* { box-sizing: border-box; margin: 0; font: inherit }
label, mark { font-weight: 600 }
p, [part=detail] { opacity: .8; font-size: .9em }
p { min-height: 1.8em }
div { position: relative }
input, ul { width: 100%; color: inherit; background: var(--ground); border: var(--line); border-radius: var(--postduif-radius, .5rem) }
input { min-height: 3rem; padding: .5rem .8rem; font-size: max(1em, 16px); appearance: none }
ul { position: absolute; z-index: 20; top: calc(100% + .3rem); max-height: 60vh; padding: 0; overflow: auto;
	scroll-padding-bottom: 3.5rem; box-shadow: 0 .5rem 1.5rem #0004 }
li { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .6rem; min-height: 44px; padding: .5rem .8rem; cursor: pointer;
	overflow-wrap: anywhere }
li:last-child { position: sticky; bottom: 0; background: var(--ground); border-top: var(--line) }
li:is(:hover, [aria-selected=true]) { background: color-mix(in srgb, var(--accent) 14%, var(--ground)) }
:focus-visible, [aria-selected=true] { outline: 2px solid var(--accent); outline-offset: -2px }
mark { color: inherit; background: none }
button { min-height: 44px; padding: 0; background: none; border: 0; text-decoration: underline; cursor: pointer }
button, li:last-child { color: var(--accent) }
:host(:disabled) { opacity: .6 }`);

const clean = (text) => text.replace(/\s+/g, ' ').trim();
const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
/** With postcodes as on mail: 3931 AX. */
const spaced = (text, as = '$1 $2') => text.replace(/\b(\d{4}) ?([a-z]{2})\b/gi, as);
const bare = (text) => fold(spaced(text, '')).replace(/[^\p{L}\p{N}]/gu, '');

const make = (tag, attributes, ...children) => {
	const element = document.createElement(tag);
	for (const name in attributes) element.setAttribute(name, attributes[name]);
	element.append(...children);
	return element;
};

/** A pasted address in one line, without name and country. */
const tidy = (text) => {
	const lines = text.split(/[\r\n\t]+/).map(clean).filter(Boolean);
	while (!/\d/.test(lines[0]) && lines.slice(1).some((line) => /^\D+\d/.test(line))) lines.shift();
	return lines.join(', ').replace(/[\s,]+(nl|nederland|(the )?netherlands)$|\bnl-/gi, '');
};

/** The text, with the typed beginnings of its words in `<mark>`. */
const marked = (text, typed) => {
	const begins = fold(typed).match(/[\p{L}\p{N}]+/gu) ?? [];
	return text.split(/(?<![\p{L}\p{N}])(?=[\p{L}\p{N}])/u).flatMap((word) => {
		const { length } = begins.find((begin) => fold(word).startsWith(begin)) ?? '';
		return length ? [make('mark', { part: 'mark' }, word.slice(0, length)), word.slice(length)] : word;
	});
};

const parts = (address) => {
	const { street, number, letter, addition, postcode, city, province, location } = address;
	const behind = (letter ?? '') + (addition ?? '');
	const line = `${street} ${number}${behind && (/^\d/.test(behind) ? '-' : ' ')}${behind}`;
	const [longitude, latitude] = location?.coordinates ?? [];
	return {
		...address, numberAddition: behind, longitude, latitude, 'postal-code': postcode, 'address-line1': line,
		'address-line2': '', 'street-address': line, 'address-level2': city, 'address-level1': province, country: 'NL',
		'country-name': 'Nederland',
	};
};

/** The values that a widget put into fields. */
const filled = new WeakMap();

const put = (field, value) => {
	let text = `${value ?? ''}`;
	if (field.options) {
		const names = /^(NL|Nederland)$/.test(text) ? ['nl', 'nederland', 'netherlands'] : [fold(text)];
		const options = [...field.options];
		const option = options.find((each) => names.includes(fold(each.value)) || names.includes(fold(each.text)))
			?? options.find((each) => !each.value);
		if (!option) return;
		text = option.value;
	}
	// By the prototype's setter: frameworks put their own on the element.
	Reflect.set(Object.getPrototypeOf(field), 'value', text, field);
	filled.set(field, field.value);
	for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
};

const widget = (host) => {
	const internals = host.attachInternals();
	const root = host.attachShadow({ mode: 'open', delegatesFocus: true });
	const label = make('label', { for: 'input', part: 'label' });
	const status = make('p', { id: 'status', part: 'status', 'aria-live': 'polite' });
	const input = make('input', {
		id: 'input', part: 'input', type: 'search', role: 'combobox', autocomplete: 'off', spellcheck: false,
		'aria-autocomplete': 'list', 'aria-controls': 'list', 'aria-describedby': 'status',
	});
	const list = make('ul', { id: 'list', part: 'list', role: 'listbox' });
	const button = make('button', { part: 'manual', type: 'button' });
	/** Answers by path: deleting a letter sends no request. */
	let answers = {};
	let address = null;
	let found = [];
	let active = -1;
	/** The text of the last search; no request while the field has it. */
	let asked = '';
	/** Set for entry by hand and after a failure: nothing is required. */
	let free = false;
	let pause = {};
	let pending, timer, form;

	const get = (name, otherwise = '') => host.getAttribute(name) ?? otherwise;
	const text = (name, what) => (TEXTS[(host.closest('[lang]') ?? document.documentElement).lang.slice(0, 2).toLowerCase()] ?? TEXTS.nl)[name]?.replace('#', what) ?? '';
	const say = (...words) => { status.textContent = words.join(' '); };
	const scope = () => internals.form ?? host.getRootNode();
	const emit = (name, detail) =>
		host.dispatchEvent(new CustomEvent(`postduif-${name}`, { detail, bubbles: true, composed: true }));

	/** Whether the form's fields were filled in without this widget, which then does not block the form. */
	const elsewhere = () => fields().some(([field]) => !field.options && field.value && field.value !== filled.get(field));

	const settle = (chosen = address) => {
		address = chosen;
		internals.setFormValue(address?.id ?? input.value);
		internals.setValidity({ valueMissing: input.required && !address && !free && !elsewhere() }, text('missing'), input);
	};

	const heed = () => settle();
	const follow = (next) => {
		for (const type of ['input', 'focusin']) {
			form?.removeEventListener(type, heed);
			next?.addEventListener(type, heed);
		}
		form = next;
	};

	const move = (to) => {
		active = to;
		[...list.children].forEach((option, at) => { option.ariaSelected = at === to; });
		input.setAttribute('aria-activedescendant', list.children[to]?.id ?? '');
		list.children[to]?.scrollIntoView({ block: 'nearest' });
	};

	const open = (wanted) => {
		list.hidden = !wanted || root.activeElement !== input;
		input.ariaExpanded = !list.hidden;
		move(-1);
	};

	/** Lists the suggestions; the last row is for entry by hand. */
	const show = (suggestions, ...words) => {
		found = suggestions;
		say(...words);
		const typed = spaced(input.value);
		const rows = found.map((each) => spaced(each.label).split(', ').flatMap((piece, at) =>
			[' ', make('span', { part: ['name', 'detail'][at] }, ...marked(piece, typed))]));
		list.replaceChildren(...[...rows, [text('manual')]].map((row, at) => Object.assign(
			make('li', { id: `o${at}`, role: 'option', part: found[at] ? 'option' : 'manual' }, ...row),
			{ onclick: () => choose(at) })));
		open(true);
	};

	const stop = () => {
		clearTimeout(timer);
		pending?.abort();
	};

	const rest = () => {
		stop();
		show([], text('hint'));
		open(false);
	};

	/** The form's fields, with what goes into them. */
	const fields = (values = parts({})) => {
		const section = get('section');
		let first;
		return [...internals.form?.elements ?? scope().querySelectorAll('input, select, textarea')].flatMap((field) => {
			const own = field.dataset.postduif;
			const words = clean(own ?? field.getAttribute('autocomplete') ?? '').split(' ');
			const name = words.pop();
			if (!own && !(name in values)) return [];
			const fits = section ? words.includes(section) : own || (first ??= `${words}`) === `${words}`;
			return fits ? [[field, values[name]]] : [];
		});
	};

	const uncover = () => {
		for (const box of scope().querySelectorAll('[data-postduif-fields]')) box.hidden = false;
		free = true;
		settle();
	};

	const halt = (again) => {
		const left = pause.until - Date.now();
		if (pause.kind === 'limit' && left < 60_000) {
			timer = setTimeout(again, left);
			return show(found, text('limit', Math.ceil(left / 1000)));
		}
		asked = '';
		uncover();
		show([], text(pause.kind === 'refused' ? 'refused' : 'failed'), text('manual'));
	};

	/** The answer; nothing if the request failed or was cancelled. After a limit `again` continues. */
	const ask = async (path, again) => {
		if (answers[path]) return answers[path];
		if (Date.now() < pause.until) return halt(again);
		const { href: url } = new URL(`${get('base', BASE)}/v1/${path}`, location);
		const { signal } = pending = new AbortController();
		const begun = Date.now();
		let kind;
		const timers = [
			setTimeout(() => { say(text('busy')); open(true); }, BUSY_MS),
			setTimeout(() => { kind = 'slow'; pending.abort(); }, SLOW_MS),
		];
		const response = await fetch(url, { signal, headers: { 'X-Api-Key': get('api-key') } }).catch(() => {});
		const body = await response?.json().catch(() => {});
		// A page that the key does not list cannot read the refusal: check whether the server is there.
		const there = response || await fetch(url, { mode: 'no-cors', signal }).then(() => 'refused', () => 'offline');
		timers.forEach(clearTimeout);
		if (signal.aborted && !kind) return;
		const status = response?.status ?? 0;
		const headers = Object.fromEntries(response?.headers ?? []);
		emit('answer', { url, status, ms: Date.now() - begun, body, headers });
		if (body?.data) {
			const paths = Object.keys(answers);
			if (paths.length > 200) delete answers[paths[0]];
			return answers[path] = body;
		}
		kind ??= status ? { 401: 'refused', 403: 'refused', 429: 'limit' }[status] ?? 'failed' : there;
		fail(kind, status, +(headers['retry-after'] ?? { limit: 1, refused: 600 }[kind] ?? 0), again);
	};

	const fail = (kind, status, retryAfter, again) => {
		pause = { kind, until: Date.now() + 1000 * retryAfter };
		emit('error', { kind, status, retryAfter });
		halt(again);
	};

	/** An answer of an unexpected shape counts as a failure. */
	const safely = (work) => (given) => work(given).catch(() => {
		answers = {};
		fail('failed', 200, 0);
	});

	const search = safely(async () => {
		const answer = await ask(`autocomplete?${new URLSearchParams({ q: asked, limit: get('limit', 8) })}`, search);
		const typed = clean(input.value);
		if (answer?.meta.query !== typed) return;
		const whole = answer.data.find(({ id, value }) => !id && bare(value) === bare(typed));
		const others = answer.data.filter((each) => each !== whole);
		if (others.length) show(others, text(whole?.type), text(others[1] ? 'many' : 'one', others.length));
		else show([], text(whole?.type) || text('none'), text('manual'));
		const fits = others.filter(({ id, label }) => id && bare(typed).includes(bare(label)));
		if (fits.length === 1) move(others.indexOf(fits[0]));
	});

	const changed = (wait) => {
		const typed = clean(input.value);
		if (typed === asked) return;
		stop();
		asked = typed;
		const had = address;
		settle(null);
		if (had) emit('clear');
		if (typed.length < 2) rest();
		else timer = setTimeout(search, wait);
	};

	const take = safely(async (suggestion) => {
		const answer = await ask(`addresses/${encodeURIComponent(suggestion.id)}`, () => take(suggestion));
		if (!answer) return;
		settle(answer.data);
		say(text('chosen', spaced(suggestion.label)));
		for (const [field, value] of fields(parts(address))) put(field, value);
		emit('select', { address, suggestion });
	});

	const manual = () => {
		rest();
		uncover();
		emit('manual');
		fields().find(([field]) => field.checkVisibility() && !field.disabled)?.[0].focus();
	};

	const choose = (at) => {
		const suggestion = found[at];
		if (!suggestion) return manual();
		input.value = suggestion.value;
		if (!suggestion.id) return changed(0);
		rest();
		asked = clean(input.value);
		take(suggestion);
	};

	const write = (words = get('value')) => {
		input.value = words;
		asked = clean(words);
		rest();
		settle(null);
	};

	const clear = () => {
		write('');
		emit('clear');
	};

	input.onkeydown = (event) => {
		const { key, altKey } = event;
		const step = { ArrowDown: 1, ArrowUp: -1 }[key];
		if (event.isComposing) return;
		if (step) {
			const to = active + step;
			open(!altKey || step > 0);
			if (!altKey) move(list.children[to] ? to : step > 0 ? 0 : found.length);
		} else if (key === 'Enter' && active >= 0) choose(active);
		else if (key === 'Escape' && !list.hidden) open(false);
		else if (key === 'Escape' && input.value) clear();
		else return void (/^(Home|End|Arrow)/.test(key) && move(-1));
		event.preventDefault();
		event.stopPropagation();
	};

	input.onpaste = (event) => {
		if (input.selectionEnd - input.selectionStart < input.value.length) return;
		event.preventDefault();
		input.value = tidy(event.clipboardData.getData('text'));
		changed(0);
	};

	const draw = (name) => {
		label.textContent = list.ariaLabel = get('label', text('label'));
		button.textContent = text('manual');
		input.placeholder = get('placeholder');
		input.required = host.hasAttribute('required');
		if (/api-key|base/.test(name)) [answers, pause] = [{}, {}];
		if (name === 'lang') asked = '';
		if (!asked) rest();
		settle();
	};

	root.adoptedStyleSheets = [STYLE];
	root.append(label, status, make('div', {}, input, list), button);
	input.oninput = () => changed(DEBOUNCE_MS);
	input.onclick = () => open(found.length);
	input.onblur = () => open(false);
	// Otherwise the field loses the focus and the list closes.
	list.onmousedown = (event) => event.preventDefault();
	button.onclick = manual;

	return {
		input, draw, write, clear, stop, follow, address: () => address,
		disable: (disabled) => { input.disabled = button.disabled = disabled; },
		reset: () => { free = false; write(); },
	};
};

customElements.define('postduif-address', class extends HTMLElement {
	static version = '1.1.0';
	static formAssociated = true;
	static observedAttributes = ['label', 'lang', 'placeholder', 'required', 'value', 'api-key', 'base'];
	#own = widget(this);

	get address() { return this.#own.address(); }
	get value() { return this.#own.input.value; }
	set value(text) { text === this.value || this.#own.write(text); }
	clear() { this.#own.clear(); }
	connectedCallback() { this.#own.draw(); }
	disconnectedCallback() { this.#own.stop(); }
	attributeChangedCallback(name, before, after) {
		if (before === after) return;
		if (name === 'value') this.#own.write();
		this.#own.draw(name);
	}
	formAssociatedCallback(form) { this.#own.follow(form); }
	formDisabledCallback(disabled) { this.#own.disable(disabled); }
	formResetCallback() { this.#own.reset(); }
});
}
