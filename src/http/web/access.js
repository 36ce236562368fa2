// Shows the key in use, the field for another key, and how many calls the limits still allow.

import { day, redrawOnLanguageChange, el, formatNumber, setText, t } from './dom.js';
import { isDefault, isKey, isPublicLive, isSandbox, isTrial, lastMinute, limitHeaders, perMinute, service, shownKey, useKey } from './service.js';

const [details, keyStatus, trouble, limits, backButton] =
  ['access', 'key-status', 'key-trouble', 'limits', 'own-key-off'].map((id) => document.getElementById(id));
const form = details.querySelector('form');
const field = document.getElementById('key');
const error = document.getElementById('key-error');

/** Shows key and limits, and updates them. */
export function startAccess() {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = field.value.trim();
    showKeyError(!isKey(text));
    if (!isKey(text)) return field.focus();
    field.value = '';
    useKey(text);
    details.open = false;
    details.querySelector('summary').focus();
  });
  service.addEventListener('wanted', () => {
    details.open = true;
    field.focus();
  });
  backButton.addEventListener('click', () => (useKey(null), details.open = false));
  service.addEventListener('key', () => (showKeyError(false), showKeyRefused(0), drawKey()));
  service.addEventListener('answer', ({ status }) => (showKeyRefused(status), drawLimits()));
  setInterval(() => lastMinute().calls && drawLimits(), 1_000);
  redrawOnLanguageChange(drawKey);
}

/** Shows the error for a link that has a malformed key. */
export function reportBadKey() {
  trouble.hidden = false;
  setText(trouble, 'access.noKey');
}

/** Shows or hides the error for an entered key that is malformed. */
function showKeyError(none) {
  error.hidden = !none;
  setText(error, none && 'access.noKey');
  field.setAttribute('aria-invalid', String(none));
}

function drawKey() {
  const kind = isTrial() ? 'trial' : isPublicLive() ? 'public' : isSandbox() ? 'test' : 'live';
  keyStatus.replaceChildren(el('strong', {}, t(`access.${kind}`)), isTrial() || isPublicLive() ? ' ' : ` ${shownKey()} `,
    t(isSandbox() ? 'access.sandbox' : 'access.register'));
  backButton.hidden = isDefault();
  backButton.textContent = t('access.back');
  drawLimits();
}

function showKeyRefused(status) {
  const refused = status === 401;
  if (trouble.hidden && !refused) return;
  trouble.hidden = !refused;
  setText(trouble, refused && (isTrial() ? 'trialOff' : 'refused'));
  if (refused) details.open = true;
}

function drawLimits() {
  const minute = lastMinute();
  const most = perMinute();
  const left = Math.max(0, most - minute.calls);
  const rows = [
    most && ['perMinute', left, most, left === 0 ? t('freeIn', { count: minute.seconds }) : t('fromHere')],
    ['perSecond', number('x-ratelimit-remaining'), number('x-ratelimit-limit'), t('ofKey')],
    ['perMonth', number('x-quota-remaining'), number('x-quota-limit'), period()],
  ];
  limits.replaceChildren(...rows.filter(Boolean).map(meter));
}

function number(header) {
  return header in limitHeaders ? Number(limitHeaders[header]) : null;
}

function period() {
  return isSandbox() || !limitHeaders['x-quota-reset'] ? t('ofAccount') : t('until', { day: day(Number(limitHeaders['x-quota-reset'])) });
}

function meter([name, left, limit, note]) {
  const bar = el('span', { class: 'bar', 'aria-hidden': 'true' });
  const share = left === null ? 0 : limit < 0 ? 1 : left / limit;
  bar.style.setProperty('--left', share);
  bar.classList.toggle('low', left !== null && share < 0.2);
  const value = left === null ? '–' : limit < 0 ? t('unlimited') : t('leftOf', { left: formatNumber(left), limit: formatNumber(limit) });
  return el('div', {}, el('dt', {}, t(name)), el('dd', {}, el('b', {}, value), bar, el('small', {}, note)));
}
