// Mode `postcode`: the widget's own fields for postcode, house number and addition, then street and town.
'use strict';

const assert = require('node:assert/strict');
const { isAccessible, isAccessibleInBothSchemes, picture } = require('../harness.js');
const { test } = require('../testing.js');
const { withCheckout } = require('./checkout.js');

const MANUAL = 'Adres zelf invullen';
const withPostcode = (setup, options, use) => withCheckout('postcode', setup, options, use);
const one = (use) => withPostcode({}, {}, use);

/** Fills in postcode and number, each at once and not letter by letter. */
async function enterPostcodeAndNumber(c, postcode, number) {
  await c.field('postcode').fill(postcode);
  await c.field('number').fill(number);
}

const values = async (c) => Object.fromEntries(await Promise.all(['postcode', 'number', 'addition', 'street', 'city']
  .map(async (kind) => [kind, await c.field(kind).inputValue()])));
const options = (c) => c.host().getByRole('option').allInnerTexts();

test('as soon as postcode and number are entered, one look-up fills in street and town', () => one(async (c) => {
  const asked = [];
  c.page.on('request', (request) => request.method() === 'GET' && asked.push(new URL(request.url()).pathname + new URL(request.url()).search));
  await c.field('postcode').fill('3931 ax');
  await c.check();
  assert.equal(await c.field('city').getAttribute('autocomplete'), 'address-level2');
  assert.equal(await c.field('street').inputValue(), '');
  await c.field('number').fill('62');
  await c.waitForState('confirmed');
  assert.deepEqual(await values(c), { postcode: '3931 ax', number: '62', addition: '', street: 'Dorpsstraat', city: 'Schapenhoek' });
  assert.equal(await c.part('status').innerText(), 'Gekozen: Dorpsstraat 62, 3931 AX Schapenhoek');
  assert.deepEqual(asked, ['/api/v1/addresses?postcode=3931AX&number=62']);
}));

test('the additions of a number are a list, with “zonder toevoeging” only where that address exists', () => one(async (c) => {
  await enterPostcodeAndNumber(c, '3931AX', '64');
  await c.waitForState('choose');
  await c.waitForMessage('Kies je toevoeging.');
  assert.equal(await c.field('street').inputValue(), 'Dorpsstraat', 'all additions are in the same street');
  await c.field('addition').focus();
  assert.deepEqual(await options(c), ['zonder toevoeging', 'bis', MANUAL]);
  await c.choose('zonder toevoeging');
  await c.waitForState('confirmed');
  assert.deepEqual([await c.field('addition').inputValue(), (await c.check()).address.id], ['', '0351200000024197']);
  await enterPostcodeAndNumber(c, '3931AG', '3');
  await c.waitForState('choose');
  await c.field('addition').focus();
  assert.deepEqual(await options(c), ['a', 'b', 'c', 'd', MANUAL]);
  await c.choose(/^\s*c\s*$/);
  await c.waitForState('confirmed');
  assert.equal(await c.field('addition').inputValue(), 'c');
}));

test('typing filters a long list of additions, which is shown in pages', () => one(async (c) => {
  await enterPostcodeAndNumber(c, '3932BE', '20');
  await c.waitForState('choose');
  await c.field('addition').focus();
  assert.equal((await options(c)).length, 52, '50, a row for more, and manual entry');
  await c.choose('Nog 20 tonen');
  assert.equal((await options(c)).length, 71);
  await c.type('addition', '7');
  await c.waitForState('confirmed');
  assert.equal((await c.check()).address.addition, '7');
  assert.deepEqual(await options(c), ['7', '70', MANUAL], 'the longer addition can still be chosen');
  await c.choose('70');
  await c.waitForState('confirmed');
  assert.equal((await c.check()).address.addition, '70');
}));

test('the number field accepts a letter and an addition after the number', () => one(async (c) => {
  for (const [postcode, number, id] of [
    ['3931AX', '64bis', '0351200000024199'], ['3931AG', '3a', '0351200000016008'], ['3931 AX', '64 BIS', '0351200000024199'],
    ['3931AL', '27b-1', '0351200000020178'], ['3931AX', '64-bis', '0351200000024199'], ['3931AL', '27 B 1', '0351200000020178'],
  ]) {
    await enterPostcodeAndNumber(c, postcode, number);
    await c.waitForState('confirmed');
    assert.equal((await c.check(number)).address.id, id, number);
    assert.equal(await c.field('number').inputValue(), number, 'the typed text stays');
  }
}));

