// With a public live key the page finds real addresses; without one it says that it has four examples.
'use strict';

const assert = require('node:assert/strict');
const { test, after } = require('node:test');
const { KEY, withPage, closeBrowser, isAccessible, picture } = require('../harness.js');
const { ORIGIN, TRIAL_KEY, panel, openAccess } = require('./shared.js');

after(closeBrowser);

/** Opens the page with a public live key in its head, as the service serves it where the key is enabled. */
async function withPublicKey(options, use) {
  await withPage(options, async (page) => {
    await page.route(`${ORIGIN}/`, async (route) => {
      const response = await route.fetch();
      const html = await response.text();
      assert.ok(!html.includes('name="public-live-key"'), 'it is disabled');
      const trial = `<meta name="trial-key" content="${TRIAL_KEY}">`;
      assert.ok(html.includes(trial));
      await route.fulfill({ response, body: html.replace(trial, `${trial}\n<meta name="public-live-key" content="${KEY}">`) });
    });
    await page.goto(`${ORIGIN}/`);
    await page.locator('main').waitFor();
    await use(page);
  });
}

test('with a public live key the field finds real addresses, and the page names no examples', async () => {
  await withPublicKey({}, async (page) => {
    const find = page.locator('#find');
    await find.getByText('Je zoekt in alle adressen van deze server.').waitFor();
    assert.equal(await find.locator('.example').count(), 0);
    assert.equal(await page.getByText('vier voorbeeldadressen').count(), 0);
    await isAccessible(page, 'with a public live key');
    const sent = page.waitForRequest('**/api/v1/autocomplete**');
    await find.locator('postduif-address input').fill('dorpsstraat 64 schapenhoek');
    assert.equal((await sent).headers()['x-api-key'], KEY);
    await find.locator('[part=option]').first().click();
    await find.locator('address').getByText('Dorpsstraat 64').waitFor();
    await picture(page, 'page-public-key', {});
  });
});

test('its limit is that of one IP; it is on no screen and in no command, since it works on this page only', async () => {
  await withPublicKey({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
    await openAccess(page);
    await page.locator('#key-status').getByText('Sleutel van deze pagina').waitFor();
    await page.locator('#limits').getByText('nog 120 van 120').waitFor();
    assert.equal(await page.locator('#own-key-off').isVisible(), false);
    const number = await panel(page, 'number');
    await number.fill({ postcode: '3931AA', number: '1' });
    await number.send();
    await number.told.getByText(/adres(sen)? gevonden/).waitFor();
    await page.locator('#limits').getByText('nog 119 van 120').waitFor();
    await number.exchange.getByRole('button', { name: 'Kopiëren' }).click();
    await number.exchange.getByRole('button', { name: 'Gekopieerd' }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /'X-Api-Key: pd_live_…'/);
    assert.ok(!(await page.locator('body').innerText()).includes(KEY));
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  });
});

test('the trial key can take its place, and gives it back', async () => {
  await withPublicKey({}, async (page) => {
    await openAccess(page);
    await page.getByLabel('Sleutel', { exact: true }).fill(TRIAL_KEY);
    await page.keyboard.press('Enter');
    await page.locator('#find').getByText('Dit veld kent vier voorbeeldadressen.').waitFor();
    assert.equal(await page.locator('#find .example').count(), 4);
    await openAccess(page);
    await page.getByRole('button', { name: 'Terug naar de sleutel van deze pagina' }).click();
    await page.getByText('Je zoekt in alle adressen van deze server.').waitFor();
  });
});

test('without one the page says that it has four examples, and offers them', async () => {
  await withPage({}, async (page) => {
    await page.goto(ORIGIN);
    const find = page.locator('#find');
    await find.getByText('Dit veld kent vier voorbeeldadressen. Met een eigen sleutel zoek je in alle adressen.').waitFor();
    for (const text of await find.locator('.example').allTextContents()) {
      await find.locator('.example', { hasText: text }).click();
      await find.locator('[part=option]', { hasText: text }).click();
      await find.locator('address').getByText(text, { exact: true }).waitFor();
    }
    assert.equal(await find.locator('.example').count(), 4);
  });
});
