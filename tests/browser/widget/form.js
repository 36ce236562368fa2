// The widget in a form: the fields that it fills, its own value, and manual entry.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('../testing.js');
const { FIELDS, widget: element, shopPage, withShop, handle, events, values } = require('./shop.js');

const NAMES = ['street', 'number', 'letter', 'addition', 'numberAddition', 'postcode', 'city', 'municipality', 'province', 'id', 'latitude', 'longitude'];

/** Types an address and takes the first suggestion. */
async function choose(page, widget, text) {
  const before = (await events(page, 'select')).length;
  await widget.input.fill('');
  await widget.type(text);
  await widget.suggestions.first().click();
  await page.waitForFunction((count) => globalThis.events.filter(({ name }) => name === 'select').length > count, before);
}

test('fields with data attributes are filled, also hidden ones and those of letter and addition', () => withShop(
  shopPage(element() + NAMES.map((name) => `<input ${name === 'id' ? 'type="hidden"' : ''} aria-label="${name}" data-postduif="${name}">`).join('')), {}, async (page, widget) => {
    await choose(page, widget, 'dorpsstraat 64 bis');
    const { location, id } = (await events(page, 'select'))[0].address;
    const [longitude, latitude] = location.coordinates.map(String);
    assert.deepEqual(await values(page), ['Dorpsstraat', '64', '', 'bis', '64 bis', '3931AX', 'Schapenhoek', 'Woudenberg', 'Utrecht', id, latitude, longitude]);
    await choose(page, widget, 'postbus 10');
    assert.deepEqual((await values(page)).slice(-2), ['', ''], 'a post-office box has no location');
  }));

test('fields are found by `autocomplete`, and the options of a select by value or text', () => withShop(shopPage(`${element()}
  <textarea autocomplete="street-address" aria-label="a"></textarea><input autocomplete="home address-line1" aria-label="b">
  <input autocomplete="home address-line2" aria-label="c" value="oud"><input autocomplete="country-name" aria-label="d">
  <select autocomplete="country" aria-label="e"><option value="NL">Nederland<option value="BE">België</select>
  <select autocomplete="address-level1" aria-label="g"><option value="">–<option value="UT">Utrecht</select>
  <select autocomplete="address-level2" aria-label="h"><option>Elders<option>Schapenhoek</select>
  <input autocomplete="email" aria-label="i" value="a@example.org">`), {}, async (page, widget) => {
  await choose(page, widget, 'dorpsstraat 64 bis');
  assert.deepEqual(await values(page), ['Dorpsstraat 64', '', 'bis', 'Nederland', 'NL', 'UT', 'Schapenhoek', 'a@example.org']);
}));

test('an address that a field cannot hold is not confirmed', () => withShop(shopPage(`${element('name="address"')}
  <select autocomplete="address-level2" aria-label="a"><option>Elders<option>Anders</select>`), {}, async (page, widget) => {
  await widget.type('dorpsstraat 64 bis');
  await widget.suggestions.first().click();
  await widget.status.getByText('Dit adres is nog niet gecontroleerd.').waitFor();
  assert.deepEqual([await values(page), (await events(page, 'select')).length], [['Elders'], 0]);
  assert.equal(await page.evaluate(() => new FormData(document.forms[0]).get('address')), '');
}));

test('two widgets in one form keep to their sections', () => withShop(shopPage(`
  ${element('section="shipping" label="Bezorgadres"')}<input autocomplete="shipping postal-code" aria-label="a"><input data-postduif="shipping number" aria-label="b">
  ${element('section="billing" label="Factuuradres"')}<input autocomplete="section-x billing postal-code" aria-label="c"><input data-postduif="billing number" aria-label="d">
`), {}, async (page) => {
  const [shipping, billing] = ['shipping', 'billing'].map((section) => handle(page, `postduif-address[section=${section}]`));
  await choose(page, shipping, 'dorpsstraat 64');
  assert.deepEqual(await values(page), ['3931AX', '64', '', '']);
  await choose(page, billing, 'plein 1944 12 schap');
  assert.deepEqual(await values(page), ['3931AX', '64', '3931AB', '12']);
}));

test('without a section the first group of fields is filled, and without a form those of the page', async () => {
  const two = `${element()}<input autocomplete="shipping postal-code" aria-label="a"><input autocomplete="billing postal-code" aria-label="b">`;
  for (const html of [shopPage(two), shopPage(two).replace('<form>', '').replace('</form>', '')]) {
    await withShop(html, {}, async (page, widget) => {
      await choose(page, widget, 'dorpsstraat 64');
      assert.deepEqual(await values(page), ['3931AX', '']);
    });
  }
});

test('a field changed by the user stays until another address is chosen', () => withShop(shopPage(), {}, async (page, widget) => {
  await choose(page, widget, 'dorpsstraat 62');
  await page.getByLabel('Plaats').fill('Ginds');
  await widget.input.press('End');
  await widget.input.press('Backspace');
  await widget.answered();
  assert.equal((await values(page))[2], 'Ginds');
  await choose(page, widget, 'plein 1944 12 schap');
  assert.equal((await values(page))[2], 'Schapenhoek');
}));

test('a framework that watches the value of a field notices the change', () => withShop(shopPage(), {}, async (page, widget) => {
  await page.evaluate(() => {
    const field = document.querySelector('[autocomplete=postal-code]');
    const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    let known = field.value;
    Object.defineProperty(field, 'value', { configurable: true, get() { return get.call(this); }, set(text) { known = text; set.call(this, text); } });
    // React ignores an event if the field has the value that React last saw set.
    field.addEventListener('input', () => { globalThis.noticed = field.value !== known; });
  });
  await choose(page, widget, 'dorpsstraat 64');
  assert.equal(await page.evaluate(() => globalThis.noticed), true);
}));

