// The panels of the test page show the service's answers, for the sandbox and the town.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('../testing.js');
const { ORIGIN, TRIAL_KEY, withTestPage, panel, openAccess, requestJson, addressOf } = require('./shared.js');

test('a look-up in the sandbox shows the address, the request, the curl command and the raw answer', async () => {
  await withTestPage({}, async (page) => {
    const number = await panel(page, 'number');
    await number.example('6545CA 29').first().click();
    await number.message.getByText('1 adres gevonden.').waitFor();
    assert.match(await number.outcome.innerText(), /Waldeck Pyrmontsingel 29[\s\S]*6545 CA Nijmegen[\s\S]*100 m² · bouwjaar 1970/);

    const said = await number.exchange.innerText();
    assert.match(said, /GET \/api\/v1\/addresses\?postcode=6545CA&number=29/);
    assert.match(said, /200 [\d.,]+ ms · \d+ bytes/);
    assert.match(said, /x-quota-limit\s+-1/);
    const curl = await number.exchange.locator('.curl').textContent();
    assert.equal(curl.replaceAll(/\s*\\\n\s*/g, ' '), `curl -H 'X-Api-Key: ${TRIAL_KEY}' '${ORIGIN}/api/v1/addresses?postcode=6545CA&number=29'`);
    const raw = JSON.parse(await number.exchange.locator('.json').textContent());
    assert.deepEqual(raw, await requestJson('/v1/addresses?postcode=6545CA&number=29', { key: TRIAL_KEY }));

    await number.example('3030AC 100').click();
    await number.outcome.getByText('Postbus 100').waitFor();
    await number.example('6545CA 299').click();
    await number.message.getByText('Er is geen adres met dit huisnummer').waitFor();
    await openAccess(page);
    await page.locator('#limits').getByText('onbeperkt').waitFor();
    await page.locator('#limits').getByText('nog 37 van 40').waitFor();
  });
});

test('several addresses at one number are listed with their details, and v3 shows the one that it prefers', async () => {
  const { data } = await requestJson('/v1/addresses?postcode=3931AA&number=3');
  const one = await requestJson('/v3/lookup/3931AA/3');
  assert.ok(data.length > 3);
  await withTestPage({ live: true, expected: /400/ }, async (page) => {
    const number = await panel(page, 'number');
    await number.fill({ postcode: '3931 aa', number: '3' });
    await number.send();
    await number.message.getByText(`${data.length} adressen gevonden.`).waitFor();
    const items = await number.outcome.locator('li').allInnerTexts();
    assert.equal(items.length, data.length);
    data.forEach(({ city, surface, constructionYear, purposes }, at) => {
      for (const part of [city, `${surface} m²`, `bouwjaar ${constructionYear}`, ...purposes]) assert.ok(items[at].includes(part), `${items[at]}: ${part}`);
    });
    await page.getByRole('button', { name: 'Opzoeken met API v3' }).click();
    await number.message.getByText('v3 geeft één adres per nummer').waitFor();
    const shown = await number.outcome.locator('dd').allInnerTexts();
    assert.deepEqual(shown, [...Object.values(one).slice(0, 6).map(String), one.location.coordinates.join(', ')]);
    await number.fill({ postcode: '3931AA', number: '3x' });
    await number.send();
    await number.message.getByText('Vul als huisnummer alleen een getal').waitFor();
  });
});

test('an empty required field is reported beside it, and no request is sent', async () => {
  await withTestPage({}, async (page) => {
    const asking = [];
    page.on('request', (request) => request.url().includes('/api/') && asking.push(request.url()));
    const number = await panel(page, 'number');
    await number.fill({ number: '29' });
    await number.send();
    const field = page.getByRole('textbox', { name: 'Postcode' }).and(number.root.locator('input'));
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    assert.ok(await field.evaluate((input) => input === document.activeElement));
    await number.root.getByText('Vul dit veld in').waitFor();
    assert.deepEqual(asking, []);
  });
});

test('validation explains the error, marks the differences, and applies the correction', async () => {
  await withTestPage({}, async (page) => {
    const check = await panel(page, 'check');
    await check.example('tikfouten in straat en plaats').click();
    await check.message.getByText('Deze straat en plaats horen niet bij deze postcode.').waitFor();
    const rows = check.outcome.locator('tbody tr');
    assert.deepEqual(await rows.locator('del').allTextContents(), ['Hamerstaat', 'Amstedam']);
    assert.deepEqual(await rows.locator('ins').allTextContents(), ['Hamerstraat', 'Amsterdam']);
    assert.deepEqual(await rows.locator('mark').allTextContents(), ['r', 'r']);
    assert.notEqual(await rows.locator('ins mark').first().evaluate((mark) => getComputedStyle(mark).textDecorationLine), 'none');
    await page.getByRole('button', { name: 'Correctie overnemen' }).click();
    await check.message.getByText('Dit adres klopt.').waitFor();
    const { street, city } = await check.values();
    assert.deepEqual([street, city], ['Hamerstraat', 'Amsterdam']);

    await check.example('tikfout in de postcode').click();
    await check.message.getByText('Deze postcode bestaat niet.').waitFor();
    assert.deepEqual(await rows.locator('del mark').allTextContents(), ['B']);
    assert.deepEqual(await rows.locator('ins mark').allTextContents(), ['A']);
    await check.example('slordig, maar goed').click();
    await check.message.getByText('Dit adres klopt.').waitFor();

    await check.fill({ postcode: '9999XX', number: '1', street: '', city: '' });
    await check.send();
    await check.message.getByText('Dit adres is niet gevonden').waitFor();
    await check.fill({ postcode: '12', number: '1' });
    await check.send();
    await check.message.getByText('Dit is geen geldige postcode').waitFor();
  });
});

test('validation of an address of the town with the user’s key', async () => {
  const address = await addressOf('plein 1944 1');
  await withTestPage({ live: true }, async (page) => {
    const check = await panel(page, 'check');
    await check.fill({ postcode: address.postcode, number: '399' });
    await check.send();
    await check.message.getByText('Dit huisnummer bestaat niet bij deze postcode.').waitFor();
    const { data: { suggestion } } = await requestJson('/v1/validate', { body: { postcode: address.postcode, number: 399 } });
    assert.deepEqual(await check.outcome.locator('ins').first().textContent(), String(suggestion.number));
    await check.fill({ number: String(address.number), street: address.street.toUpperCase(), city: address.city });
    await check.send();
    await check.message.getByText('Dit adres klopt.').waitFor();
  });
});
