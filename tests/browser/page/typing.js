// The first panel of the test page: from a few letters to a filled form, and always by hand.
'use strict';

const assert = require('node:assert/strict');
const { test, after } = require('node:test');
const { KEY, closeBrowser, withPage, isAccessible, picture } = require('../harness.js');
const { ORIGIN, withTestPage, panel, addressOf } = require('./shared.js');

after(closeBrowser);

const field = (page) => page.locator('postduif-address input');
const options = (page) => page.locator('postduif-address [part=option]');

/** The form without the field that suggests. */
async function form(page) {
  return page.locator('#address').evaluate((each) => Object.fromEntries([...each.querySelectorAll('input')].map(({ name, value }) => [name, value])));
}

test('a sandbox example, chosen by keyboard, fills form and envelope; each request is shown', async () => {
  await withTestPage({}, async (page) => {
    const type = panel(page, 'type');
    await type.example('6545CA 29').click();
    await options(page).first().waitFor();
    await type.exchange.getByText('/api/v1/autocomplete?q=6545CA+29').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await type.root.getByText('Uit het register.').waitFor();
    const { street, number, postcode, city } = await form(page);
    assert.deepEqual([street, number, postcode, city], ['Waldeck Pyrmontsingel', '29', '6545CA', 'Nijmegen']);
    assert.match(await type.root.locator('address').innerText(), /^Waldeck Pyrmontsingel 29\s+6545 CA\s+Nijmegen$/);
    await type.exchange.getByText('/api/v1/addresses/9999200000000001').first().waitFor();
    await page.locator('#limits').getByText('nog 38 van 40').waitFor();

    await page.locator('#a-number').fill('30');
    await type.root.getByText('Zelf ingevuld.').waitFor();
    await type.root.getByRole('button', { name: 'Controleren' }).click();
    await panel(page, 'check').told.getByText('Dit huisnummer bestaat niet bij deze postcode.').waitFor();
  });
});

test('a query in the URL is searched, and its result is offered in the other panels', async () => {
  const address = await addressOf('dorpsstraat 64 schapenhoek');
  await withPage({ viewport: { width: 1280, height: 1000 } }, async (page) => {
    await page.goto(`${ORIGIN}/#key=${KEY}&q=dorpsstr+64+schap`);
    await options(page).first().waitFor();
    assert.equal(page.url(), `${ORIGIN}/`);
    await isAccessible(page, 'suggestions');
    await picture(page, 'page-suggestions', {});
    await options(page).first().click();
    await page.getByText('Uit het register.').waitFor();
    assert.equal((await form(page)).postcode, address.postcode);
    await panel(page, 'number').example(`${address.postcode} 64`).click();
    await panel(page, 'number').told.getByText(/adres(sen)? gevonden/).waitFor();
    await panel(page, 'check').root.locator('.example').click();
    await panel(page, 'check').outcome.locator('table').waitFor();
    await panel(page, 'near').root.locator('.example').click();
    await page.locator('.dot').first().waitFor({ state: 'attached' });
  });
});

test('manual entry works from the field, and when the service is down', async () => {
  await withTestPage({ expected: /ERR_FAILED/ }, async (page) => {
    await page.getByRole('button', { name: 'Adres zelf invullen' }).click();
    assert.equal(await page.evaluate(() => document.activeElement.id), 'a-street');
    await page.route('**/api/**', (route) => route.abort());
    await field(page).fill('hamer');
    await page.locator('postduif-address [part=status]').getByText('Zoeken lukt nu niet.').waitFor();
    await panel(page, 'type').exchange.getByText('geen antwoord').waitFor();
    await page.locator('#a-street').fill('Eigen weg');
    assert.match(await page.locator('#type address').innerText(), /Eigen weg/);
  });
});

test('manual entry from another panel keeps the entered values, and does not mix two addresses', async () => {
  await withTestPage({}, async (page) => {
    const [type, number, near] = ['type', 'number', 'near'].map((id) => panel(page, id));
    await page.locator('#a-street').fill('Eigen weg');
    await page.locator('#a-city').fill('Nijmegen');
    await near.byHand.click();
    await number.fill({ postcode: '6545CA', number: '29' });
    await number.byHand.click();
    const byHand = { street: 'Eigen weg', number: '29', letter: '', addition: '', postcode: '6545CA', city: 'Nijmegen' };
    assert.deepEqual(await form(page), byHand);

    await number.send();
    await number.outcome.getByRole('button', { name: 'Overnemen' }).click();
    await type.root.getByText('Uit het register.').waitFor();
    await near.byHand.click();
    await type.root.getByText('Uit het register.').waitFor();
    await number.fill({ postcode: '1021JT', number: '19' });
    await number.byHand.click();
    assert.deepEqual([(await form(page)).street, (await form(page)).postcode], ['', '1021JT']);
  });
});

test('the field has the language of the page; another key selects another register', async () => {
  await withTestPage({ locale: 'en-GB' }, async (page) => {
    await page.getByRole('combobox', { name: 'Find an address' }).fill('dorpsstraat 64');
    await page.locator('postduif-address [part=status]').getByText('No address found.').waitFor();
    await page.getByText('Use your own key').click();
    await page.getByLabel('Key', { exact: true }).fill(KEY);
    await page.keyboard.press('Enter');
    await page.getByText('works with all addresses').waitFor();
    await field(page).fill('');
    await field(page).pressSequentially('dorpsstraat 64');
    await options(page).first().waitFor();
    await page.getByRole('button', { name: 'NL, Nederlands' }).click();
    await page.getByRole('combobox', { name: 'Adres zoeken' }).waitFor();
  });
});

test('the time from a key to the first suggestion is measured', async () => {
  await withTestPage({ live: true }, async (page) => {
    const waits = [];
    for (const text of ['dorp', 'plein', 'linde', 'kerk', 'school']) {
      await field(page).fill('');
      await options(page).first().waitFor({ state: 'hidden' });
      waits.push(await page.evaluate(async (typed) => {
        const input = document.querySelector('postduif-address').shadowRoot.querySelector('input');
        const list = input.getRootNode().querySelector('[part=list]');
        input.focus();
        input.value = typed;
        const began = performance.now();
        input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
        while (!(list.checkVisibility() && list.querySelector('[part=option]'))) {
          await new Promise(requestAnimationFrame);
        }
        return performance.now() - began;
      }, text));
    }
    const median = waits.sort((one, other) => one - other)[2];
    console.log(`page: first suggestion ${Math.round(median)} ms after a key (median of ${waits.length}, 150 ms of pause in it)`);
  });
});
