// The order form of the test page: each kind of address field fills the form, and the HTML that the page shows does the same in a
// shop's page.
'use strict';

const assert = require('node:assert/strict');
const { LIVE, KEY, withPage, serve, isAccessible, picture } = require('../harness.js');
const { test } = require('../testing.js');
const { withTestPage, addressOf } = require('./shared.js');

const MODES = ['postcode', 'search', 'attach'];

/** Chooses a kind of field and returns the form. */
async function choose(page, mode) {
  await page.locator(`.modes [value=${mode}]`).check();
  return page.locator('#order');
}

/** Waits until the field of a form has confirmed an address. */
async function waitForConfirmed(form) {
  await form.page().waitForFunction(() => document.querySelector('form postduif-address[name]').state === 'confirmed');
}

/** Enters an address as a person does, until the field has confirmed it. */
async function enter(form, mode, { postcode, number, street, city }) {
  const field = form.locator('postduif-address');
  if (mode === 'search') {
    await field.locator('input').first().fill(`${street} ${number} ${city}`);
    await field.locator('[part=option]').first().click();
  } else {
    const fields = mode === 'postcode' ? field : form;
    await fields.getByLabel('Postcode').fill(postcode);
    await fields.getByLabel('Huisnummer').fill(String(number));
  }
  await waitForConfirmed(form);
}

/** The fields of an address as the form sends them. In mode `postcode` the widget names the fields, in other modes the form does. */
function expected(mode, { id, postcode, number, street, city }) {
  const names = mode === 'postcode' ? ['address_postcode', 'address_number', 'address_street', 'address_city'] : ['postcode', 'house_number', 'street', 'city'];
  return { address: id, ...Object.fromEntries(names.map((name, at) => [name, [postcode, String(number), street, city][at]])) };
}

function pick(all, names) {
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

async function shownOrder(page) {
  return page.locator('.sent dl').evaluate((list) => Object.fromEntries([...list.children].map((row) => [row.querySelector('dt').textContent, row.querySelector('dd').textContent])));
}

for (const mode of MODES) {
  test(`${mode}: the field fills in the order, which shows what the shop would receive and sends nothing`, async () => {
    const address = await addressOf('t hoekje 69 schapenhoek');
    await withTestPage({ live: true }, async (page) => {
      const requests = [];
      page.on('request', (request) => request.url().includes('/api/') || requests.push(request.url()));
      const form = await choose(page, mode);
      assert.equal(await page.locator('.sent dl').count(), 0);
      await form.getByLabel('Naam').fill('Jansen');
      await enter(form, mode, address);
      await form.getByText('Uit het register.').waitFor();
      assert.match(await form.locator('address').innerText(), /Hoekje 69\s+\d{4} [A-Z]{2}\s+Schapenhoek/);
      await form.getByRole('button', { name: 'Bestellen' }).click();
      await page.getByText('Er is niets verstuurd.').waitFor();
      const received = await shownOrder(page);
      const wanted = expected(mode, address);
      assert.deepEqual(pick(received, Object.keys(wanted)), wanted);
      assert.deepEqual(pick(received, ['name', 'moment']), { name: 'Jansen', moment: 'Morgenavond, 18–22 uur' });
      assert.deepEqual(requests, []);
      await isAccessible(page, `${mode}, ordered`);
      await picture(page, `page-checkout-${mode}`);
      await form.getByRole('button', { name: 'Wissen' }).click();
      await form.getByText('Hier verschijnt het adres.').waitFor();
      assert.equal(await page.locator('.sent dl').count(), 0);
    });
  });

  test(`${mode}: the HTML to copy does the same in a page of a shop`, async () => {
    const address = await addressOf('t hoekje 69 schapenhoek');
    let html = '';
    await withTestPage({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await choose(page, mode);
      const code = page.locator('.code');
      await code.locator('#markup', { hasText: '?v=' }).waitFor();
      await code.getByRole('button', { name: 'Kopiëren' }).first().click();
      await code.getByRole('button', { name: 'Gekopieerd' }).waitFor();
      html = await page.evaluate(() => navigator.clipboard.readText());
      assert.equal(html, await code.locator('#markup').textContent());
    });
    assert.match(html, new RegExp(`^<script src="http://${LIVE}/widget\\.js\\?v=\\d+\\.\\d+\\.\\d+" defer></script>\n`));
    assert.equal(html.split('pd_live_…').length, 2, 'the placeholder of the key occurs once');
    assert.ok(html.length < 900, `${html.length} characters`);
    const shop = await serve(`<!doctype html><html lang="nl"><title>Winkel</title>${html.replace('pd_live_…', KEY)}</html>`);
    try {
      await withPage({}, async (page) => {
        await page.goto(shop.origin);
        const form = page.locator('form');
        await enter(form, mode, address);
        await form.getByRole('button', { name: 'Bestellen' }).click();
        await page.waitForURL(/\?.*address=/);
        const wanted = expected(mode, address);
        assert.deepEqual(pick(Object.fromEntries(new URL(page.url()).searchParams), Object.keys(wanted)), wanted);
      });
    } finally {
      await shop.close();
    }
  });
}

test('the HTML to copy follows the language and the kind of field', async () => {
  await withTestPage({ locale: 'en-GB' }, async (page) => {
    for (const mode of MODES) {
      await choose(page, mode);
      const html = await page.locator('#markup').textContent();
      assert.match(html, /<postduif-address [^>]*lang="en"/);
      assert.equal(/mode="(\w+)"/.exec(html)?.[1] ?? 'search', mode);
      assert.doesNotMatch(html, /[{}]|data-t|=""/);
    }
    assert.match(await page.locator('#markup').textContent(), /<label>House number <input/);
    await page.getByRole('button', { name: 'NL, Nederlands' }).click();
    await page.locator('#markup', { hasText: 'Huisnummer' }).waitFor();
    assert.doesNotMatch(await page.locator('#markup').textContent(), /lang=/);
    await page.locator('#order').getByLabel('Huisnummer').waitFor();
  });
});

test('the kind of field can be chosen by keyboard; values stay in fields that the next kind has too', async () => {
  await withTestPage({}, async (page) => {
    await page.locator('.modes [value=postcode]').focus();
    await page.keyboard.press('ArrowRight');
    const form = page.locator('#order');
    await form.locator('[name=street]').fill('Eigen weg');
    await form.locator('[name=city]').fill('Nijmegen');
    await page.locator('.modes [value=search]').focus();
    await page.keyboard.press('ArrowRight');
    await form.locator('postduif-address[mode=attach]').waitFor();
    assert.equal(await form.locator('[name=street]').inputValue(), 'Eigen weg');
    await form.getByText('Zelf ingevuld.').waitFor();
  });
});

test('an order without an address is not complete, unless it is entered by hand', async () => {
  await withTestPage({}, async (page) => {
    const form = await choose(page, 'search');
    await form.getByRole('button', { name: 'Bestellen' }).click();
    assert.equal(await page.locator('.sent dl').count(), 0);
    assert.equal(await form.evaluate((each) => each.checkValidity()), false);
    await form.getByRole('button', { name: 'Adres zelf invullen' }).click();
    await form.locator('[name=street]').fill('Eigen weg');
    await form.locator('[name=house_number]').fill('1');
    await form.getByRole('button', { name: 'Bestellen' }).click();
    await page.getByText('Er is niets verstuurd.').waitFor();
    assert.equal((await shownOrder(page)).street, 'Eigen weg');
  });
});
