// With a refused key, or a slow, overloaded or absent service, the widget reports it and the form still works.
'use strict';

const assert = require('node:assert/strict');
const { LIVE, KEY, createKey, serve, stopClock, isAccessible, picture } = require('../harness.js');
const { test } = require('../testing.js');
const { FIELDS, widget: element, shopPage, withShop, events, values } = require('./shop.js');

const EXPECTED_ERRORS = { expected: /Failed to load resource|blocked by CORS policy/ };
const CORS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Retry-After' };
const SEARCH_IS_DOWN = 'Adressen zoeken lukt nu even niet. Vul je adres zelf in.';
const pageWithHiddenFields = (attributes = '', key = KEY) => shopPage(`${element(attributes, key)}<div data-postduif-fields hidden>${FIELDS}</div>`);

/** Waits for the message, then chooses entry by hand, which must be the only option in the list. */
async function chooseEntryByHand(page, widget, words) {
  await widget.status.getByText(words).or(page.getByText(words)).first().waitFor();
  assert.deepEqual(await widget.options.allInnerTexts(), ['Adres zelf invullen']);
  assert.equal(await page.getByLabel('Straat').isVisible(), true, 'the fields are visible at once');
  await widget.input.press('ArrowDown');
  await widget.input.press('Enter');
  await page.keyboard.type('Dorpsstraat 64');
  assert.equal((await values(page))[0], 'Dorpsstraat 64');
  assert.equal(await page.evaluate(() => document.forms[0].checkValidity()), true, 'the form is not blocked');
}

test('a page of a listed origin can read the remaining quota', async () => {
  await withShop(shopPage(), {}, async (page, widget) => {
    const key = await createKey(new URL(page.url()).origin, '--read-only');
    await widget.host.evaluate((host, given) => host.setAttribute('api-key', given), key);
    await widget.input.fill('dorpss');
    await widget.answered();
    const [answer] = await events(page, 'answer');
    assert.deepEqual([answer.status, answer.body.meta.query, new URL(answer.url).host], [200, 'dorpss', LIVE]);
    assert.ok(Number(answer.headers['x-quota-remaining']) > 0, JSON.stringify(answer.headers));
    assert.match(answer.headers['x-request-id'], /^[0-9a-f-]{36}$/);
    assert.ok(answer.ms >= 0);
  });
});

test('on a page of an unlisted origin the widget shows a message after one request, and sends no other', async () => {
  const key = await createKey('https://shop.example.org');
  await withShop(pageWithHiddenFields('required', key), { ...EXPECTED_ERRORS, fakeClock: true }, async (page, widget) => {
    await widget.input.fill('dorpss');
    await page.waitForFunction(() => globalThis.events.some(({ name }) => name === 'error'));
    const [{ kind, status }] = await events(page, 'error');
    assert.deepEqual([kind, status], ['refused', 0]);
    await widget.input.fill('dorpsstraat');
    await page.clock.runFor(1_000);
    assert.equal((await events(page, 'answer')).length, 1, 'no further request is sent');
    await isAccessible(page, 'refused');
    await picture(page, 'widget-refused');
    await chooseEntryByHand(page, widget, 'Adressen zoeken lukt nu even niet. Vul je adres zelf in.');
  });
});

