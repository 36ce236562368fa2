// An input with a list of options; the last option is entry by hand.
//
// Source: ARIA Authoring Practices Guide, Editable Combobox With List Autocomplete.

import { make, marked, spaced } from './text.js';
import { MANUAL } from './texts.js';

/** Pixels between the list and the edge of the screen or the keyboard of a phone. */
const GAP = 8;
const LEAST = 150;
/** The part of the page that is in sight beside the keyboard. */
const view = visualViewport;

/**
 * Lets a widget show a list at its input. An option is `{ name, detail, onChoose }`. While the list is closed, Escape calls the widget's
 * `onEscape`, which returns whether it used the key.
 */
export const addList = (widget, input, list) => {
	/** The active option, and the first one that is not entry by hand. */
	let active, first;

	const highlight = widget.highlight = (option) => {
		active = option;
		for (const each of list.children) each.ariaSelected = each === option;
		input.setAttribute('aria-activedescendant', option?.id ?? '');
		option?.scrollIntoView({ block: 'nearest' });
	};

	const fit = () => {
		const room = () => view.height + view.offsetTop - GAP - list.getBoundingClientRect().top;
		if (!list.hidden && room() < LEAST) input.scrollIntoView();
		list.style.maxHeight = `${Math.max(LEAST, room())}px`;
	};

	widget.open = (isWanted) => {
		list.hidden = !isWanted || !list.firstChild || !input.matches(':focus');
		input.ariaExpanded = !list.hidden;
		// The keyboard of a phone may come after the list.
		view[list.hidden ? 'removeEventListener' : 'addEventListener']('resize', fit);
		fit();
		highlight();
	};

	/**
	 * Shows these options, and one for entry by hand. Marks the typed beginnings of words. The option with index `at` is active. Without
	 * an argument, empties the list.
	 */
	widget.show = (options, typed, at) => {
		[first] = options ?? [];
		const last = { name: widget.phrase(MANUAL), onChoose: widget.enterByHand };
		list.replaceChildren(...(options ? [...options, last] : []).filter(({ name }) => name).map((each, place) => {
			const isLast = each === last;
			const words = ['name', 'detail'].flatMap((part) => [make('span', part, {}, ...marked(each[part] || '', isLast ? '' : spaced(typed))), ' ']);
			const option = make('li', isLast ? 'manual' : 'option', { id: `o${place}`, role: 'option' }, ...words);
			option.onclick = each.onChoose;
			return option;
		}));
		widget.open(true);
		highlight(list.children[at]);
	};

	/** Handles a key. Returns whether the list used it. */
	const press = ({ key, altKey }) => {
		const isDown = key === 'ArrowDown';
		if (isDown || key === 'ArrowUp') {
			// From a single suggestion, which may be active already, ArrowDown does not go on to entry by hand.
			const next = isDown ? list.children[2] && active?.nextSibling || list.firstChild : active?.previousSibling || list.lastChild;
			widget.open(!altKey || isDown);
			if (!altKey) highlight(next);
			return true;
		}
		if (key === 'Escape') return list.hidden ? widget.onEscape() : !widget.open(false);
		if (key === 'Enter') return active && !active.click();
		if (/Home|End|Arrow/.test(key)) highlight();
	};

	input.onkeydown = (event) => {
		// In Safari, the Enter that ends a composition is marked only by keyCode 229, not by `isComposing`.
		if (event.isComposing || event.keyCode === 229 || !press(event)) return;
		event.preventDefault();
		event.stopPropagation();
	};
	// Keeps the focus in the field, because the list closes when the field loses it.
	list.onmousedown = (event) => event.preventDefault();
	input.onclick = () => widget.open(first);
};
