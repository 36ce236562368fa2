// The start of the page: the URL fragment, the language, the panels.

import { startAccess, showKeyError } from './access.js';
import { startCheck } from './check.js';
import { startLanguage } from './dom.js';
import { startForm, type } from './form.js';
import { startNear } from './near.js';
import { startNumber } from './number.js';
import { isKey, useKey } from './service.js';

takeFragment();
startLanguage();
startAccess();
startNumber();
const { check } = startCheck();
startForm(check);
startNear();
addEventListener('hashchange', takeFragment);
document.querySelector('main').hidden = false;
document.querySelector('.corner').hidden = false;

/** Takes a key and a first text from `#key=…&q=…`, and removes both from the URL before the first request. */
function takeFragment() {
  if (!/^#(key|q)=/.test(location.hash)) return;
  const given = new URLSearchParams(location.hash.slice(1));
  history.replaceState(null, '', location.pathname + location.search);
  const key = given.get('key');
  if (key !== null && isKey(key)) useKey(key);
  else if (key !== null) showKeyError(true);
  if (given.get('q')) type(given.get('q'));
}
