// The field at the head of the page and the order form: from a few letters to a filled form, and entry by hand at any time.
'use strict';

const assert = require('node:assert/strict');
const { KEY, withPage, isAccessible, picture } = require('../harness.js');
const { test } = require('../testing.js');
const { ORIGIN, withTestPage, panel, openAccess, addressOf } = require('./shared.js');

const field = (page) => page.locator('#find postduif-address input');
const options = (page) => page.locator('#find postduif-address [part=option]');
const example = (page, text) => page.locator('#find .example', { hasText: text });

/** The order form's own fields for the address. */
async function order(page) {
  return page.locator('#order-address').evaluate((each) => Object.fromEntries([...each.querySelectorAll('input')].map(({ name, value }) => [name, value])));
}

test('an example of the sandbox, chosen by keyboard, is shown as on an envelope, with its details and the request', async () => {
  await withTestPage({}, async (page) => {
    const find = page.locator('#find');
    await find.getByText('Dit veld kent vier voorbeeldadressen.').waitFor();
    assert.equal(await find.locator('.example').count(), 4);
    assert.equal(await find.locator('.exchange').isVisible(), false);
    await example(page, 'Waldeck Pyrmontsingel 29').click();
    await options(page).first().waitFor();
    assert.equal(await options(page).count(), 1);
    await page.keyboard.press('Enter');
    await find.getByText('100 m²').waitFor();
    assert.match(await find.locator('address').innerText(), /^Waldeck Pyrmontsingel 29\s+6545 CA\s+Nijmegen$/);
    await find.getByText('9999200000000001', { exact: true }).waitFor();
    await find.locator('summary').click();
    await find.getByText('/api/v1/addresses/9999200000000001').first().waitFor();
    await openAccess(page);
    await page.locator('#limits').getByText('nog 38 van 40').waitFor();
  });
});

