// An input with a list of options, of which the last is entry by hand.
//
// Source: ARIA Authoring Practices Guide, Editable Combobox With List Autocomplete.

import { make, marked, spaced } from './text.js';

/** Between the list and the edge of the screen, or the keyboard of a phone, in pixels. */
const GAP = 8;
const LEAST = 150;

/** An option is `{ name, detail, onChoose }`; `last` makes the one for entry by hand. */
export const combobox = (input, list, last) => {
	let options = [];
	let active = -1;

	const move = (to) => {
		active = to;
		[...list.children].forEach((option, at) => { option.ariaSelected = at === to; });
		input.setAttribute('aria-activedescendant', list.children[to]?.id ?? '');
		list.children[to]?.scrollIntoView({ block: 'nearest' });
	};

	const open = (isWanted) => {
		list.hidden = !isWanted || input.getRootNode().activeElement !== input;
		input.ariaExpanded = !list.hidden;
		const room = () => visualViewport.height + visualViewport.offsetTop - GAP - input.getBoundingClientRect().bottom;
		if (!list.hidden && room() < LEAST) input.scrollIntoView();
		list.style.maxHeight = `${Math.max(LEAST, room())}px`;
		move(-1);
	};

	const show = (shown, typed = '') => {
		options = shown;
		list.replaceChildren(...[...options, last()].map(({ name, detail, onChoose }, at) => {
			const isLast = !options[at];
			const span = (part, words) => (words ? make('span', { part }, ...marked(words, isLast ? '' : spaced(typed))) : '');
			const option = make('li', { id: `o${at}`, role: 'option', part: isLast ? 'manual' : 'option' }, span('name', name), ' ', span('detail', detail));
			option.onclick = onChoose;
			return option;
		}));
		open(true);
	};

	/** Whether the list used the key. */
	const press = ({ key, altKey }) => {
		const step = { ArrowDown: 1, ArrowUp: -1 }[key];
		const isEscape = key === 'Escape' && !list.hidden;
		if (step) {
			const to = active + step;
			open(!altKey || step > 0);
			if (!altKey) move(list.children[to] ? to : step > 0 ? 0 : options.length);
		} else if (isEscape) open(false);
		else if (key === 'Enter' && active >= 0) list.children[active].click();
		else {
			if (/^(Home|End|Arrow)/.test(key)) move(-1);
			return false;
		}
		return true;
	};

	// Keeps the focus in the field: without it the list closes.
	list.onmousedown = (event) => event.preventDefault();
	input.onclick = () => open(options.length);
	return { show, open, move, press };
};
