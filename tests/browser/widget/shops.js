// The widget in shops: a framework sets its value again, the form already has an address, pages are shown and removed.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('../testing.js');
const { FIELDS, widget: element, shopPage, withShop, holdRequests, events, values } = require('./shop.js');

const CORS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
const chosen = (page) => page.waitForFunction(() => globalThis.events.some(({ name }) => name === 'select'));
const isValid = (page) => page.evaluate(() => document.querySelector('form').checkValidity());

test('the widget works if a framework sets its value after each key', () => withShop(shopPage(element('required') + FIELDS), {}, async (page, widget) => {
  await page.evaluate(() => {
    const host = document.querySelector('postduif-address');
    for (const type of ['input', 'postduif-select']) {
      host.addEventListener(type, () => queueMicrotask(() => { host.value = host.value; }));
    }
  });
  await widget.type('dorpsstraat 64');
  await widget.suggestions.first().click();
  await chosen(page);
  assert.equal(await isValid(page), true);
  assert.equal((await values(page))[1], '3931AX');
}));

test('an address that is already in the form is valid', () => withShop(
  shopPage(element('required') + FIELDS.replace('line1"', 'line1" value="Dorpsstraat 62"')), {}, async (page, widget) => {
    assert.equal(await isValid(page), true);
    await page.getByLabel('Straat en huisnummer').evaluate((field) => { field.value = ''; });
    await widget.input.focus();
    assert.equal(await isValid(page), false);
    await page.getByLabel('Postcode').fill('3931AX');
    assert.equal(await isValid(page), false, 'a postcode is no address');
    await page.getByLabel('Straat en huisnummer').evaluate((field) => {
      field.value = 'Dorpsstraat 62';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    assert.equal(await isValid(page), true, 'a script filled it in, as password managers do');
    await widget.input.focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    assert.equal(await isValid(page), true);
  }));

test('an event in a field is no text of the widget, and a letter typed and removed keeps the street of no other postcode', () => withShop(
  shopPage(`${element('mode="attach"')}${['postcode', 'huisnummer', 'straat', 'plaats'].map((name) => `<input name="${name}">`).join('')}
    <input type="number" step="any" name="lat" data-postduif="latitude">`), {}, async (page) => {
    const field = (name) => page.locator(`[name=${name}]`);
    await field('postcode').fill('3931AX');
    await field('huisnummer').fill('62');
    await chosen(page);
    // A page error fails the test.
    for (const name of ['lat', 'straat']) await field(name).dispatchEvent('input', { bubbles: true });
    await field('straat').press('x');
    await field('straat').press('Backspace');
    await field('postcode').fill('3931AL');
    await field('huisnummer').fill('27 b1');
    await page.waitForFunction(() => document.querySelector('[name=straat]').value === 'Eerste Oosterkade');
    await field('straat').fill('true');
    await page.waitForFunction(() => document.querySelector('postduif-address').state === 'unconfirmed');
    assert.equal(await field('straat').inputValue(), 'true');
  }));

test('changing the search invalidates the filled address', () => withShop(shopPage(element('required') + FIELDS), {}, async (page, widget) => {
  await widget.type('dorpsstraat 64');
  await widget.suggestions.first().click();
  await chosen(page);
  assert.equal(await isValid(page), true);
  await widget.input.press('Backspace');
  assert.equal(await isValid(page), false);
}));

test('a removed widget changes no other form', () => withShop(
  shopPage().replace('</main>', '<form><div data-postduif-fields hidden>Elders</div></form></main>'), { expected: /503/ }, async (page, widget) => {
    let letGo;
    const held = new Promise((resolve) => { letGo = resolve; });
    await page.route(/\/autocomplete/, async (route) => {
      await held;
      await route.fulfill({ status: 503, headers: CORS, json: {} }).catch(() => {});
    });
    const asking = page.waitForRequest(/\/autocomplete/);
    await widget.input.fill('dorpss');
    await asking;
    const dropped = page.waitForEvent('requestfailed');
    await page.evaluate(() => document.querySelector('postduif-address').remove());
    letGo();
    await dropped;
    assert.equal(await page.getByText('Elders').isVisible(), false);
  }));

test('inside a shadow root it fills the fields there, in the language of the page', () => withShop(
  shopPage('<div id="app"></div>', { lang: 'EN-gb' }), {}, async (page, widget) => {
    await page.evaluate((html) => {
      document.querySelector('#app').attachShadow({ mode: 'open' }).setHTMLUnsafe(html);
    }, `${element()}<input autocomplete="postal-code" aria-label="code">`);
    assert.equal(await widget.manual.innerText(), 'Enter address by hand');
    await widget.type('dorpsstraat 64');
    await widget.suggestions.first().click();
    await chosen(page);
    assert.equal(await page.getByLabel('code').inputValue(), '3931AX');
  }));

test('the widget checks the fields of a form that is shown again, also after an edit, a reset, another country and in a new element', () => withShop(
  shopPage(`${element('required')}<select name="country" aria-label="Land"><option>NL<option>BE</select>
    ${Object.entries({ postcode: '3931AX', huisnummer: '62', straat: 'Dorpsstraat', plaats: 'Schapenhoek' }).map(([name, value]) => `<input name="${name}" value="${value}">`).join('')}
    <input type="hidden" name="bag" data-postduif="id" value="0351200000024191">`), {}, async (page, widget) => {
    const waitForId = () => page.waitForFunction(() => document.forms[0].bag.value === '0351200000024191' && document.querySelector('[data-state=confirmed]'));
    await chosen(page);
    await waitForId();
    assert.equal(await widget.input.inputValue(), 'Dorpsstraat 62, 3931AX Schapenhoek');
    // An edit of the search text or Escape keeps the address that the form had.
    const inForm = () => page.evaluate(() => ['straat', 'plaats', 'bag'].map((name) => document.forms[0][name].value));
    const isKept = async (valid) => assert.deepEqual([await isValid(page), ...await inForm()], [valid, 'Dorpsstraat', 'Schapenhoek', '']);
    // Who searches for another address must choose one.
    await widget.input.press('x');
    await isKept(false);
    await widget.input.press('Escape');
    await widget.input.press('Escape');
    await isKept(true);
    assert.equal(await widget.input.inputValue(), '');
    const number = page.locator('[name=huisnummer]');
    const proposal = widget.host.locator('[part=proposal]');
    await number.fill('9999');
    await proposal.getByText('Bedoel je').waitFor();
    // The mistake is not in the search field.
    assert.equal(await widget.input.getAttribute('aria-invalid'), 'false');
    await widget.input.press('q');
    assert.equal(await proposal.innerText(), '');
    await page.evaluate(() => document.forms[0].reset());
    await waitForId();
    // What people type after a choice does not cancel the choice.
    const letGo = await holdRequests(page, /addresses\/0351200000020178/);
    await widget.input.fill('eerste oosterkade 27 b1');
    await widget.answered();
    await widget.suggestions.getByText('27 b1').first().click();
    assert.equal(await isValid(page), false, 'the form still has the address before the choice');
    await number.fill('27 b1');
    letGo();
    await page.waitForFunction(() => document.forms[0].bag.value === '0351200000020178');
    assert.equal(await page.locator('[name=postcode]').inputValue(), '3931AL');
    await page.evaluate(() => document.forms[0].reset());
    await waitForId();
    await page.getByLabel('Land').selectOption('BE');
    assert.deepEqual([await widget.host.getAttribute('data-state'), await page.evaluate(() => document.forms[0].bag.value)], ['off', '']);
    await page.getByLabel('Land').selectOption('NL');
    await waitForId();
    await page.evaluate(() => {
      const old = document.querySelector('postduif-address');
      const added = old.cloneNode();
      old.replaceWith(added);
      added.remove();
      document.forms[0].prepend(added);
      document.forms[0].bag.value = 'of an address before';
      globalThis.events = [];
    });
    await waitForId();
    // With `clear`, a page drops the address of the removed element.
    assert.deepEqual(await page.evaluate(() => globalThis.events.map(({ name }) => name)), ['clear', 'answer', 'select']);
    /** Adds a new element, and returns what it requests until it is ready. */
    const add = async (change) => {
      widget.asked.length = 0;
      await page.evaluate(`{
        globalThis.events = [];
        const old = document.querySelector('postduif-address');
        const added = old.cloneNode();
        old.replaceWith(added);
        (${change})(added);
      }`);
      await page.waitForFunction(() => globalThis.events.length);
      return widget.asked;
    };
    assert.deepEqual(await add('(added) => added.formStateRestoreCallback(\'[true,null,""]\')'), [], 'entry by hand is restored');
    assert.equal(await widget.host.getAttribute('data-state'), 'manual');
    const requested = await add('(added) => added.formStateRestoreCallback(\'[false,"0351200000024191","Dorpsstraat 62"]\')');
    await waitForId();
    assert.deepEqual(requested, ['0351200000024191'], 'an address is restored');
    assert.deepEqual(await add('(added) => { added.setAttribute("disabled", ""); }'), []);
    await widget.host.evaluate((host) => host.removeAttribute('disabled'));
    await waitForId();
  }));

test('an answer of an unexpected form is reported as a failure', () => withShop(shopPage(), {}, async (page, widget) => {
  const answers = {
    dorpss: { data: [] }, kerk: { data: {}, meta: { query: 'kerk' } }, linde: { data: [null], meta: { query: 'linde' } }, school: null, plein: 3,
  };
  for (const [at, [typed, json]] of Object.entries(answers).entries()) {
    await page.route(/\/autocomplete/, (route) => route.fulfill({ headers: CORS, json }));
    await widget.input.fill(typed);
    await page.waitForFunction((count) => globalThis.events.filter(({ name }) => name === 'error').length > count, at);
    assert.equal((await events(page, 'error'))[at].kind, 'failed', JSON.stringify(json));
    assert.match(await widget.status.innerText(), /Vul je adres zelf in/);
    await page.unroute(/\/autocomplete/);
    await widget.input.fill('');
    await widget.input.fill(typed);
    await widget.suggestions.first().waitFor();
  }
}));

test('cells pasted from a spreadsheet become one line with commas', () => withShop(shopPage(), {}, async (page, widget) => {
  await widget.paste('Dorpsstraat\t64\tSchapenhoek');
  assert.equal(await widget.input.inputValue(), 'Dorpsstraat, 64, Schapenhoek');
  await widget.suggestions.first().waitFor();
  await widget.input.fill('');
}));

test('a Retry-After wait survives a changed label', () => withShop(shopPage(), { expected: /429/, fakeClock: true }, async (page, widget) => {
  let asked = 0;
  await page.route(/\/autocomplete/, (route) => {
    asked += 1;
    return route.fulfill({ status: 429, headers: { ...CORS, 'Retry-After': '30', 'Access-Control-Expose-Headers': 'Retry-After' }, json: {} });
  });
  await widget.input.fill('dorps');
  await page.waitForFunction(() => globalThis.events.some(({ name }) => name === 'error'));
  await widget.host.evaluate((host) => host.setAttribute('label', 'Bezorgadres'));
  await widget.input.fill('dorpss');
  await page.clock.runFor(1_000);
  assert.equal(asked, 1);
}));