test('without a match, a suggestion and manual entry are offered, and the typed text stays', () => one(async (c) => {
  await enterPostcodeAndNumber(c, '3931AX', '61');
  await c.part('proposal').waitFor();
  assert.match(await c.part('proposal').innerText(), /^Bedoel je Dorpsstraat 6[02], 3931 AX Schapenhoek\?$/);
  assert.deepEqual(await values(c), { postcode: '3931AX', number: '61', addition: '', street: '', city: '' });
  assert.equal((await c.check()).state, 'unconfirmed');
  await isAccessible(c.page, 'a suggestion');
  assert.equal(await c.page.evaluate(() => document.forms[0].checkValidity()), true, 'the form is not blocked');
  await c.host().getByRole('button', { name: MANUAL }).click();
  assert.equal(await c.part('proposal').isVisible(), false);
  assert.equal(await c.host().evaluate((host) => host.shadowRoot.activeElement.id), 'street');
  await c.page.keyboard.type('Nieuwe Straat');
  await c.type('city', 'Schapenhoek');
  const { state, id } = await c.check();
  assert.deepEqual([state, id], ['manual', '']);
  const order = await c.submit();
  assert.deepEqual([order.get('address'), order.get('address_street'), order.get('address_number')], ['', 'Nieuwe Straat', '61']);
}));

test('an answer that arrives while a button is pressed does not move the button', () => one(async (c) => {
  let answer;
  const isHeld = new Promise((resolve) => {
    c.page.route(/validate/, (route) => resolve(answer = () => route.continue()));
  });
  await enterPostcodeAndNumber(c, '3931AX', '61');
  await isHeld;
  const button = c.page.getByRole('button', { name: 'Bestellen' });
  await button.hover();
  await c.page.mouse.down();
  const before = await button.boundingBox();
  const finished = c.page.waitForEvent('requestfinished', (request) => request.url().endsWith('validate') && request.method() === 'POST');
  await answer();
  await finished;
  await c.waitForTasks();
  assert.deepEqual(await button.boundingBox(), before);
  await c.page.mouse.up();
  await c.page.getByText('Bedankt').waitFor();
}));

test('an answer that arrives while a button is pressed is shown after its release', () => one(async (c) => {
  await c.page.mouse.move(1, 1);
  await c.page.mouse.down();
  const finished = c.page.waitForEvent('requestfinished', (request) => request.url().endsWith('validate') && request.method() === 'POST');
  await enterPostcodeAndNumber(c, '3931AX', '61');
  await finished;
  await c.page.mouse.up();
  await c.part('proposal').waitFor();
}));

test('a suggestion is gone as soon as the number changes', () => one(async (c) => {
  await enterPostcodeAndNumber(c, '3931AX', '6');
  await c.part('proposal').waitFor();
  await c.page.route(/addresses/, () => {});
  await c.field('number').press('End');
  await c.field('number').press('1');
  assert.equal(await c.part('proposal').isVisible(), false);
}));

test('street and town are read-only until they are entered by hand', () => one(async (c) => {
  for (const kind of ['street', 'city']) assert.equal(await c.field(kind).evaluate((field) => field.readOnly), true, kind);
  await c.host().getByRole('button', { name: MANUAL }).click();
  for (const kind of ['street', 'city']) assert.equal(await c.field(kind).evaluate((field) => field.readOnly), false, kind);
}));

test('a postcode that cannot exist is reported without a request', () => one(async (c) => {
  const asked = [];
  c.page.on('request', (request) => asked.push(request.url()));
  await enterPostcodeAndNumber(c, '0931AX', '1');
  await c.waitForMessage('Een postcode heeft vier cijfers en twee letters.');
  assert.deepEqual(asked, []);
}));

test('works without a mouse', () => one(async (c) => {
  const { keyboard } = c.page;
  const focused = () => c.host().evaluate((host) => host.shadowRoot.activeElement?.id);
  await c.field('postcode').focus();
  await keyboard.type('3931AX');
  await keyboard.press('Tab');
  assert.equal(await focused(), 'number');
  await keyboard.type('64');
  await c.waitForState('choose');
  await keyboard.press('Tab');
  assert.equal(await focused(), 'input');
  assert.equal(await c.field('addition').getAttribute('aria-expanded'), 'true', 'the list opens by itself');
  await keyboard.press('Escape');
  assert.equal(await c.field('addition').getAttribute('aria-expanded'), 'false');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  assert.equal(await c.host().locator('[aria-selected=true]').innerText(), 'bis');
  await keyboard.press('Enter');
  await c.waitForState('confirmed');
  assert.equal((await c.check()).address.addition, 'bis');
  assert.equal(c.orders.length, 0, 'Enter in the list does not send the form');
  await keyboard.press('Shift+Tab');
  await keyboard.press('End');
  await keyboard.press('Backspace');
  await keyboard.press('Backspace');
  await keyboard.type('61');
  await c.part('proposal').waitFor();
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  assert.equal(await c.host().evaluate((host) => host.shadowRoot.activeElement.part.value), 'proposal');
  await keyboard.press('Enter');
  await c.waitForState('confirmed');
}));

