// Mode `attach`: the widget uses the form's own fields, found by selectors, `data-postduif`, `autocomplete` or their names.
'use strict';

const assert = require('node:assert/strict');
const { KEY, isAccessible, isAccessibleInBothSchemes, picture } = require('../harness.js');
const { test } = require('../testing.js');
const { withCheckout } = require('./checkout.js');
const { shopPage, withShop, events, values, widget: element } = require('./shop.js');

const MANUAL = 'Adres zelf invullen';
const attach = (use, setup = {}, options = {}) => withCheckout('attach', setup, options, use);
const confirmed = (page, selector = 'postduif-address') => page.locator(`${selector}[data-state=confirmed]`).waitFor({ state: 'attached' });

/** The fields of a form, with an input for each of these attribute lists. The first two inputs are postcode and number. */
const fields = (inputs, attributes = '') => inputs.map((each, at) => `<input ${each} aria-label="field ${at}">`).join('') + element(`mode="attach" name="address" ${attributes}`);
const form = (...those) => shopPage(fields(...those));

const FORMS = {
  'autocomplete': fields(['autocomplete="postal-code"', 'data-postduif="number"', 'autocomplete="address-line1"', 'autocomplete="address-level2"']),
  'data-postduif': fields(['data-postduif="postcode"', 'data-postduif="number"', 'data-postduif="street"', 'data-postduif="city"']),
  'selectors': fields(['id="billing_postcode"', 'class="nr"', 'name="q[1]"', 'name="q[2]"'],
    'field-postcode="#billing_postcode" field-number=".nr" field-street="[name=\'q[1]\']" field-city="[name=\'q[2]\']"'),
  'names in English': fields(['name="postcode"', 'name="house_number"', 'name="street"', 'name="city"']),
  'names in Dutch': fields(['name="postcode"', 'name="huisnummer"', 'name="straatnaam"', 'name="woonplaats"']),
  'names of WooCommerce': fields(['name="billing_postcode"', 'name="billing_house_number"', 'name="billing_street_name"', 'name="billing_city"']),
  'names of Magento': fields(['name="postcode"', 'name="street[1]"', 'name="street[0]"', 'name="city"']),
  'ids': fields(['id="zip"', 'id="housenumber"', 'id="address1"', 'id="town"']),
};

test('fields are found by selectors, attributes, names and ids, in a form of their own', () => withShop(
  shopPage(Object.values(FORMS).join('</form><form>')), {}, async (page) => {
    for (const [at, by] of Object.keys(FORMS).entries()) {
      const found = page.locator('form').nth(at);
      await found.getByLabel('field 0').fill('3931AX');
      await found.getByLabel('field 1').fill('62');
      await found.locator('postduif-address[data-state=confirmed]').waitFor({ state: 'attached' });
      const filled = await found.evaluate((each) => Array.from(each.querySelectorAll('input'), ({ value }) => value));
      assert.deepEqual(filled, ['3931AX', '62', 'Dorpsstraat', 'Schapenhoek'], by);
      assert.equal(await found.locator('[part=status]').innerText(), 'Gekozen: Dorpsstraat 62, 3931 AX Schapenhoek', by);
    }
  }));

test('an attribute of a form adds the widget, and further attributes are its settings', () => withShop(
  form(['id="p"', 'id="n"', 'name="street"', 'name="city"']).replace(/<postduif-address.*?<\/postduif-address>/, '')
    .replace('<form>', `<form data-postduif-form="${KEY}" data-postduif-lang="en" data-postduif-name="bag" data-postduif-field-postcode="#p" data-postduif-field-number="#n">`),
  {}, async (page, widget) => {
    await page.getByLabel('field 0').fill('3931AX');
    await page.getByLabel('field 1').fill('62');
    await confirmed(page);
    assert.equal(await widget.status.innerText(), 'Chosen: Dorpsstraat 62, 3931 AX Schapenhoek');
    assert.equal(await page.evaluate(() => new FormData(document.forms[0]).get('bag')), '0351200000024191');
  }));

test('a form that a script adds later gets one widget', () => withShop('<!doctype html><title>Bestellen</title>' + shopPage('').match(/<script.*<\/script>/)[0], {}, async (page) => {
  await page.waitForFunction(() => customElements.get('postduif-address'));
  const add = () => page.evaluate((key) => {
    document.body.insertAdjacentHTML('beforeend', `<form data-postduif-form="${key}"><input name="postcode" aria-label="code"><input name="huisnummer" aria-label="number"></form>`);
  }, KEY);
  await add();
  await page.getByLabel('code').fill('3931AX');
  await page.getByLabel('number').fill('62');
  await confirmed(page);
  await add();
  await page.locator('form + form > postduif-address').waitFor({ state: 'attached' });
  await page.evaluate(() => document.body.append(document.forms[0], document.createElement('p')));
  assert.deepEqual(await page.evaluate(() => Array.from(document.forms, (each) => each.querySelectorAll('postduif-address').length)), [1, 1]);
}));

