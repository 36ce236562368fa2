// The test page explains every failure, retries by itself where possible, and always offers a next step.
'use strict';

const assert = require('node:assert/strict');
const { isAccessible, picture, stopClock } = require('../harness.js');
const { test } = require('../testing.js');
const { ORIGIN, TRIAL_KEY, withTestPage, panel, openAccess } = require('./shared.js');

const LOOK_UP = { postcode: '6545CA', number: '29' };

test('when the service is down, each panel says so and offers the form', async () => {
  await withTestPage({ expected: /ERR_FAILED/ }, async (page) => {
    await page.route('**/api/**', (route) => route.abort());
    for (const id of ['number', 'check']) {
      const each = await panel(page, id);
      await each.fill(LOOK_UP);
      await each.send();
      await each.message.getByText('De server is niet bereikbaar.').waitFor();
      await each.message.getByRole('button', { name: 'Zelf invullen' }).click();
      const order = page.locator('#order');
      const { postcode, house_number: number, street, addition } = await order.evaluate((form) => Object.fromEntries(new FormData(form)));
      assert.deepEqual({ postcode, number, street, addition }, { ...LOOK_UP, street: '', addition: '' });
      assert.equal(await page.evaluate(() => document.activeElement.name), 'street');
      await page.keyboard.type('Eigen weg');
      assert.match(await order.locator('address').innerText(), /Eigen weg 29\s+6545 CA/);
      await order.getByText('Zelf ingevuld.').waitFor();
      await order.getByRole('button', { name: 'Wissen' }).click();
      await order.getByText('Hier verschijnt het adres.').waitFor();
    }
    await isAccessible(page, 'the service is down');
    await picture(page, 'page-down');
    await page.unroute('**/api/**');
    const number = await panel(page, 'number');
    await number.message.getByRole('button', { name: 'Opnieuw proberen' }).click();
    await number.message.getByText('1 adres gevonden.').waitFor();
    // The pressed button has disappeared, but the focus must stay in its panel.
    assert.ok(await page.evaluate(() => document.getElementById('number').contains(document.activeElement)));
  });
});

test('a slow answer is reported while manual entry works, and is aborted after five seconds', async () => {
  await withTestPage({ fakeClock: true }, async (page) => {
    let asking = 0;
    let arrive;
    const arrived = new Promise((resolve) => { arrive = resolve; });
    await page.route('**/api/**', () => {
      asking += 1;
      arrive();
    });
    await stopClock(page);
    const number = await panel(page, 'number');
    await number.fill(LOOK_UP);
    await number.send();
    // A request that is aborted before it leaves the browser is not counted.
    await arrived;
    await page.clock.runFor(1_500);
    await number.message.getByText('Het duurt langer dan normaal.').waitFor();
    await number.message.getByRole('button', { name: 'Zelf invullen' }).waitFor();
    await page.clock.runFor(3_499);
    assert.equal(await number.message.getByText('Het duurt langer dan normaal.').isVisible(), true);
    await page.clock.runFor(1);
    await number.message.getByText('De server reageerde niet op tijd.').waitFor();
    await number.exchange.getByText('geen antwoord binnen 5 seconden').waitFor();
    assert.equal(asking, 1);
  });
});

test('a rate limit counts down and the page then retries by itself', async () => {
  await withTestPage({ expected: /429/, fakeClock: true }, async (page) => {
    let refused = 0;
    await page.route('**/api/v1/addresses*', (route) => {
      if (refused++) return route.fallback();
      const body = { error: { code: 'rate_limit_exceeded', message: '' } };
      return route.fulfill({ status: 429, headers: { 'Retry-After': '2' }, json: body });
    });
    await stopClock(page);
    const number = await panel(page, 'number');
    await number.fill(LOOK_UP);
    await number.send();
    await number.message.getByText('Te veel verzoeken achter elkaar.').waitFor();
    await number.message.getByText('Over 2 seconden gaat het vanzelf verder.').waitFor();
    await page.clock.runFor(1_000);
    await number.message.getByText('Over 1 seconde gaat het vanzelf verder.').waitFor();
    await page.clock.runFor(1_000);
    await number.message.getByText('1 adres gevonden.').waitFor();
    assert.equal(refused, 2);
  });
});

