// What customers, browsers and scripts do at a checkout: edits in a hurry, prefilled and hidden fields, a service that fails after an address
// was confirmed.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('../testing.js');
const { withCheckout } = require('./checkout.js');
const { FIELDS, shopPage, withShop, holdRequests, values, widget: element } = require('./shop.js');

const CORS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
const input = (name, attributes = '') => `<input name="${name}" aria-label="${name}" ${attributes}>`;
const inputs = (...names) => names.map((name) => input(name)).join('');
const attach = (attributes = '') => element(`mode="attach" name="address" ${attributes}`);
const waitForState = (page, state) => page.locator(`postduif-address[data-state=${state}]`).waitFor({ state: 'attached' });
const isValid = (page) => page.evaluate(() => document.forms[0].checkValidity());
const field = (page, name) => page.getByLabel(name, { exact: true });

/** Fills in a postcode and a number, and waits until an address is confirmed. */
async function confirm(page, postcode = '3931AX', number = '62') {
  await field(page, 'postcode').fill(postcode);
  await field(page, 'huisnummer').fill(number);
  await waitForState(page, 'confirmed');
}

test('Enter after an edit chooses no suggestion for the text before the edit', () => withShop(shopPage(), {}, async (page, widget) => {
  await widget.type('dorpsstraat 62 schapenhoek');
  await widget.active.waitFor();
  const letGo = await holdRequests(page, /autocomplete/);
  await widget.input.fill('dorpsstraat 60 schapenhoek');
  await widget.input.press('Enter');
  assert.equal(await widget.input.inputValue(), 'dorpsstraat 60 schapenhoek');
  letGo();
  await widget.active.getByText('60').waitFor();
  await widget.input.press('Enter');
  await waitForState(page, 'confirmed');
  assert.equal((await values(page))[0], 'Dorpsstraat 60');
  // After a choice, the arrows do not lead to entry by hand.
  await widget.input.press('ArrowDown');
  assert.equal(await widget.options.count(), 0);
}));

test('what people type after a choice stays, and the rest of the chosen address is filled in when it arrives', () => withShop(
  shopPage(element('name="address"') + inputs('postcode', 'huisnummer', 'toevoeging', 'plaats')), {}, async (page, widget) => {
    await field(page, 'plaats').fill('Elders');
    const letGo = await holdRequests(page, /addresses\/0351200000024197/);
    await widget.type('dorpsstraat 64 schapenhoek');
    await widget.suggestions.first().click();
    await field(page, 'toevoeging').fill('x');
    letGo();
    await widget.status.getByText('Toevoeging x is niet bekend bij nummer 64.').waitFor();
    assert.deepEqual(await values(page), ['3931AX', '64', 'x', 'Schapenhoek']);
    await field(page, 'toevoeging').fill('bis');
    await waitForState(page, 'confirmed');
    // A framework replaces the fields before the address arrives.
    const release = await holdRequests(page, /addresses\/0351200000024191/);
    await widget.input.fill('dorpsstraat 62 schapenhoek');
    await widget.answered();
    await widget.suggestions.first().click();
    await page.evaluate(() => { for (const each of document.querySelectorAll('form > input')) each.replaceWith(each.cloneNode()); });
    await field(page, 'toevoeging').fill('x');
    release();
    await widget.status.getByText('Toevoeging x is niet bekend bij nummer 62.').waitFor();
    assert.deepEqual(await values(page), ['3931AX', '62', 'x', 'Schapenhoek']);
  }));

