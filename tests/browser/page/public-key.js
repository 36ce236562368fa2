// If the public live key is enabled, the test page finds real addresses with it.
'use strict';

const assert = require('node:assert/strict');
const { withPage, isAccessible, picture } = require('../harness.js');
const { test } = require('../testing.js');
const { ORIGIN, TRIAL_KEY, panel, openAccess } = require('./shared.js');

/** Opens the test page and passes it to `use`, with the public live key. */
async function withPublicKey(options, use) {
  await withPage(options, async (page) => {
    await page.goto(ORIGIN);
    await page.locator('main').waitFor();
    await use(page, await page.locator('meta[name=public-live-key]').getAttribute('content'));
  });
}

test('with a public live key the field finds real addresses, and the page names no examples', async () => {
  await withPublicKey({}, async (page, key) => {
    const find = page.locator('#find');
    await find.getByText('Probeer het met je eigen adres.').waitFor();
    assert.equal(await find.locator('.example').count(), 0);
    assert.equal(await page.getByText('vier voorbeeldadressen').count(), 0);
    await isAccessible(page, 'with a public live key');
    const sent = page.waitForRequest('**/api/v1/autocomplete**');
    await find.locator('postduif-address input').fill('dorpsstraat 64 schapenhoek');
    assert.equal((await sent).headers()['x-api-key'], key);
    await find.locator('[part=option]').first().click();
    await find.locator('address').getByText('Dorpsstraat 64').waitFor();
    await picture(page, 'page-public-key', {});
  });
});

test('the page shows the limit per IP of the public live key, but the key neither on the screen nor in the curl command', async () => {
  await withPublicKey({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page, key) => {
    await openAccess(page);
    await page.locator('#key-status').getByText('Sleutel van deze pagina').waitFor();
    await page.locator('#limits').getByText('nog 120 van 120').waitFor();
    assert.equal(await page.locator('#own-key-off').isVisible(), false);
    const number = await panel(page, 'number');
    await number.fill({ postcode: '3931AA', number: '1' });
    await number.send();
    await number.message.getByText(/adres(sen)? gevonden/).waitFor();
    await page.locator('#limits').getByText('nog 119 van 120').waitFor();
    await number.exchange.getByRole('button', { name: 'Kopiëren' }).click();
    await number.exchange.getByRole('button', { name: 'Gekopieerd' }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /'X-Api-Key: pd_live_…'/);
    assert.ok(!(await page.locator('body').innerText()).includes(key));
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  });
});

test('the trial key can replace the public live key, and a button restores it', async () => {
  await withPublicKey({}, async (page) => {
    await openAccess(page);
    await page.getByLabel('Sleutel', { exact: true }).fill(TRIAL_KEY);
    await page.keyboard.press('Enter');
    await page.locator('#find').getByText('Dit veld kent vier voorbeeldadressen.').waitFor();
    assert.equal(await page.locator('#find .example').count(), 4);
    await openAccess(page);
    await page.getByRole('button', { name: 'Terug naar de sleutel van deze pagina' }).click();
    await page.getByText('Probeer het met je eigen adres.').waitFor();
  });
});
