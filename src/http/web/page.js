// Starts the test page: reads the URL fragment, chooses the language, and starts each part of the page.

import { reportBadKey, startAccess } from './access.js';
import { startCheck } from './check.js';
import { startCheckout } from './checkout.js';
import { startLanguage } from './dom.js';
import { startFinder, type } from './finder.js';
import { startNear } from './near.js';
import { startNumber } from './number.js';
import { isKey, useKey } from './service.js';
import { startTabs } from './tabs.js';

takeFragment();
startLanguage();
startTabs();
startAccess();
startNumber();
const { check } = startCheck();
startCheckout(check);
const { around } = startNear();
startFinder(around);
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
  else if (key !== null) reportBadKey();
  if (given.get('q')) type(given.get('q'));
}