test('an addition typed into the widget is chosen, and a longer one replaces it', () => withCheckout('attach', {}, {}, async (c) => {
  await c.field('postcode').fill('3932BE');
  await c.field('number').fill('20');
  await c.waitForState('choose');
  await c.combobox().fill('7');
  await c.waitForState('confirmed');
  assert.equal((await c.check()).address.addition, '7');
  await c.combobox().fill('7x');
  await c.waitForState('choose');
  assert.equal(await c.field('addition').inputValue(), '7x', 'an unknown addition reaches the order too');
  await c.combobox().fill('');
  assert.deepEqual([await c.field('number').inputValue(), await c.field('addition').inputValue(), (await c.check()).id], ['20', '', '']);
  await c.combobox().pressSequentially('70');
  await c.waitForState('confirmed');
  assert.equal((await c.check()).address.addition, '70');
  const order = await c.submit();
  assert.equal(order.get('house_number_addition'), '70', 'the click after typing sends the form');
}));

test('the number and its addition in a line stay, also beside a second line', () => withShop(
  shopPage(inputs('postcode', 'address_1', 'address_2') + attach()), {}, async (page) => {
    await field(page, 'address_1').fill('Dorpsstraat 64bis');
    await field(page, 'postcode').fill('3931AX');
    await waitForState(page, 'confirmed');
    assert.deepEqual((await values(page)).slice(1), ['Dorpsstraat 64bis', '']);
  }));

test('an address stays confirmed if its step is hidden and the next one has a postcode too', () => withShop(
  shopPage(`<div id="first">${inputs('postcode', 'huisnummer', 'straat')}</div><div id="second" hidden>${inputs('pickup_postcode')}</div>${attach()}`), {}, async (page) => {
    await confirm(page);
    await page.evaluate(() => {
      for (const step of ['first', 'second']) document.getElementById(step).hidden ^= true;
    });
    await field(page, 'pickup_postcode').fill('3931AB');
    assert.deepEqual(await values(page), ['3931AX', '62', 'Dorpsstraat', '3931AB']);
    assert.equal(await page.evaluate(() => document.querySelector('postduif-address').state), 'confirmed');
  }));

test('street and town stay while the number changes in the same postcode', () => withCheckout('attach', {}, {}, async (c) => {
  await c.field('postcode').fill('3931AX');
  await c.field('number').fill('62');
  await c.waitForState('confirmed');
  await c.field('number').fill('999');
  await c.part('proposal').waitFor();
  assert.equal(await c.field('street').inputValue(), 'Dorpsstraat');
}));

test('read-only fields are filled, and a widget outside a form uses the fields of a form', () => withShop(
  shopPage(inputs('postcode', 'huisnummer') + input('straat', 'readonly tabindex="-1"')).replace('</main>', `${attach()}</main>`), {}, async (page) => {
    await confirm(page);
    assert.equal(await field(page, 'straat').inputValue(), 'Dorpsstraat');
  }));

test('an addition typed into the widget goes to the number or the line if the form has no field for it', async () => {
  for (const [name, before, withAddition, without] of [['huisnummer', '64', '64 bis', '64'], ['address_1', 'Dorpsstraat 64', 'Dorpsstraat 64 bis', 'Dorpsstraat 64']]) {
    await withShop(shopPage(inputs('postcode', name) + attach()), {}, async (page, widget) => {
      await field(page, 'postcode').fill('3931AX');
      await field(page, name).fill(before);
      await waitForState(page, 'choose');
      await widget.input.pressSequentially('bis');
      await waitForState(page, 'confirmed');
      assert.equal(await field(page, name).inputValue(), withAddition);
      await widget.input.fill('');
      await waitForState(page, 'choose');
      assert.equal(await field(page, name).inputValue(), without);
    });
  }
});

test('a line keeps its number while the postcode is typed again', () => withShop(
  shopPage(inputs('postcode', 'address_1', 'plaats') + attach()), {}, async (page) => {
    await field(page, 'postcode').fill('3931AX');
    await field(page, 'address_1').fill('Dorpsstraat 62');
    await waitForState(page, 'confirmed');
    await field(page, 'postcode').fill('3931ZZ');
    await page.locator('[part=status]').getByText('Geen adres gevonden.').waitFor();
    assert.deepEqual(await values(page), ['3931ZZ', 'Dorpsstraat 62', '']);
  }));

