// The HTML of each kind of address field: as elements of the order form, and as text to copy.

import { el, t } from './dom.js';

const TEXT = /\{(\w+)\}/g;
/** A placeholder, which a reader replaces by the key of the shop. */
const KEY_TO_FILL_IN = 'pd_live_…';

/** The elements of a kind of address field. Their labels follow the language of the page. */
export function elements(mode) {
  const copy = template(mode).content.cloneNode(true);
  for (const label of copy.querySelectorAll('label')) {
    const key = label.firstChild.textContent.match(/\w+/)[0];
    label.firstChild.replaceWith(el('span', { 'data-t': key }, t(key)));
  }
  return [...copy.children];
}

/** The HTML to copy: the widget's script, and a form with this kind of address field. */
export function markup(mode) {
  const lang = document.documentElement.lang === 'en' ? ' lang="en"' : '';
  const inner = template(mode).innerHTML.replace(/\n {4}/g, '\n').trim()
    .replaceAll('=""', '')
    .replace(TEXT, (_, key) => t(key))
    .replace(/(<postduif-address[^>]*)>/, `$1\n    api-key="${KEY_TO_FILL_IN}"${lang}>`);
  return `<script src="${widgetUrl()}" defer></script>

<form>
  ${inner}
  <button>${t('order.send')}</button>
</form>`;
}

function template(mode) {
  return document.querySelector(`template[data-mode=${mode}]`);
}

function widgetUrl() {
  const url = new URL('widget.js', document.baseURI);
  const version = customElements.get('postduif-address')?.version;
  return version ? `${url}?v=${version}` : `${url}`;
}
