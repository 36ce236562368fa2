// Regression tests: forms in which the id once belonged to another address than the fields.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('../testing.js');
const { withCheckout } = require('./checkout.js');
const { shopPage, withShop, events, values, widget: element } = require('./shop.js');

const IDS = { 60: '0351200000024185', 62: '0351200000024191', bis: '0351200000024199', crowded: '0351200000020178' };
const inputs = (...names) => names.map((name) => `<input name="${name}" aria-label="${name}">`).join('');
const attach = (name = 'address') => element(`mode="attach" name="${name}"`);
const waitForState = (page, state, selector = 'postduif-address') => page.locator(`${selector}[data-state=${state}]`).waitFor({ state: 'attached' });
const formValue = (page, name = 'address') => page.evaluate((key) => new FormData(document.forms[0]).get(key), name);

/** Fills in a postcode and a number in the fields of a form. */
async function type(page, postcode, number, names = ['postcode', 'huisnummer']) {
  await page.getByLabel(names[0], { exact: true }).fill(postcode);
  await page.getByLabel(names[1], { exact: true }).fill(number);
}

test('a field `number` is the house number only in a form without a field `huisnummer`', async () => {
  await withShop(shopPage(inputs('number', 'postcode', 'huisnummer') + attach()), {}, async (page) => {
    await page.getByLabel('number', { exact: true }).fill('60');
    await type(page, '3931AX', '62');
    await waitForState(page, 'confirmed');
    assert.equal(await formValue(page), IDS[62]);
  });
  await withShop(shopPage(inputs('number', 'postcode') + attach()), {}, async (page) => {
    await type(page, '3931AX', '62', ['postcode', 'number']);
    await waitForState(page, 'confirmed');
  });
});

test('a street whose name ends in the house number is confirmed', () => withShop(
  shopPage(inputs('postcode', 'huisnummer', 'straat') + attach()), {}, async (page) => {
    await page.route('**/v1/addresses?*', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      for (const each of body.data) each.street = `De Veste ${each.number}`;
      await route.fulfill({ response, json: body });
    });
    await type(page, '3931AX', '62');
    await waitForState(page, 'confirmed');
    assert.equal(await page.getByLabel('straat', { exact: true }).inputValue(), 'De Veste 62');
    assert.equal(await formValue(page), IDS[62]);
  }));

test('a field with number and addition joined is filled and compared', () => withShop(
  shopPage(`${element('name="address"')}${inputs('postcode')}<input data-postduif="numberAddition" aria-label="both">`), {}, async (page, widget) => {
    await widget.type('dorpsstraat 64 bis');
    await widget.suggestions.first().click();
    await waitForState(page, 'confirmed');
    assert.deepEqual(await values(page), ['3931AX', '64 bis']);
    await page.getByLabel('both').fill('62');
    assert.equal(await formValue(page), '');
    await waitForState(page, 'confirmed');
    assert.equal(await formValue(page), IDS[62]);
  }));

test('a number that exists only with an addition is proposed, and not confirmed without it', async () => {
  await withShop(shopPage(inputs('postcode', 'huisnummer', 'straat', 'plaats') + attach()), {}, async (page, widget) => {
    await type(page, '3931AL', '27');
    const proposal = widget.host.locator('[part=proposal]');
    await proposal.getByText('Eerste Oosterkade 27 b1').waitFor();
    assert.equal(await formValue(page), '');
    await proposal.click();
    await waitForState(page, 'confirmed');
    assert.deepEqual([(await values(page))[1], await formValue(page)], ['27 b1', IDS.crowded]);
  });
  await withCheckout('postcode', {}, {}, async (c) => {
    await c.field('postcode').fill('3931AL');
    await c.field('number').fill('27');
    await c.waitForState('confirmed');
    await c.step('empties the addition', () => c.field('addition').fill(''));
    await c.part('proposal').waitFor();
    assert.equal((await c.check()).id, '');
  });
});

