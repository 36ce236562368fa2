// Helpers for the tests of the test page: open it, find its parts, and call the service without a browser.
'use strict';

const { LIVE, KEY, withPage } = require('../harness.js');

const ORIGIN = `http://${LIVE}`;
const TRIAL_KEY = 'pd_test_postduifPublicTrialKeyForSandbox48myOs';

/** Opens the test page with its own key or, with `live`, with the live key of the tests. */
async function withTestPage({ live = false, ...options }, use) {
  await withPage(options, async (page) => {
    await page.goto(`${ORIGIN}/${live ? `#key=${KEY}` : ''}`);
    await page.locator('main').waitFor();
    await use(page);
  });
}

/** Opens the tab of a panel and returns its parts. */
async function panel(page, id) {
  const root = page.locator(`section#${id}`);
  const open = () => page.locator(`#tab-${id}`).evaluate((tab) => { tab.focus(); tab.click(); });
  await open();
  // The last tab has its coordinates in a `details` element, which is closed at first.
  await root.locator('form details').evaluateAll((parts) => parts.forEach((part) => { part.open = true; }));
  return {
    root,
    open,
    message: root.locator('.message'),
    outcome: root.locator('.outcome'),
    exchange: root.locator('.exchange'),
    example: (text) => root.locator('.example', { hasText: text }),
    send: () => root.locator('form.fields [type=submit]').click(),
    byHand: root.getByRole('button', { name: /^(Zelf invullen|Enter by hand)$/ }),
    fill: async (values) => {
      for (const [name, value] of Object.entries(values)) await root.locator(`form.fields [name=${name}]`).fill(value);
    },
    values: () => root.locator('form.fields').evaluate((form) => Object.fromEntries(new FormData(form))),
  };
}

/** Opens the part of the page that has the key, its limits, and the field for another key. */
async function openAccess(page) {
  if (!(await page.locator('#access').evaluate(({ open }) => open))) await page.locator('#access summary').click();
}

/** The service's answer for a key, requested without a browser. */
async function requestJson(path, { key = KEY, body } = {}) {
  const response = await fetch(`${ORIGIN}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'X-Api-Key': key, ...(body && { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' }) },
    body: body && JSON.stringify(body),
  });
  return response.json();
}

/** The first address of the town that a query finds. */
async function addressOf(text) {
  const { data: [{ id }] } = await requestJson(`/v1/autocomplete?${new URLSearchParams({ q: text, type: 'address' })}`);
  return (await requestJson(`/v1/addresses/${id}`)).data;
}

module.exports = { ORIGIN, TRIAL_KEY, withTestPage, panel, openAccess, requestJson, addressOf };
