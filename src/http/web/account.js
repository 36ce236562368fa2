// The page of an account: the form for the key, the request, and the answer. The key is neither in the URL nor in the storage.

import { ACCOUNT_TEXTS } from './account-texts.js';
import { overview } from './account-view.js';
import { addTexts, redrawOnLanguageChange, el, locale, setText, startLanguage, t } from './dom.js';
import { address, isKey } from './service.js';

const TIMEOUT_MS = 15_000;

const [field, fieldError, forget, progress, trouble, overviewElement] =
  ['key', 'key-error', 'forget', 'progress', 'trouble', 'overview'].map((id) => document.getElementById(id));
const form = document.querySelector('form');
const submit = form.querySelector('[type=submit]');

/** The key that was entered last; kept in memory only. */
let key = null;
/** `{account, at}` or `{problem, values}`; null before the first answer, and while the next answer is awaited. */
let answer = null;
let isLoading = false;

addTexts(ACCOUNT_TEXTS);
startLanguage();
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const text = field.value.trim();
  if (isLoading) return;
  if (!text && key !== null) return void load();
  showFieldError(!text ? 'account.missing' : isKey(text) ? null : 'account.noKey');
  if (!isKey(text)) return field.focus();
  key = text;
  field.value = '';
  load();
});
forget.addEventListener('click', () => {
  key = null;
  answer = null;
  field.value = '';
  showFieldError(null);
  draw();
  field.focus();
});
redrawOnLanguageChange(draw);
document.querySelector('main').hidden = false;
document.querySelector('.corner').hidden = false;

function showFieldError(text) {
  fieldError.hidden = text === null;
  setText(fieldError, text);
  field.setAttribute('aria-invalid', String(text !== null));
}

async function load() {
  isLoading = true;
  answer = null;
  draw();
  const asked = key;
  const got = await ask(asked);
  isLoading = false;
  // Drop the answer if the key was changed or removed meanwhile.
  if (key === asked) answer = got;
  draw();
}

async function ask(apiKey) {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(address('/v1/account'), { headers: { 'X-Api-Key': apiKey }, cache: 'no-store', signal });
    if (response.status === 200) return { account: (await response.json()).data, at: new Date() };
    return { problem: problem(response.status), values: { status: response.status, count: Number(response.headers.get('Retry-After') ?? 1) } };
  } catch {
    return { problem: signal.aborted ? 'account.late' : 'account.down' };
  }
}

function problem(status) {
  return { 401: 'account.refused', 403: 'account.forbidden', 429: 'account.limited' }[status] ?? 'account.unwell';
}

function draw() {
  const account = answer?.account;
  progress.textContent = isLoading ? t('account.loading') : account ? t('account.loaded', { time: answer.at.toLocaleTimeString(locale()) }) : '';
  submit.disabled = isLoading;
  forget.hidden = key === null;
  overviewElement.hidden = !account;
  overviewElement.replaceChildren(...(account ? overview(account) : []));
  trouble.hidden = !answer?.problem;
  trouble.replaceChildren(...(answer?.problem ? problemParts(answer) : []));
}

function problemParts({ problem: text, values }) {
  // Another try with the same key can help unless the key was refused.
  const canRetry = !['account.refused', 'account.forbidden'].includes(text);
  return [el('p', {}, t(text, values)), canRetry ? el('button', { type: 'button', class: 'second', onclick: load }, t('account.again')) : ''];
}