test('the widget of a form is after its last selected field, and inside the form', () => withShop(
  '<!doctype html><title>Bestellen</title>' + shopPage('').match(/<script.*<\/script>/)[0], {}, async (page) => {
    await page.waitForFunction(() => customElements.get('postduif-address'));
    const places = await page.evaluate(async (key) => {
      document.body.insertAdjacentHTML('beforeend', `
        <form data-postduif-form="${key}" data-postduif-field-postcode="#a" data-postduif-field-number="#b"><input id="a"><input id="b"><button>Bestellen</button></form>
        <form id="f" data-postduif-form="${key}" data-postduif-section="shipping"><button>Bestellen</button></form>
        <input form="f" name="shipping postcode"><input form="f" name="shipping huisnummer">`);
      await new Promise((resolve) => setTimeout(resolve));
      return Array.from(document.querySelectorAll('postduif-address'), (each) => [each.previousElementSibling.localName, each.parentElement.localName]);
    }, KEY);
    assert.deepEqual(places, [['input', 'form'], ['button', 'form']]);
  }));

test('an invalid selector is reported once and ignored', () => withShop(
  form(['name="postcode"', 'name="huisnummer"', 'name="straat"'], 'field-city="#1x"'), {}, async (page) => {
    const warnings = [];
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    await page.reload();
    await page.getByLabel('field 0').fill('3931AX');
    await page.getByLabel('field 1').fill('62');
    await confirmed(page);
    assert.deepEqual([warnings.length, /#1x/.test(warnings[0])], [1, true], warnings.join());
  }));

test('with strict, a missing address moves the focus to the message, and manual entry is not offered', () => attach(async (c) => {
  await c.field('postcode').fill('3931AX');
  await c.field('number').fill('61');
  await c.part('proposal').waitFor();
  assert.equal(await c.host().getByRole('button', { name: MANUAL }).count(), 0);
  await c.page.getByRole('button', { name: 'Bestellen' }).click();
  assert.equal(await c.host().evaluate((host) => host.shadowRoot.activeElement?.id), 'status', 'the browser can show its message');
  assert.equal(c.orders.length, 0);
}, { attributes: 'strict' }));

test('one address fills the fields; several show the additions; typed text is never overwritten', () => attach(async (c) => {
  await c.field('postcode').fill('3931AX');
  await c.field('number').fill('64');
  await c.waitForState('choose');
  assert.equal(await c.host().getByRole('combobox').isVisible(), true);
  await c.field('addition').fill('bis');
  await c.waitForState('confirmed');
  assert.equal(await c.host().getByRole('combobox').isVisible(), false, 'the list is hidden when it is not needed');
  assert.equal((await c.check()).address.id, '0351200000024199');
  await c.field('number').fill('61');
  await c.field('city').fill('Ginds');
  await c.part('proposal').waitFor();
  assert.deepEqual([await c.field('number').inputValue(), await c.field('city').inputValue()], ['61', 'Ginds']);
  await c.field('addition').fill('');
  await c.field('number').fill('62');
  await c.part('proposal').waitFor();
  assert.equal(await c.part('proposal').innerText(), 'Bedoel je Dorpsstraat 62, 3931 AX Schapenhoek?');
  await c.waitForMessage('Deze plaats hoort niet bij deze postcode.');
  const { id } = await c.check();
  assert.deepEqual([id, await c.field('city').inputValue()], ['', 'Ginds'], 'the town does not match');
  await c.part('proposal').click();
  await c.waitForState('confirmed');
  assert.equal(await c.field('city').inputValue(), 'Schapenhoek', 'a chosen suggestion replaces the town');
}));

test('an emptied field stays empty until the postcode or the number changes', () => attach(async (c) => {
  await c.field('postcode').fill('3931AX');
  await c.field('number').fill('62');
  await c.waitForState('confirmed');
  await c.step('empties the street', () => c.field('street').fill(''));
  await c.part('proposal').waitFor();
  assert.equal(await c.part('proposal').innerText(), 'Bedoel je Dorpsstraat 62, 3931 AX Schapenhoek?');
  assert.equal(await c.part('status').innerText(), 'Dit adres is nog niet gecontroleerd.');
  assert.deepEqual([(await c.check()).id, await c.field('street').inputValue()], ['', '']);
  await c.field('number').fill('60');
  await c.waitForState('confirmed');
  assert.equal(await c.field('street').inputValue(), 'Dorpsstraat');
}));

test('a number field accepts 27b-1, and a separate addition field then stays empty', () => attach(async (c) => {
  await c.field('postcode').fill('3931AL');
  await c.field('number').fill('27b-1');
  await c.waitForState('confirmed');
  assert.deepEqual([await c.field('number').inputValue(), await c.field('addition').inputValue()], ['27b-1', '']);
  assert.equal((await c.check()).address.id, '0351200000020178');
}));

test('an addition is chosen without a mouse', () => attach(async (c) => {
  const { keyboard } = c.page;
  await c.field('postcode').focus();
  await keyboard.type('3931AX');
  await keyboard.press('Tab');
  await keyboard.type('64');
  await c.waitForState('choose');
  await c.host().getByRole('combobox').focus();
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await c.waitForState('confirmed');
  assert.equal(await c.field('addition').inputValue(), 'bis');
  assert.equal(c.orders.length, 0);
  assert.notEqual(await c.page.evaluate(() => document.activeElement.name ?? ''), '', 'the focus is in the form');
}));

test('an unknown addition is explained, and the known ones are offered', () => attach(async (c) => {
  await c.field('postcode').fill('3931AX');
  await c.field('number').fill('64');
  await c.field('addition').fill('x');
  await c.waitForMessage('Toevoeging x is niet bekend bij nummer 64.');
  await c.combobox().focus();
  assert.deepEqual(await c.host().getByRole('option').allInnerTexts(), ['zonder toevoeging', 'bis', MANUAL]);
  assert.equal(await c.field('addition').inputValue(), 'x');
}));

test('after manual entry nothing is required, and the form is sent', () => attach(async (c) => {
  await c.field('postcode').fill('3931AX');
  await c.field('number').fill('61');
  await c.part('proposal').waitFor();
  await c.host().getByRole('button', { name: MANUAL }).click();
  await c.page.keyboard.type('Nieuwe Straat');
  await c.field('city').fill('Schapenhoek');
  await c.check();
  const order = await c.submit();
  assert.deepEqual([order.get('address'), order.get('street')], ['', 'Nieuwe Straat']);
}, { attributes: 'required' }));

test('a whole address that is typed into the fields is entered by hand, and stays so while the country is typed', () => withShop(
  form(['name="postcode"', 'name="huisnummer"', 'name="straat"', 'name="plaats"', 'name="land"'], 'required'), {}, async (page, widget) => {
    const isValid = () => page.evaluate(() => document.forms[0].checkValidity());
    for (const [at, text] of ['3931AX', '9999', 'Nieuwe Laan', 'Schapenhoek'].entries()) {
      assert.equal(await isValid(), false, `before ${text}`);
      await page.getByLabel(`field ${at}`).fill(text);
    }
    assert.equal(await isValid(), true);
    await widget.host.locator('[part=proposal]').waitFor();
    assert.equal(await isValid(), true);
    await page.getByLabel('field 2').fill('');
    assert.equal(await isValid(), false);
    await widget.host.getByRole('button', { name: MANUAL }).click();
    await page.getByLabel('field 4').pressSequentially('Nederland');
    assert.deepEqual([await isValid(), await widget.host.getAttribute('data-state')], [true, 'manual']);
    // The same street and town, typed again for a number that is not in the register.
    await page.evaluate(() => document.forms[0].reset());
    await page.getByLabel('field 0').fill('3931AX');
    await page.getByLabel('field 1').fill('62');
    await widget.host.and(page.locator('[data-state=confirmed]')).waitFor({ state: 'attached' });
    await page.getByLabel('field 1').fill('9999');
    await widget.host.locator('[part=proposal]').waitFor();
    assert.equal(await isValid(), false);
    for (const [at, text] of [[2, 'Dorpsstraat'], [3, 'Schapenhoek']]) {
      await page.getByLabel(`field ${at}`).fill('');
      await page.getByLabel(`field ${at}`).fill(text);
    }
    assert.equal(await isValid(), true);
  }));

test('required and strict block a form until the address is confirmed', async () => {
  for (const attributes of ['required', 'strict']) {
    await attach(async (c) => {
      const isValid = () => c.page.evaluate(() => document.forms[0].checkValidity());
      assert.equal(await isValid(), false, attributes);
      await c.field('postcode').fill('3931AX');
      await c.field('number').fill('61');
      await c.part('proposal').waitFor();
      assert.equal(await isValid(), false, attributes);
      await c.field('number').fill('62');
      await c.waitForState('confirmed');
      assert.equal(await isValid(), true, attributes);
      await c.field('street').fill('Schoolstraat');
      assert.equal(await isValid(), false, `${attributes}, at once`);
      await c.waitForMessage('Deze straat hoort niet bij deze postcode.');
      assert.equal(await isValid(), false, attributes);
    }, { attributes });
  }
});

test('billing and shipping in one form: the attribute of the form is for one group of fields, an element with a section for the other', () => withShop(shopPage(['billing', 'shipping'].map((name) => `
  <input name="${name}_postcode" aria-label="${name} postcode"><input name="${name}_house_number" aria-label="${name} number">
  <input name="${name}_street" aria-label="${name} street"><input name="${name}_city" aria-label="${name} city">`).join('')
  + element('mode="attach" name="shipping_id" section="shipping"')).replace('<form', `<form data-postduif-form="${KEY}" data-postduif-name="billing_id"`), {}, async (page) => {
  await page.getByLabel('shipping postcode').fill('3931AX');
  await page.getByLabel('shipping number').fill('62');
  await confirmed(page, '[section=shipping]');
  assert.deepEqual(await values(page), ['', '', '', '', '3931AX', '62', 'Dorpsstraat', 'Schapenhoek']);
  await page.getByLabel('billing postcode').fill('3931AB');
  await page.getByLabel('billing number').fill('12');
  await confirmed(page, '[name=billing_id]');
  assert.deepEqual(await page.evaluate(() => Object.fromEntries(new FormData(document.forms[0]))), {
    billing_postcode: '3931AB', billing_house_number: '12', billing_street: 'Plein 1944', billing_city: 'Schapenhoek', billing_id: '0351200000004042',
    shipping_postcode: '3931AX', shipping_house_number: '62', shipping_street: 'Dorpsstraat', shipping_city: 'Schapenhoek', shipping_id: '0351200000024191',
  });
  assert.equal((await events(page, 'select')).length, 2);
}));

test('another country switches the widget off, and the Netherlands switch it on again', async () => {
  for (const mode of ['search', 'postcode', 'attach', 'form']) {
    await withCheckout(mode, { attributes: 'strict' }, {}, async (c) => {
      let asked = 0;
      c.page.on('request', (request) => { asked += request.url().includes('/api/v1/'); });
      const isValid = () => c.page.evaluate(() => document.forms[0].checkValidity());
      assert.equal(await isValid(), false, mode);
      await c.field('country').selectOption('BE');
      await c.waitForState('off');
      await c.waitForMessage('Vul je adres zelf in.');
      assert.equal(await isValid(), true, `${mode}: nothing is required abroad`);
      await c.field('postcode').fill('3931AX');
      await c.field('number').fill('62');
      for (const kind of ['street', 'city']) assert.equal(await c.field(kind).isEditable(), true, `${mode}: ${kind}`);
      if (mode === 'search') assert.equal(await c.combobox().isVisible(), false, 'no Dutch suggestions');
      // Longer than the widget waits for further keys.
      await new Promise((resolve) => setTimeout(resolve, 600));
      assert.equal(asked, 0, mode);
      await isAccessible(c.page, `${mode}, abroad`);
      await c.field('country').selectOption('NL');
      assert.equal(await isValid(), false, `${mode}: in the Netherlands again`);
      await c.field('number').fill('60');
      if (mode !== 'search') await c.waitForState('confirmed');
    });
  }
});

test('it is accessible at rest, open and with a suggestion, in light and dark', () => attach(async (c) => {
  await isAccessibleInBothSchemes(c.page, 'at rest', 'widget-attach-rest');
  await c.field('postcode').fill('3931AX');
  await c.field('number').fill('64');
  await c.waitForState('choose');
  await c.combobox().focus();
  await c.page.keyboard.press('ArrowDown');
  await isAccessibleInBothSchemes(c.page, 'open', 'widget-attach-open');
  await c.page.keyboard.press('Enter');
  await c.waitForState('confirmed');
  await isAccessibleInBothSchemes(c.page, 'filled', 'widget-attach-filled');
  await c.field('number').fill('61');
  await c.part('proposal').waitFor();
  await isAccessibleInBothSchemes(c.page, 'a suggestion', 'widget-attach-proposal');
}, {}, { viewport: { width: 600, height: 900 } }));

test('it fits 320 pixels, and manual entry is in view above a phone’s keyboard', async () => {
  await attach(async (c) => {
    const width = () => c.page.evaluate(() => document.documentElement.scrollWidth);
    await c.field('postcode').fill('3931EM');
    await c.field('number').fill('3');
    await c.waitForState('choose');
    await c.combobox().focus();
    assert.equal(await width(), 320);
    await picture(c.page, 'widget-attach-narrow');
    await c.field('postcode').fill('3931AX');
    await c.field('number').fill('61');
    await c.part('proposal').waitFor();
    assert.equal(await width(), 320);
  }, {}, { viewport: { width: 320, height: 640 } });
  await attach(async (c) => {
    await c.field('postcode').fill('3932BE');
    await c.field('number').fill('20');
    await c.waitForState('choose');
    await c.combobox().focus();
    const box = await c.host().getByRole('option', { name: MANUAL }).boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= 300, JSON.stringify(box));
    await picture(c.page, 'widget-attach-keyboard', {});
  }, {}, { viewport: { width: 360, height: 300 } });
});