test('the trial key’s forty calls a minute are counted down, and the limit is explained', async () => {
  await withTestPage({ expected: /429/ }, async (page) => {
    const number = await panel(page, 'number');
    await number.example('6545CA 29').first().click();
    await openAccess(page);
    await page.locator('#limits').getByText('nog 39 van 40').waitFor();
    const ask = () => fetch(`${ORIGIN}/api/v3/lookup/6545CA/29`, { headers: { 'X-Api-Key': TRIAL_KEY } });
    // On a slow machine the calls may fall into two minutes, so call until the limit of one minute is reached.
    while (!(await Promise.all(Array.from({ length: 45 }, ask))).some(({ status }) => status === 429));
    await number.example('1021JT 19').click();
    await number.message.getByText(/Over \d+ seconden? gaat het vanzelf verder\./).waitFor();
    await page.locator('#limits').getByText('nog 0 van 40', { exact: true }).waitFor();
    await number.message.getByRole('button', { name: 'Zelf invullen' }).waitFor();
    await isAccessible(page, 'at the limit');
    await picture(page, 'page-at-the-limit');
  });
});

test('an exhausted quota, a plan without the endpoint and a server error have distinct messages', async () => {
  const answers = [
    [429, 'quota_exceeded', 'Het tegoed van deze maand is op.'],
    [403, 'plan_upgrade_required', 'Dit valt niet onder het abonnement'],
    [503, 'index_unavailable', 'Er ging iets mis op de server (503).'],
  ];
  await withTestPage({ expected: /429|403|503/ }, async (page) => {
    for (const [status, code, text] of answers) {
      await page.route('**/api/v1/addresses*', (route) =>
        route.fulfill({ status, headers: { 'Retry-After': '900000' }, json: { error: { code, message: '' } } }), { times: 1 });
      const number = await panel(page, 'number');
      await number.fill(LOOK_UP);
      await number.send();
      await number.message.getByText(text).waitFor();
      assert.equal(await number.message.getByRole('timer').count(), 0);
      await number.message.getByRole('button', { name: 'Zelf invullen' }).waitFor();
    }
  });
});

test('only temporary failures offer a retry', async () => {
  const answers = [[400, 'invalid_number', 0], [403, 'plan_upgrade_required', 0], [404, 'not_found', 0], [429, 'rate_limit_exceeded', 1], [503, 'index_unavailable', 1]];
  await withTestPage({ expected: /40[034]|429|503/ }, async (page) => {
    const number = await panel(page, 'number');
    await number.fill(LOOK_UP);
    for (const [status, code, offers] of answers) {
      await page.route('**/api/**', (route) => route.fulfill({ status, headers: { 'Retry-After': '60' }, json: { error: { code, message: '' } } }), { times: 1 });
      await number.send();
      await number.exchange.locator('.answer').getByText(String(status)).waitFor();
      await number.byHand.nth(1).waitFor();
      assert.equal(await number.message.getByRole('button', { name: 'Opnieuw proberen' }).count(), offers, `${status}`);
    }
  });
});

test('a 200 from another server is reported, with manual entry', async () => {
  // Unexpected answers: the page of a captive portal, unrelated JSON, and `null`.
  const strange = [{ contentType: 'text/html', body: '<!doctype html><title>Log in</title>' }, { json: { login: true } }, { json: null }];
  await withTestPage({ expected: /TypeError/ }, async (page) => {
    for (const answer of strange) {
      await page.route('**/api/**', (route) => route.fulfill({ status: 200, ...answer }));
      for (const id of ['number', 'check', 'near']) {
        const each = await panel(page, id);
        await each.fill(id === 'near' ? { lon: '5.8696', lat: '51.8416' } : LOOK_UP);
        await each.send();
        await each.message.getByText('De server gaf een onverwacht antwoord (200).').waitFor();
        await each.message.getByRole('button', { name: 'Zelf invullen' }).waitFor();
        await each.root.evaluate((root) => root.querySelector('.message').replaceChildren());
      }
      await (await panel(page, 'number')).root.locator('#ask-v3').click();
      await (await panel(page, 'number')).message.getByText('De server gaf een onverwacht antwoord (200).').waitFor();
      await page.unroute('**/api/**');
    }
  });
});

test('an unknown reason is shown as an address that was not found', async () => {
  await withTestPage({}, async (page) => {
    await page.route('**/api/**', (route) => route.fulfill({ json: { data: { valid: false, reason: 'new_reason', corrections: {} } } }));
    const check = await panel(page, 'check');
    await check.fill(LOOK_UP);
    await check.send();
    await check.message.getByText('Dit adres is niet gevonden').waitFor();
  });
});