test('it speaks English', () => withPostcode({ lang: 'en' }, { locale: 'en-GB' }, async (c) => {
  const labels = await c.host().locator('label').allInnerTexts();
  assert.deepEqual(labels, ['Postcode', 'House number', 'Addition (optional)', 'Street', 'Town']);
  await enterPostcodeAndNumber(c, '3931AX', '64');
  await c.waitForMessage('Choose your addition.');
  await c.field('addition').focus();
  assert.deepEqual(await options(c), ['no addition', 'bis', 'Enter address by hand']);
  await c.choose('no addition');
  await c.waitForMessage('Chosen: Dorpsstraat 64, 3931 AX Schapenhoek');
  await enterPostcodeAndNumber(c, '3931AX', '61');
  await c.part('proposal').waitFor();
  assert.match(await c.part('proposal').innerText(), /^Do you mean Dorpsstraat 6[02], 3931 AX Schapenhoek\?$/);
}));

test('a value from the server or a script is looked up', () => withPostcode({ attributes: 'value="3931 AX 64bis"' }, {}, async (c) => {
  await c.waitForState('confirmed');
  assert.equal((await c.check()).address.id, '0351200000024199');
  await c.host().evaluate((host) => { host.value = '3931AX 62'; });
  await c.waitForState('confirmed');
  await c.waitForMessage('Gekozen: Dorpsstraat 62');
  await c.host().evaluate((host) => host.clear());
  await c.waitForState('empty');
  assert.deepEqual(Object.values(await values(c)), ['', '', '', '', '']);
}));

test('the attributes required and strict decide when the form is valid', async () => {
  const isValid = (c) => c.host().evaluate((host) => [host.checkValidity(), host.form.checkValidity(), host.validity.valid]);
  const all = (is) => [is, is, is];
  for (const [attributes, empty, unconfirmed, byHand] of [['', true, true, true], ['required', false, false, false], ['strict', false, false, false]]) {
    await withPostcode({ attributes }, {}, async (c) => {
      assert.deepEqual(await isValid(c), all(empty), `${attributes}, empty`);
      await enterPostcodeAndNumber(c, '3931AX', '61');
      await c.part('proposal').waitFor();
      assert.deepEqual(await isValid(c), all(unconfirmed), `${attributes}, unconfirmed`);
      if (attributes === 'strict') assert.equal(await c.host().getByRole('button', { name: MANUAL }).count(), 0, 'strict offers no entry by hand, which it would not accept');
      else await c.host().getByRole('button', { name: MANUAL }).click();
      assert.deepEqual(await isValid(c), all(byHand), `${attributes}, by hand, without street and town`);
      await c.field('number').fill('62');
      await c.waitForState('confirmed');
      assert.deepEqual(await isValid(c), all(true), `${attributes}, confirmed`);
      await c.host().evaluate((host) => host.setCustomValidity('Hier bezorgen we niet.'));
      assert.deepEqual([await isValid(c), await c.host().evaluate((host) => host.validationMessage)], [all(false), 'Hier bezorgen we niet.']);
      await c.host().evaluate((host) => host.setCustomValidity(''));
      assert.deepEqual(await isValid(c), all(true));
      assert.equal(await c.host().evaluate((host) => host.form === document.forms[0]), true);
    });
  }
});

test('with strict, the additions are offered without manual entry, and the list is never empty', () => withPostcode({ attributes: 'strict' }, {}, async (c) => {
  await enterPostcodeAndNumber(c, '3931AX', '64');
  await c.waitForState('choose');
  await c.field('addition').focus();
  assert.deepEqual(await options(c), ['zonder toevoeging', 'bis']);
  await c.field('addition').fill('x');
  await c.waitForMessage('Toevoeging x is niet bekend bij nummer 64. Kies je toevoeging. 2 toevoegingen');
  assert.deepEqual(await options(c), ['zonder toevoeging', 'bis'], 'none begins with x, so all are offered');
}));

test('a look-up marks fields as invalid, and typing removes the mark', () => one(async (c) => {
  const invalid = async () => [await c.field('number').getAttribute('aria-invalid'), await c.field('addition').getAttribute('aria-invalid')];
  await enterPostcodeAndNumber(c, '3931AX', '62');
  await c.waitForState('confirmed');
  assert.deepEqual(await invalid(), ['false', 'false']);
  const mark = () => c.part('status').evaluate((status) => getComputedStyle(status, '::before').content);
  assert.equal(await mark(), '"✓ "');
  await c.type('addition', 'x');
  await c.waitForMessage('Toevoeging x is niet bekend bij nummer 62.');
  assert.deepEqual([await invalid(), await mark()], [['true', 'true'], 'none']);
  await isAccessible(c.page, 'invalid');
  await c.page.route(/addresses/, () => {});
  await c.field('number').press('End');
  await c.field('number').press('1');
  assert.deepEqual(await invalid(), ['false', 'false']);
}));