test('changing the number removes the chosen addition, also in an address line', () => withShop(
  shopPage(inputs('postcode', 'address_1', 'address_2') + attach()), {}, async (page, widget) => {
    await field(page, 'postcode').fill('3931AX');
    await field(page, 'address_1').fill('Dorpsstraat 64');
    await waitForState(page, 'choose');
    await widget.input.focus();
    await widget.suggestions.getByText('bis').click();
    await waitForState(page, 'confirmed');
    assert.deepEqual((await values(page)).slice(1), ['Dorpsstraat 64', 'bis']);
    await field(page, 'address_1').fill('Dorpsstraat 62');
    await page.waitForFunction(() => document.querySelector('postduif-address').address?.number === 62);
    assert.deepEqual((await values(page)).slice(1), ['Dorpsstraat 62', '']);
  }));

test('if the service fails, no street stays with another postcode', async () => {
  const names = ['postcode', 'huisnummer', 'straat', 'plaats'];
  await withShop(shopPage(inputs(...names) + attach()), { expected: /503/ }, async (page) => {
    await confirm(page);
    await page.route(/\/api\/v1\//, (route) => route.fulfill({ status: 503, headers: CORS, json: {} }));
    await field(page, 'postcode').fill('3931AB');
    await waitForState(page, 'manual');
    assert.deepEqual(await values(page), ['3931AB', '62', '', '']);
  });
  await withCheckout('postcode', { attributes: 'required' }, { expected: /503/ }, async (c) => {
    await c.field('postcode').fill('3931AX');
    await c.field('number').fill('62');
    await c.waitForState('confirmed');
    await c.page.route(/\/api\/v1\//, (route) => route.fulfill({ status: 503, headers: CORS, json: {} }));
    await c.field('postcode').fill('3931AB');
    await c.waitForState('manual');
    assert.equal(await isValid(c.page), false, 'street and town are missing');
  });
});

test('a form that is sent before the look-up has no street of another postcode', () => withCheckout('attach', {}, { fakeClock: true }, async (c) => {
  await c.field('postcode').fill('3931AX');
  await c.field('number').fill('62');
  await c.page.clock.runFor(400);
  await c.waitForState('confirmed');
  const now = await c.page.evaluate(() => Date.now());
  await c.page.clock.pauseAt(now + 1000);
  await c.field('postcode').fill('3931AB');
  await c.field('postcode').press('Enter');
  await c.page.getByText('Bedankt').waitFor();
  const [order] = c.orders;
  assert.deepEqual(['postcode', 'street', 'city', 'address'].map((name) => order.get(name)), ['3931AB', '', '', '']);
}));

test('street and town that were in the form change with the postcode', () => withShop(
  shopPage(input('postcode', 'value="3931AX"') + input('huisnummer', 'value="62"') + input('straat', 'value="DORPSSTRAAT"')
    + input('plaats', 'value="Schapenhoek"') + attach()), {}, async (page) => {
    await waitForState(page, 'confirmed');
    await field(page, 'postcode').fill('3931AB');
    await field(page, 'huisnummer').fill('12');
    await page.waitForFunction(() => document.querySelector('postduif-address').address?.number === 12);
    assert.deepEqual(await values(page), ['3931AB', '12', 'Plein 1944', 'Schapenhoek']);
  }));

test('filled fields that a script replaces or writes in capitals still count as filled', () => withShop(
  shopPage(inputs('postcode', 'huisnummer', 'straat', 'plaats') + attach()), {}, async (page) => {
    await confirm(page);
    await page.evaluate(() => {
      for (const old of document.forms[0].querySelectorAll('input')) {
        const copy = old.cloneNode();
        copy.value = old.value.toUpperCase();
        old.replaceWith(copy);
      }
    });
    await confirm(page, '3931AB', '12');
    await page.waitForFunction(() => document.querySelector('postduif-address').address?.number === 12);
    assert.equal(await field(page, 'straat').inputValue(), 'Plein 1944');
  }));

test('fields for something else, hidden fields and honeypots stay as they are', () => withShop(shopPage(`
  ${input('phone[number]')}${input('company', 'tabindex="-1"')}<div hidden>${inputs('pickup_postcode', 'pickup_city')}</div>
  <div style="position: absolute; left: -999px">${input('address', 'tabindex="-1"')}</div>
  ${inputs('postcode', 'huisnummer', 'straat', 'plaats')}${attach()}`), {}, async (page) => {
  await field(page, 'phone[number]').fill('0612345678');
  await confirm(page);
  assert.deepEqual(await values(page), ['0612345678', '', '', '', '', '3931AX', '62', 'Dorpsstraat', 'Schapenhoek']);
}));

test('fields with unusual names are found', async () => {
  for (const names of [
    ['postal_code', 'postal_house_number', 'postal_street', 'postal_city'],
    ['postalAddress.postalCode', 'postalAddress.number', 'postalAddress.street', 'postalAddress.city'],
  ]) {
    await withShop(shopPage(names.map((name) => input(name, 'autocomplete="new-password"')).join('') + attach()), {}, async (page) => {
      await field(page, names[0]).fill('3931AX');
      await field(page, names[1]).fill('62');
      await waitForState(page, 'confirmed');
      assert.deepEqual((await values(page)).slice(2), ['Dorpsstraat', 'Schapenhoek']);
    });
  }
  await withShop(shopPage(inputs('customer[address1]', 'customer[zip]') + attach()), {}, async (page) => {
    await field(page, 'customer[zip]').fill('3931AX');
    await field(page, 'customer[address1]').fill('Dorpsstraat 62');
    await waitForState(page, 'confirmed');
  });
});

test('a search form in the header of the page is not the address', () => withShop(
  `<form><input name="postcode" aria-label="winkel"></form>${shopPage('').replace(/<form>.*<\/form>/, inputs('postcode', 'huisnummer', 'straat', 'plaats') + attach())}`,
  {}, async (page) => {
    await confirm(page);
    assert.deepEqual(await values(page), ['', '3931AX', '62', 'Dorpsstraat', 'Schapenhoek']);
  }));

test('the Netherlands are known by other names, and abroad street and town are required', async () => {
  for (const name of ['Nederland (NL)', 'Netherlands, The', 'Holland', 'Niederlande', 'Pays-Bas']) {
    await withShop(shopPage(`<select name="country"><option value="150">${name}</select>${inputs('postcode', 'huisnummer')}${attach()}`), {}, (page) => confirm(page));
  }
  await withCheckout('postcode', { attributes: 'required' }, {}, async (c) => {
    await c.field('country').selectOption('BE');
    await c.waitForState('off');
    assert.equal(await isValid(c.page), false);
    for (const [kind, text] of Object.entries({ street: 'Veldstraat 1', city: 'Gent' })) await c.field(kind).fill(text);
    assert.equal(await isValid(c.page), true);
  });
  await withShop(shopPage(element('required') + input('country', 'value="Nederland"') + FIELDS), {}, async (page) => {
    assert.equal(await isValid(page), false, 'a country is no address');
  });
});

test('a limit that lasts ends in entry by hand, also with strict', () => withShop(
  shopPage(inputs('postcode', 'huisnummer', 'straat') + attach('strict')), { expected: /429/, fakeClock: true }, async (page, widget) => {
    let refused = 0;
    await page.route(/\/api\/v1\//, async (route) => {
      refused += 1;
      await route.fulfill({ status: 429, headers: { ...CORS, 'Access-Control-Expose-Headers': '*', 'Retry-After': '2' }, json: {} });
    });
    await field(page, 'postcode').fill('3931AX');
    await field(page, 'huisnummer').fill('62');
    assert.equal(await isValid(page), false);
    for (let errors = 1; errors <= 3; errors += 1) {
      await page.clock.runFor(3_000);
      await page.waitForFunction((count) => globalThis.events.filter(({ name }) => name === 'error').length === count, errors);
    }
    await widget.status.getByText('Adressen zoeken lukt nu even niet. Vul je adres zelf in.').waitFor();
    assert.equal(refused, 3);
    assert.equal(await isValid(page), true);
  }));

test('the focus stays where the customer put it while an address is confirmed', () => withShop(
  shopPage(inputs('postcode', 'huisnummer', 'straat') + attach()), {}, async (page) => {
    await field(page, 'postcode').fill('3931AX');
    await field(page, 'huisnummer').fill('62');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await waitForState(page, 'confirmed');
    assert.notEqual(await page.evaluate(() => document.activeElement.name), 'huisnummer');
  }));

test('a widget that was moved looks up what was entered before', () => withShop(
  shopPage(inputs('postcode', 'huisnummer', 'straat') + attach()), {}, async (page) => {
    await page.evaluate(() => {
      const [postcode, number] = document.forms[0];
      for (const [each, text] of [[postcode, '3931AX'], [number, '62']]) {
        each.value = text;
        each.dispatchEvent(new Event('input', { bubbles: true }));
      }
      document.forms[0].prepend(document.querySelector('postduif-address'));
    });
    await waitForState(page, 'confirmed');
  }));

test('the postcode is written as its pattern requires', () => withShop(
  shopPage(`${element()}${input('postcode', 'pattern="\\d{4} [A-Z]{2}"')}${inputs('huisnummer', 'straat')}`), {}, async (page, widget) => {
    await widget.type('dorpsstraat 62 schapenhoek');
    await widget.suggestions.first().click();
    await waitForState(page, 'confirmed');
    assert.deepEqual(await values(page), ['3931 AX', '62', 'Dorpsstraat']);
  }));

test('a number in the street is removed if it has a field of its own', () => withShop(
  shopPage(inputs('postcode', 'huisnummer', 'straat') + attach()), {}, async (page) => {
    await field(page, 'straat').fill('Dorpsstraat 62');
    await confirm(page);
    assert.equal(await field(page, 'straat').inputValue(), 'Dorpsstraat');
    await field(page, 'straat').fill('Dorpsstraat 62');
    await field(page, 'straat').press('Tab');
    assert.deepEqual([await field(page, 'straat').inputValue(), await page.evaluate(() => document.querySelector('postduif-address').state)], ['Dorpsstraat', 'confirmed']);
  }));

test('the widget of a form is placed after the element around a field and its label', () => withShop(
  shopPage(`<div>${inputs('postcode')}</div><div>${inputs('huisnummer')}<label>Nr</label></div>`).replace('<form', '<form data-postduif-form="x"'), {}, async (page) => {
    assert.equal(await page.locator('div + div + postduif-address').count(), 1);
  }));

test('entry by hand focuses the street, also where a pressed button takes no focus, as in Safari', () => withShop(
  shopPage(element('name="address" mode="postcode"')), {}, async (page, widget) => {
    await widget.host.locator('#postcode').fill('3931AX');
    await widget.manual.evaluate((button) => button.click());
    assert.equal(await widget.host.evaluate((host) => host.shadowRoot.activeElement.id), 'street');
  }));

test('fields that the browser empties on return to the page are restored', () => withShop(
  shopPage(inputs('postcode', 'huisnummer', 'straat') + attach()), {}, async (page) => {
    await confirm(page);
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
      dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
      // WebKit empties fields with autocomplete="off" after the event.
      for (const each of document.querySelectorAll('input')) each.value = '';
    });
    await page.waitForFunction(() => [...document.querySelectorAll('input')].every((each) => each.value));
    assert.deepEqual(await page.evaluate(() => [...new FormData(document.forms[0])].map(([, value]) => value)), ['3931AX', '62', 'Dorpsstraat', '0351200000024191']);
  }));