test('a number input that cannot hold the addition keeps the number, and the address has its addition', async () => {
  const fields = '<input name="postcode" aria-label="postcode"><input name="huisnummer" type="number" aria-label="huisnummer">';
  const addition = (page) => page.evaluate(() => document.querySelector('postduif-address').address.addition);
  await withShop(shopPage(fields + attach()), {}, async (page, widget) => {
    const number = page.getByLabel('huisnummer');
    const choose = async () => {
      await waitForState(page, 'choose');
      await widget.input.focus();
      await widget.options.getByText('bis', { exact: true }).click();
      await waitForState(page, 'confirmed');
      assert.deepEqual([await values(page), await formValue(page), await addition(page)], [['3931AX', '64'], IDS.bis, 'bis']);
    };
    await page.getByLabel('postcode').fill('3931AX');
    await number.pressSequentially('64 bis');
    await choose();
    await number.fill('62');
    assert.equal(await formValue(page), '');
    await waitForState(page, 'confirmed');
    assert.equal(await formValue(page), IDS[62]);
    await number.fill('64');
    await choose();
    await page.getByLabel('postcode').fill('3931AL');
    await number.fill('27');
    await widget.host.locator('[part=proposal]').getByText('Eerste Oosterkade 27 b1').click();
    await waitForState(page, 'confirmed');
    assert.deepEqual([(await values(page))[1], await formValue(page)], ['27', IDS.crowded]);
    await page.getByLabel('postcode').fill('3931AX');
    await widget.status.getByText('Dit huisnummer kennen we niet bij deze postcode.').waitFor();
    // As a browser does that fills in `64 bis`: the input is empty.
    await number.evaluate((field) => {
      field.value = '64 bis';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await widget.status.getByText('Vul je huisnummer in.').waitFor();
  });
  await withShop(shopPage(element('name="address"') + fields), {}, async (page, widget) => {
    await widget.type('dorpsstraat 64 bis');
    await widget.suggestions.first().click();
    await waitForState(page, 'confirmed');
    assert.deepEqual([await values(page), await formValue(page), await formValue(page, 'address_text')],
      [['3931AX', '64'], IDS.bis, 'Dorpsstraat 64 bis, 3931AX Schapenhoek']);
    await page.evaluate(() => { document.forms[0].huisnummer.value = '60'; });
    assert.equal(await formValue(page), '', 'a script has changed the number');
  });
  await withShop(shopPage(`${fields}<input type="hidden" name="extra" data-postduif="addition">${attach()}`), {}, async (page, widget) => {
    await type(page, '3931AX', '64');
    await waitForState(page, 'choose');
    await widget.input.focus();
    await widget.options.getByText('bis', { exact: true }).click();
    await waitForState(page, 'confirmed');
    assert.deepEqual([await values(page), await formValue(page)], [['3931AX', '64', 'bis'], IDS.bis], 'a hidden field gets the addition');
    await page.getByLabel('huisnummer').fill('62');
    await waitForState(page, 'confirmed');
    assert.deepEqual(await values(page), ['3931AX', '62', '']);
  });
});

test('beside a field for the addition, the address line has only street and number', () => withShop(
  shopPage(`${element('name="address"')}${inputs('postcode', 'adres', 'toevoeging')}`), {}, async (page, widget) => {
    await widget.type('dorpsstraat 64 bis');
    await widget.suggestions.first().click();
    await waitForState(page, 'confirmed');
    assert.deepEqual(await values(page), ['3931AX', 'Dorpsstraat 64', 'bis']);
    await page.getByLabel('toevoeging').fill('x');
    assert.equal(await formValue(page), '');
    await widget.status.getByText('Toevoeging x is niet bekend bij nummer 64.').waitFor();
  }));

test('a field of the addition is recognised by any of its usual names', async () => {
  const names = ['extension', 'ext', 'toev', 'house_no_add', 'bus', 'address2', 'suffix'];
  const forms = names.map((name) => inputs('postcode', 'huisnummer', name, 'adres') + attach());
  await withShop(shopPage(forms.join('</form><form>')), {}, async (page) => {
    for (const [at, name] of names.entries()) {
      const form = page.locator('form').nth(at);
      await form.locator(`[name=${name}]`).fill('bis');
      await type(form, '3931AX', '64');
      await form.locator('postduif-address[data-state=confirmed]').waitFor({ state: 'attached' });
      const { address, adres } = await form.evaluate((each) => Object.fromEntries(new FormData(each)));
      assert.deepEqual([address, adres], [IDS.bis, 'Dorpsstraat'], name);
    }
  });
});

test('street and number in one field are looked up', () => withShop(
  shopPage(`${inputs('billing_address_1', 'billing_postcode', 'billing_city')}${attach()}`), {}, async (page) => {
    await type(page, '3931AX', 'Dorpsstraat 64 bis', ['billing_postcode', 'billing_address_1']);
    await waitForState(page, 'confirmed');
    assert.deepEqual([await values(page), await formValue(page)], [['Dorpsstraat 64 bis', '3931AX', 'Schapenhoek'], IDS.bis]);
    await page.getByLabel('billing_address_1').fill('Dorpsstraat 62');
    assert.equal(await formValue(page), '');
    await waitForState(page, 'confirmed');
    assert.equal(await formValue(page), IDS[62]);
  }));

test('each of two widgets in a form uses one group of fields, and one without fields logs a warning', () => withShop(
  shopPage(['one', 'two'].map((group) => inputs(`${group}_postcode`, `${group}_huisnummer`) + attach(group)).join('') + attach('three')), {}, async (page) => {
    const warned = page.waitForEvent('console', { predicate: (message) => message.type() === 'warning' && /no address field found/.test(message.text()) });
    await page.reload();
    await warned;
    await type(page, '3931AX', '60', ['one_postcode', 'one_huisnummer']);
    await type(page, '3931AX', '62', ['two_postcode', 'two_huisnummer']);
    await waitForState(page, 'confirmed', '[name=two]');
    await waitForState(page, 'confirmed', '[name=one]');
    assert.deepEqual([await formValue(page, 'one'), await formValue(page, 'two'), await formValue(page, 'three')], [IDS[60], IDS[62], '']);
  }));

test('after a script has changed a field, the form is sent without an id', () => withShop(
  shopPage(`${inputs('straat', 'postcode', 'huisnummer')}<input type="hidden" name="bag" data-postduif="id">${attach()}`), {}, async (page) => {
    await page.getByLabel('straat').fill('Dorpsstr');
    await type(page, '3931AX', '62');
    await waitForState(page, 'confirmed');
    assert.deepEqual([await formValue(page, 'straat'), await formValue(page, 'bag'), await formValue(page)], ['Dorpsstr', IDS[62], IDS[62]], 'the service accepts the spelling');
    await page.evaluate(() => { document.forms[0].huisnummer.value = '60'; });
    assert.deepEqual([await formValue(page, 'bag'), await formValue(page)], ['', '']);
    assert.equal((await events(page, 'clear')).length, 2, 'at the start, and now');
  }));

test('entry by hand ends a confirmation', () => withCheckout('postcode', {}, {}, async (c) => {
  await c.field('postcode').fill('3931AX');
  await c.field('number').fill('62');
  await c.waitForState('confirmed');
  await c.step('enters by hand', () => c.host().getByRole('button', { name: 'Adres zelf invullen' }).click());
  await c.waitForState('manual');
  assert.deepEqual([(await c.check()).id, await c.part('status').innerText()], ['', '']);
}));

test('an edit of the chosen text says at once that the address is not confirmed', () => withShop(shopPage(element('name="address"')), {}, async (page, widget) => {
  await widget.type('dorpsstraat 62');
  await widget.suggestions.first().click();
  await waitForState(page, 'confirmed');
  await page.route(/autocomplete/, () => {});
  await widget.input.press('End');
  await widget.input.press('Backspace');
  assert.deepEqual([await widget.status.innerText(), await formValue(page)], ['Dit adres is nog niet gecontroleerd.', '']);
}));