test('a 401 that the page can read is handled like an unlisted origin', () => withShop(pageWithHiddenFields('required'), EXPECTED_ERRORS, async (page, widget) => {
  await page.route(/\/api\/v1\//, (route) => route.fulfill({ status: 401, headers: CORS, json: { error: { code: 'invalid_api_key', message: 'Invalid API key' } } }));
  await widget.input.fill('dorpss');
  await chooseEntryByHand(page, widget, 'Adressen zoeken lukt nu even niet.');
  const [{ kind, status }] = await events(page, 'error');
  assert.deepEqual([kind, status], ['refused', 401]);
}));

test('an unreachable service is reported', async () => {
  const { origin, close } = await serve('');
  await close();
  await withShop(pageWithHiddenFields(`required base="${origin}/api"`), { expected: /ERR_CONNECTION_REFUSED/ }, async (page, widget) => {
    await widget.input.fill('dorpss');
    await chooseEntryByHand(page, widget, 'Adressen zoeken lukt nu even niet.');
    assert.equal((await events(page, 'error'))[0].kind, 'offline');
  });
});

test('fields inside the element are sent without the script, and the script replaces them', () => withShop(
  shopPage(element('mode="postcode" name="address"').replace('><', '><input name="address_postcode" value="3931AX"><input name="address_number" value="62"><')),
  { ...EXPECTED_ERRORS, isNew: true }, async (page) => {
    const data = () => page.evaluate(() => [...new FormData(document.forms[0])].map((each) => each.join(':')).join(' '));
    await page.locator('postduif-address[data-state=confirmed]').waitFor();
    assert.equal(await data(), 'address:0351200000024191 address_postcode:3931AX address_number:62 address_street:Dorpsstraat address_city:Schapenhoek address_addition:');
    await page.route(/widget\.js/, (route) => route.abort());
    await page.reload();
    assert.equal(await data(), 'address_postcode:3931AX address_number:62');
  }));

test('a 503, and an answer that is no JSON, are failures', async () => {
  for (const answer of [{ status: 503, json: { error: { code: 'index_unavailable', message: '…' } } }, { status: 200, body: '<html>' }]) {
    await withShop(pageWithHiddenFields(), EXPECTED_ERRORS, async (page, widget) => {
      await page.route(/\/api\/v1\//, (route) => route.fulfill({ ...answer, headers: CORS }));
      await widget.input.fill('dorpss');
      await chooseEntryByHand(page, widget, SEARCH_IS_DOWN);
      assert.deepEqual((await events(page, 'error')).map(({ kind, status }) => [kind, status]), [['failed', answer.status]]);
    });
  }
});

test('with a slow service, manual entry is offered soon, and a message comes after five seconds', () => withShop(pageWithHiddenFields('required'), { fakeClock: true }, async (page, widget) => {
  await page.route(/\/api\/v1\//, () => {});
  await stopClock(page);
  await widget.input.fill('dorpss');
  // The widget waits this long for further keys.
  await page.clock.runFor(150);
  await page.clock.runFor(400);
  assert.equal(await widget.list.isVisible(), true, 'the list is open while the widget waits');
  assert.equal(await widget.options.last().innerText(), 'Adres zelf invullen');
  assert.equal(await widget.status.innerText(), 'Zoeken…');
  await page.clock.runFor(4_599);
  assert.equal(await widget.status.innerText(), 'Zoeken…');
  await page.clock.runFor(1);
  await chooseEntryByHand(page, widget, SEARCH_IS_DOWN);
  assert.equal((await events(page, 'error'))[0].kind, 'slow');
}));

test('at the rate limit the widget says so, waits, and then continues the search', () => withShop(shopPage(), { ...EXPECTED_ERRORS, fakeClock: true }, async (page, widget) => {
  let refused = 0;
  await page.route(/\/autocomplete/, (route) => {
    refused += 1;
    return refused > 1 ? route.continue() : route.fulfill({
      status: 429, headers: { ...CORS, 'Retry-After': '2' }, json: { error: { code: 'rate_limit_exceeded', message: 'Rate limit exceeded' } },
    });
  });
  await stopClock(page);
  await widget.input.fill('dorps');
  await page.clock.runFor(150);
  await page.waitForFunction(() => globalThis.events.some(({ name }) => name === 'error'));
  assert.equal(await widget.status.innerText(), 'Even geduld, over 2 sec. zoeken we verder.');
  await widget.input.fill('dorpss');
  await page.clock.runFor(1_999);
  assert.equal(refused, 1, 'no request is sent in the meantime');
  await page.clock.runFor(1);
  await widget.suggestions.first().waitFor();
  assert.deepEqual(widget.asked, ['dorps', 'dorpss']);
  assert.deepEqual((await events(page, 'error')).map(({ kind, status, retryAfter }) => [kind, status, retryAfter]), [['limit', 429, 2]]);
}));

test('a rate limit after the choice only delays the filling of the form', () => withShop(shopPage(), EXPECTED_ERRORS, async (page, widget) => {
  let refused = false;
  await page.route(/\/addresses\//, (route) => {
    if (refused) return route.continue();
    refused = true;
    return route.fulfill({ status: 429, headers: { ...CORS, 'Retry-After': '1' }, json: { error: { code: 'rate_limit_exceeded', message: '…' } } });
  });
  await widget.type('dorpsstraat 64');
  await widget.suggestions.first().click();
  await page.waitForFunction(() => globalThis.events.some(({ name }) => name === 'select'));
  assert.deepEqual(await values(page), ['Dorpsstraat 64', '3931AX', 'Schapenhoek']);
}));

test('with an exhausted monthly quota the widget does not wait', () => withShop(pageWithHiddenFields('required'), EXPECTED_ERRORS, async (page, widget) => {
  await page.route(/\/api\/v1\//, (route) => route.fulfill({ status: 429, headers: { ...CORS, 'Retry-After': '1209600' }, json: { error: { code: 'quota_exceeded', message: '…' } } }));
  await widget.input.fill('dorpss');
  await chooseEntryByHand(page, widget, SEARCH_IS_DOWN);
}));

test('a strict Content-Security-Policy of the shop needs no exception', async () => {
  const policy = `default-src 'none'; script-src http://${LIVE}; connect-src http://${LIVE}; style-src 'none'; require-trusted-types-for 'script'`;
  const html = shopPage(undefined, { head: '' });
  const content = (request, response) => response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy }).end(html);
  await withShop(content, {}, async (page, widget) => {
    await widget.type('dorpsstraat 64');
    assert.notEqual(await widget.list.evaluate((list) => getComputedStyle(list).position), 'static', 'its style is applied');
    await widget.suggestions.first().click();
    await page.waitForFunction(() => globalThis.events.some(({ name }) => name === 'select'));
    assert.deepEqual(await values(page), ['Dorpsstraat 64', '3931AX', 'Schapenhoek']);
  });
});
