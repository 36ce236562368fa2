// Makes the elements and texts of the test page and of the account page, in the chosen language.

import { TEXTS } from './texts.js';

const LANGUAGE_KEY = 'postduif-language';

const redrawn = [];
let language = 'nl';

/** An element with attributes (listeners if a name begins with `on`) and children: nodes or text, never markup. */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An SVG element with attributes and children, made like an `el`. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child != null));
  return element;
}

/** Adds the texts of another page, which replace those with the same name. */
export function addTexts(more) {
  for (const tag of Object.keys(TEXTS)) Object.assign(TEXTS[tag], more[tag]);
}

/** A text in the chosen language, with `{names}` filled in. A list has the singular and the plural. */
export function t(key, values = {}) {
  const found = TEXTS[language][key] ?? key;
  const text = Array.isArray(found) ? found[values.count === 1 ? 0 : 1] : found;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}

/** The text with this key, or null if this page does not know the key: the service may send new codes. */
export function known(key) {
  return key in TEXTS[language] ? t(key) : null;
}

/** Shows a text in an element, in the chosen language; without a key it empties the element. */
export function setText(element, key) {
  if (key) element.dataset.t = key;
  else delete element.dataset.t;
  element.textContent = key ? t(key) : '';
}

/** A number as written in the chosen language. */
export function formatNumber(number, digits = 0) {
  return number.toLocaleString(locale(), { maximumFractionDigits: digits });
}

/** A day as written in the chosen language. */
export function day(seconds) {
  return new Date(seconds * 1000).toLocaleDateString(locale(), { day: 'numeric', month: 'long' });
}

/** The tag of the chosen language, for dates and numbers. */
export function locale() {
  return language === 'nl' ? 'nl-NL' : 'en-GB';
}

/** Calls `draw` now and at each change of the language. */
export function redrawOnLanguageChange(draw) {
  redrawn.push(draw);
  draw();
}

/** Starts with the stored language, else the browser's, and lets the buttons change it. */
export function startLanguage() {
  const first = navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag in TEXTS) ?? 'en';
  const before = tryStorage(() => localStorage.getItem(LANGUAGE_KEY));
  for (const button of document.querySelectorAll('.languages button')) {
    button.addEventListener('click', () => {
      tryStorage(() => localStorage.setItem(LANGUAGE_KEY, button.lang));
      setLanguage(button.lang);
    });
  }
  setLanguage(before in TEXTS ? before : first);
}

/** Uses a storage; null if the browser blocks it. */
export function tryStorage(use) {
  try {
    return use();
  } catch {
    return null;
  }
}

function setLanguage(chosen) {
  language = chosen;
  document.documentElement.lang = chosen;
  document.title = t('title');
  for (const element of document.querySelectorAll('[data-t]')) element.textContent = t(element.dataset.t);
  for (const element of document.querySelectorAll('[data-t-label]')) {
    element.setAttribute('aria-label', t(element.dataset.tLabel));
  }
  for (const button of document.querySelectorAll('.languages button')) {
    button.setAttribute('aria-pressed', String(button.lang === chosen));
  }
  for (const draw of redrawn) draw();
}
