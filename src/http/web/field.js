// The address fields of the page, `<postduif-address>`: their key and language, and the requests that they send.

import { t } from './dom.js';
import { key, recordAnswer } from './service.js';

/** Gives an address field the key in use and the language of the page. `label` and `placeholder` are keys of texts, and may be omitted. */
export function updateAddressField(field, label, placeholder) {
  const texts = { 'api-key': key(), lang: document.documentElement.lang, label: label && t(label), placeholder: placeholder && t(placeholder) };
  for (const [name, text] of Object.entries(texts)) {
    if (text && field.getAttribute(name) !== text) field.setAttribute(name, text);
  }
}

/** Counts each call of an address field. Shows the answer in `shown`, if that is given; a POST is shown only if its body is known. */
export function showAnswers(field, shown) {
  field.addEventListener('postduif-answer', ({ detail }) => {
    const answer = asAnswer(detail);
    if (answer.status) recordAnswer(answer.status, answer.headers);
    if (answer.asked.method === 'GET' || answer.asked.body) shown?.show(answer);
  });
}

/** The path of a validation, which is a POST. */
const VALIDATE = '/v1/validate';

function asAnswer({ url, method, sent, status, ms, body, headers }) {
  const { pathname, search } = new URL(url, document.baseURI);
  const path = (pathname + search).slice(new URL('api', document.baseURI).pathname.length);
  const plainHeaders = headers instanceof Headers ? Object.fromEntries(headers) : headers ?? {};
  const size = body == null ? 0 : JSON.stringify(body).length;
  const asked = { method: method ?? (path === VALIDATE ? 'POST' : 'GET'), path, body: sent };
  return { asked, status: status ?? 0, cause: 'down', ms: ms ?? 0, headers: plainHeaders, body: body ?? null, size };
}