test('without the public live key the page says that it has four examples, and each of them is found', async () => {
  await withTestPage({}, async (page) => {
    assert.equal(await page.locator('meta[name=public-live-key]').count(), 0);
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

test('a found address goes to the order form and to its neighbourhood, with one button each', async () => {
  await withTestPage({}, async (page) => {
    await example(page, 'Hamerstraat 19').click();
    await options(page).first().click();
    await page.getByRole('button', { name: 'Gebruik in de checkout' }).click();
    const checkout = page.locator('#checkout');
    await checkout.getByText('Uit het register.').waitFor();
    const { street, house_number: number, postcode, city } = await order(page);
    assert.deepEqual([street, number, postcode, city], ['Hamerstraat', '19', '1021JT', 'Amsterdam']);
    assert.match(await checkout.locator('address').innerText(), /^Hamerstraat 19\s+1021 JT\s+Amsterdam$/);
    await page.getByRole('button', { name: 'Bekijk de buurt' }).click();
    await page.locator('#near .message').getByText('1 adres gevonden.').waitFor();
    assert.equal(new URL(page.url()).hash, '#near');
  });
});

test('a post-office box has no neighbourhood', async () => {
  await withTestPage({}, async (page) => {
    await example(page, 'Postbus 100').click();
    await options(page).first().click();
    await page.getByRole('button', { name: 'Gebruik in de checkout' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Bekijk de buurt' }).count(), 0);
  });
});

test('a query in the URL is searched, and its result is offered in the tabs', async () => {
  const address = await addressOf('dorpsstraat 64 schapenhoek');
  await withPage({ viewport: { width: 1280, height: 1000 } }, async (page) => {
    await page.goto(`${ORIGIN}/#key=${KEY}&q=dorpsstr+64+schap`);
    await options(page).first().waitFor();
    assert.equal(page.url(), `${ORIGIN}/`);
    await isAccessible(page, 'suggestions');
    await picture(page, 'page-suggestions', {});
    await options(page).first().click();
    const postcode = new RegExp(address.postcode.replace(/^\d+/, '$& '));
    await page.locator('#find address').getByText(postcode).waitFor();
    await (await panel(page, 'number')).example(`${address.postcode} 64`).click();
    await (await panel(page, 'number')).message.getByText(/adres(sen)? gevonden/).waitFor();
    const check = await panel(page, 'check');
    await check.root.locator('.example').click();
    await check.outcome.locator('table').waitFor();
    await (await panel(page, 'near')).root.locator('.example').click();
    await page.locator('.dot').first().waitFor({ state: 'attached' });
  });
});

test('a changed address is marked as unconfirmed, and can be checked', async () => {
  await withTestPage({}, async (page) => {
    await example(page, 'Waldeck Pyrmontsingel 29').click();
    await options(page).first().click();
    await page.getByRole('button', { name: 'Gebruik in de checkout' }).click();
    await page.locator('#checkout').getByText('Uit het register.').waitFor();
    await page.locator('#order [name=house_number]').fill('30');
    await page.locator('#address-source').getByText('Nog niet bevestigd.').waitFor();
    await page.locator('#order').getByRole('button', { name: 'Controleren' }).click();
    await page.locator('#check .message').getByText('Dit huisnummer bestaat niet bij deze postcode.').waitFor();
  });
});

test('manual entry works from the field, and when the service is down', async () => {
  await withTestPage({ expected: /ERR_FAILED/ }, async (page) => {
    await panel(page, 'near');
    await page.locator('#find').getByRole('button', { name: 'Adres zelf invullen' }).click();
    assert.equal(await page.evaluate(() => document.activeElement.name), 'postcode');
    await page.route('**/api/**', (route) => route.abort());
    await field(page).fill('hamer');
    await page.locator('#find postduif-address [part=status]').getByText('Adressen zoeken lukt nu even niet.').waitFor();
    await page.locator('#order [name=street]').fill('Eigen weg');
    assert.match(await page.locator('#checkout address').innerText(), /Eigen weg/);
  });
});

test('manual entry from another tab keeps the entered values, and does not mix two addresses', async () => {
  await withTestPage({}, async (page) => {
    await page.getByRole('radio', { name: 'Zoekveld' }).check();
    await page.locator('#order [name=street]').fill('Eigen weg');
    await page.locator('#order [name=city]').fill('Nijmegen');
    const number = await panel(page, 'number');
    await number.byHand.click();
    await number.open();
    await number.fill({ postcode: '6545CA', number: '29' });
    await number.byHand.click();
    const entered = async () => {
      const { street, house_number: houseNumber, addition, postcode, city } = await order(page);
      return { street, houseNumber, addition, postcode, city };
    };
    assert.deepEqual(await entered(), { street: 'Eigen weg', houseNumber: '29', addition: '', postcode: '6545CA', city: 'Nijmegen' });

    await number.open();
    await number.send();
    await number.outcome.getByRole('button', { name: 'Overnemen' }).click();
    await page.locator('#checkout').getByText('Uit het register.').waitFor();
    await number.open();
    await number.fill({ postcode: '', number: '', letter: '', addition: '' });
    await number.byHand.click();
    await page.locator('#checkout').getByText('Uit het register.').waitFor();
    await number.open();
    await number.fill({ postcode: '1021JT', number: '999', letter: 'a', addition: '2' });
    await number.byHand.click();
    assert.deepEqual(await entered(), { street: '', houseNumber: '999', addition: 'a2', postcode: '1021JT', city: '' });
  });
});

test('the field has the language of the page, and finds the addresses of the chosen key', async () => {
  await withTestPage({ locale: 'en-GB' }, async (page) => {
    await page.getByRole('combobox', { name: 'Find an address' }).fill('dorpsstraat 64');
    await page.locator('#find postduif-address [part=status]').getByText('No address found.').waitFor();
    await page.getByRole('button', { name: 'Use your own key' }).click();
    await page.getByLabel('Key', { exact: true }).fill(KEY);
    await page.keyboard.press('Enter');
    await page.getByText('Try it with your own address.').waitFor();
    await field(page).fill('');
    await field(page).pressSequentially('dorpsstraat 64');
    await options(page).first().waitFor();
    await page.getByRole('button', { name: 'NL, Nederlands' }).click();
    await page.getByRole('combobox', { name: 'Zoek een adres' }).waitFor();
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
    console.log(`page: first suggestion ${Math.round(median)} ms after a key (median of ${waits.length}, including the pause of 150 ms)`);
  });
});
