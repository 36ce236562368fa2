// If the trial key is switched off, the test page says so and asks for a key.
'use strict';

const assert = require('node:assert/strict');
const { KEY, isAccessible, picture } = require('../harness.js');
const { test } = require('../testing.js');
const { withTestPage, panel } = require('./shared.js');

test('without a trial key the page asks for a key, which then works', async () => {
  await withTestPage({ expected: /401/ }, async (page) => {
    const number = await panel(page, 'number');
    await number.example('6545CA 29').first().click();
    await page.getByRole('alert').getByText('De proefsleutel is op deze server uitgeschakeld.').waitFor();
    await isAccessible(page, 'no trial key');
    await picture(page, 'page-no-trial-key');
    await number.message.getByRole('button', { name: 'Eigen sleutel gebruiken' }).click();
    assert.equal(await page.evaluate(() => document.activeElement.id), 'key');
    await page.keyboard.type(KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    await number.fill({ postcode: '3931AA', number: '1' });
    await number.send();
    await number.message.getByText(/adres(sen)? gevonden/).waitFor();
  });
});
