// Which key the test page uses, where it keeps the key, and where it never shows it.
'use strict';

const assert = require('node:assert/strict');
const { KEY, withPage, isAccessible } = require('../harness.js');
const { test } = require('../testing.js');
const { ORIGIN, TRIAL_KEY, withTestPage, panel, openAccess } = require('./shared.js');

test('a key in the fragment is used, and removed from the URL before any request', async () => {
  await withPage({}, async (page) => {
    const seen = [];
    page.on('request', (request) => seen.push([request.url(), request.headers()['x-api-key'], page.url()]));
    await page.goto(`${ORIGIN}/#key=${KEY}`);
    await page.getByText('werkt met alle adressen').waitFor();
    assert.equal(page.url(), `${ORIGIN}/`);
    const number = await panel(page, 'number');
    assert.equal(await number.example('6545CA 29').count(), 0, 'a live key has no examples of the sandbox');
    await number.fill({ postcode: '3931AA', number: '1' });
    await number.send();
    await number.message.getByText('1 adres gevonden.').or(number.message.getByText('adressen gevonden')).waitFor();
    assert.deepEqual(seen.filter(([url]) => url.includes(KEY)), [], 'no requested URL contains the key');
    const asking = seen.filter(([url]) => url.includes('/api/'));
    assert.deepEqual(asking.map(([, key, at]) => [key, at]), [[KEY, `${ORIGIN}/#number`]]);
    assert.ok(!(await page.locator('body').innerText()).includes(KEY), 'it is not on the screen');
    assert.equal(await page.evaluate(() => localStorage.length), 0);

    await page.reload();
    await page.getByText('werkt met alle adressen').waitFor();
    await openAccess(page);
    await page.getByRole('button', { name: 'Terug naar de sleutel van deze pagina' }).click();
    await page.getByText('vier vaste adressen').waitFor();
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
    await number.example('6545CA 29').first().click();
    await number.message.getByText('1 adres gevonden.').waitFor();
    assert.equal(seen.at(-1)[1], TRIAL_KEY);
  });
});

test('a key can be entered; an invalid one is reported; the copied curl command has the whole key', async () => {
  await withTestPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
    await page.getByRole('button', { name: 'Eigen sleutel gebruiken' }).click();
    const field = page.getByLabel('Sleutel', { exact: true });
    await field.fill('pd_live_kort');
    await field.press('Enter');
    await page.getByText('Dit is geen geldige sleutel.').waitFor();
    await isAccessible(page, 'an invalid key');
    await field.fill(KEY);
    await field.press('Enter');
    await page.getByText('werkt met alle adressen').waitFor();
    const number = await panel(page, 'number');
    await number.fill({ postcode: '3931AA', number: '1' });
    await number.send();
    await number.exchange.getByRole('button', { name: 'Kopiëren' }).click();
    await number.exchange.getByRole('button', { name: 'Gekopieerd' }).waitFor();
    assert.ok((await page.evaluate(() => navigator.clipboard.readText())).includes(`'X-Api-Key: ${KEY}'`));
  });
});

test('an invalid key in the fragment is reported, and removed from the URL', async () => {
  await withPage({}, async (page) => {
    await page.goto(`${ORIGIN}/#key=pd_live_kort`);
    await page.getByText('Dit is geen geldige sleutel.').waitFor();
    assert.equal(page.url(), `${ORIGIN}/`);
    await page.goto(`${ORIGIN}/#key=${KEY}`);
    await page.getByText('werkt met alle adressen').waitFor();
    await page.getByText('Dit is geen geldige sleutel.').waitFor({ state: 'hidden' });
  });
});

test('a refused key is reported, with a button back to the trial key', async () => {
  const unknown = `${KEY.slice(0, -1)}${KEY.endsWith('a') ? 'b' : 'a'}`;
  await withPage({ expected: /401/ }, async (page) => {
    await page.goto(`${ORIGIN}/#key=${unknown}`);
    const number = await panel(page, 'number');
    await number.fill({ postcode: '3931AA', number: '1' });
    await number.send();
    await page.getByRole('alert').getByText('Deze sleutel werkt hier niet').waitFor();
    await page.getByRole('button', { name: 'Terug naar de sleutel van deze pagina' }).click();
    await page.getByRole('alert').waitFor({ state: 'hidden' });
  });
});