test('the widget is a field of its form: it has a value, can be required, and is reset', () => withShop(shopPage(element('name="address" required value="Dorp"') + FIELDS), {}, async (page, widget) => {
  const state = () => page.evaluate(() => {
    const form = document.forms[0];
    const data = new FormData(form);
    return [data.get('address'), data.get('address_text'), form.checkValidity()];
  });
  assert.deepEqual(await state(), ['', 'Dorp', false]);
  assert.deepEqual(widget.asked, [], 'the initial value is not looked up');
  await page.getByRole('button', { name: 'Bestellen' }).click();
  assert.equal(await widget.input.evaluate((input) => input.getRootNode().activeElement === input), true, 'the missing field has the focus');
  await choose(page, widget, 'dorpsstraat 64');
  assert.deepEqual(await state(), ['0351200000024197', 'Dorpsstraat 64, 3931AX Schapenhoek', true]);
  await widget.input.press('End');
  await widget.input.press('Backspace');
  assert.deepEqual(await state(), ['', 'Dorpsstraat 64, 3931AX Schapenhoe', false], 'a changed text is not an address');
  assert.equal((await events(page, 'clear')).length, 2, 'at the start, and now');
  await page.evaluate(() => document.forms[0].reset());
  assert.deepEqual(await state(), ['', 'Dorp', false]);
  assert.equal(await widget.host.evaluate(({ address }) => address), null);
  await page.evaluate(() => document.querySelector('postduif-address').toggleAttribute('disabled'));
  assert.equal(await widget.input.isDisabled(), true);
  assert.deepEqual(await state(), [null, null, true]);
}));

test('an initial text is reported as not confirmed', () => withShop(shopPage(element('value="Dorpsstraat 64"')), {}, async (page, widget) => {
  assert.deepEqual([await widget.status.innerText(), await widget.host.getAttribute('data-state')], ['Dit adres is nog niet gecontroleerd.', 'unconfirmed']);
  assert.deepEqual([widget.asked, await widget.input.inputValue()], [[], 'Dorpsstraat 64']);
}));

test('with strict, entry by hand is offered only when the service fails', () => withShop(shopPage(element('strict') + FIELDS), { expected: /Failed to load/ }, async (page, widget) => {
  assert.equal(await widget.manual.count(), 0);
  await widget.type('dorpss');
  assert.equal(await widget.options.count(), 8);
  await widget.input.fill('qqqqqq');
  await widget.status.getByText('Geen adres gevonden.', { exact: true }).waitFor();
  assert.deepEqual([await widget.list.isVisible(), await widget.input.getAttribute('aria-invalid')], [false, 'true']);
  await page.route(/autocomplete/, (route) => route.abort());
  await widget.input.fill('dorpsst');
  await widget.status.getByText('Adressen zoeken lukt nu even niet. Vul je adres zelf in.').waitFor();
  assert.deepEqual([await widget.manual.isVisible(), await widget.options.allInnerTexts()], [true, ['Adres zelf invullen']]);
}));

test('manual entry does not block the form', () => withShop(shopPage(element('required') + FIELDS), {}, async (page) => {
  const valid = () => page.evaluate(() => document.forms[0].checkValidity());
  assert.equal(await valid(), false);
  await page.getByLabel('Straat').pressSequentially('Dorp');
  assert.equal(await valid(), true);
}));

test('a script can set the value and clear the widget', () => withShop(shopPage(), {}, async (page, widget) => {
  await widget.host.evaluate((host) => { host.value = 'Plein 1944'; });
  assert.equal(await widget.input.inputValue(), 'Plein 1944');
  await widget.host.evaluate((host) => host.clear());
  assert.equal(await widget.input.inputValue(), '');
  assert.deepEqual([(await events(page, 'clear')).length, widget.asked.length], [2, 0]);
}));

test('manual entry at every step: the hidden fields appear, and the first has the focus', async () => {
  const hidden = shopPage(`${element('required')}<div data-postduif-fields hidden>${FIELDS}</div>`);
  const steps = {
    'at rest': async (widget) => widget.manual.click(),
    'by keyboard': async (widget, page) => { await widget.input.focus(); await page.keyboard.press('Tab'); await page.keyboard.press('Enter'); },
    'among suggestions': async (widget) => { await widget.type('dorpss'); await widget.options.last().click(); },
    'nothing found': async (widget) => {
      await widget.input.pressSequentially('qqqqqq');
      await widget.status.getByText('Geen adres').or(widget.options.first()).first().waitFor();
      await widget.input.press('ArrowUp');
      await widget.input.press('Enter');
    },
  };
  for (const [name, step] of Object.entries(steps)) {
    await withShop(hidden, {}, async (page, widget) => {
      assert.equal(await page.getByLabel('Straat').isVisible(), false);
      await step(widget, page);
      assert.equal(await page.getByLabel('Straat').evaluate((field) => field === document.activeElement), true, name);
      assert.deepEqual([(await events(page, 'manual')).length, await page.evaluate(() => document.forms[0].checkValidity())], [1, true], name);
    });
  }
});

test('without scripts the shop’s own fields can be used', () => withShop(shopPage(), { javaScriptEnabled: false }, async (page) => {
  await page.getByLabel('Straat').fill('Dorpsstraat 64');
  assert.equal(await page.getByRole('button', { name: 'Bestellen' }).isEnabled(), true);
}));