test('a form without its required address moves the focus to the widget', () => withPostcode({ attributes: 'required' }, {}, async (c) => {
  await c.page.getByRole('button', { name: 'Bestellen' }).click();
  assert.equal(await c.host().evaluate((host) => host.shadowRoot.activeElement?.id), 'postcode');
  assert.equal(c.orders.length, 0);
}));

test('with required, entry by hand needs every field but the addition, and the first empty one gets the focus', () => withPostcode({ attributes: 'required' }, {}, async (c) => {
  const focused = async () => {
    await c.page.getByRole('button', { name: 'Bestellen' }).click();
    return c.host().evaluate((host) => host.shadowRoot.activeElement?.id);
  };
  await c.host().getByRole('button', { name: MANUAL }).click();
  for (const [kind, text] of [['postcode', '3931 ZZ'], ['number', '1'], ['street', 'Nieuwe Straat'], ['city', 'Schapenhoek']]) {
    assert.equal(await focused(), kind);
    await c.field(kind).fill(' ');
    assert.equal(await focused(), kind, `${kind} with a space`);
    await c.field(kind).fill(text);
  }
  assert.equal(c.orders.length, 0);
  const order = await c.submit();
  assert.deepEqual([order.get('address'), order.get('address_street'), order.get('address_city')], ['', 'Nieuwe Straat', 'Schapenhoek']);
}));

test('strict is lifted while the service is unreachable', () => withPostcode({ attributes: 'strict' }, { expected: /Failed to load/ }, async (c) => {
  await c.page.route(/\/api\/v1\//, (route) => route.abort('internetdisconnected'));
  await enterPostcodeAndNumber(c, '3931AX', '62');
  await c.waitForMessage('Adressen zoeken lukt nu even niet. Vul je adres zelf in.');
  assert.equal(await c.host().getByRole('button', { name: MANUAL }).isVisible(), true);
  assert.equal(await c.host().evaluate((host) => host.checkValidity()), true);
  assert.equal(await c.field('street').evaluate((field) => field.readOnly), false);
  await c.page.unroute(/\/api\/v1\//);
  await c.field('number').fill('60');
  await c.waitForState('confirmed');
}));

test('it is accessible at rest, open, filled and with a suggestion, in light and dark', () => withPostcode({}, { viewport: { width: 600, height: 820 } }, async (c) => {
  await isAccessibleInBothSchemes(c.page, 'at rest', 'widget-postcode-rest');
  await enterPostcodeAndNumber(c, '3931AX', '64');
  await c.waitForState('choose');
  await c.field('addition').focus();
  await c.page.keyboard.press('ArrowDown');
  await isAccessibleInBothSchemes(c.page, 'open', 'widget-postcode-open');
  await c.page.keyboard.press('Enter');
  await c.waitForState('confirmed');
  await isAccessibleInBothSchemes(c.page, 'filled', 'widget-postcode-filled');
  await enterPostcodeAndNumber(c, '3931AX', '61');
  await c.part('proposal').waitFor();
  await isAccessibleInBothSchemes(c.page, 'a suggestion', 'widget-postcode-proposal');
}));

test('nothing is wider than the page', () => withPostcode({}, {}, async (c) => {
  const assertFits = async (context) => {
    for (const width of [320, 360, 600, 1000]) {
      await c.page.setViewportSize({ width, height: 640 });
      assert.equal(await c.page.evaluate(() => document.documentElement.scrollWidth), width, context);
      await picture(c.page, `widget-postcode-${context}-${width}`);
    }
  };
  await assertFits('rest');
  await enterPostcodeAndNumber(c, '3931EM', '3');
  await c.waitForState('choose');
  await c.field('addition').focus();
  await assertFits('open');
  await enterPostcodeAndNumber(c, '3931AX', '61');
  await c.part('proposal').waitFor();
  await assertFits('suggestion');
}));

test('on a small phone with its keyboard open, manual entry is in view', () => withPostcode({}, { viewport: { width: 360, height: 300 } }, async (c) => {
  await enterPostcodeAndNumber(c, '3932BE', '20');
  await c.waitForState('choose');
  await c.field('addition').focus();
  const box = await c.host().getByRole('option', { name: MANUAL }).boundingBox();
  assert.ok(box.y >= 0 && box.y + box.height <= 300, JSON.stringify(box));
  await picture(c.page, 'widget-postcode-keyboard', {});
}));
