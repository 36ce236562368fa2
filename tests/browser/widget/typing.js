// The widget from the first typed letter to a filled form.
'use strict';

const assert = require('node:assert/strict');
const { test } = require('../testing.js');
const { shopPage, withShop, events, values } = require('./shop.js');

const CHOSEN = ['Dorpsstraat 64', '3931AX', 'Schapenhoek'];

test('typing and choosing fills the form, and its fields fire events', () => withShop(shopPage(), {}, async (page, widget) => {
  await page.evaluate(() => {
    globalThis.heard = [];
    for (const type of ['input', 'change']) {
      document.querySelector('form').addEventListener(type, ({ target }) => target.autocomplete && globalThis.heard.push(`${type} ${target.autocomplete}`));
    }
  });
  await widget.type('dorpsstraat 64');
  assert.deepEqual(await widget.suggestions.allInnerTexts().then((texts) => texts.map((text) => text.replace(/\s+/g, ' '))), [
    'Dorpsstraat 64 3931 AX Schapenhoek', 'Dorpsstraat 64 bis 3931 AX Schapenhoek', 'Dorpsstraat Âld Hertenterp',
  ]);
  await widget.suggestions.first().click();
  await page.waitForFunction(() => globalThis.events.some(({ name }) => name === 'select'));
  assert.deepEqual(await values(page), CHOSEN);
  assert.deepEqual(await page.evaluate(() => globalThis.heard), ['address-line1', 'postal-code', 'address-level2']
    .flatMap((name) => [`input ${name}`, `change ${name}`]));
  const [{ address, suggestion }] = await events(page, 'select');
  assert.equal(address.id, suggestion.id);
  assert.deepEqual([address.street, address.number, address.province], ['Dorpsstraat', 64, 'Utrecht']);
  assert.deepEqual(await widget.host.evaluate(({ value, address: chosen }) => [value, chosen.id]),
    ['Dorpsstraat 64, 3931AX Schapenhoek', address.id]);
  assert.equal(await widget.list.isVisible(), false);
  assert.equal(await widget.input.evaluate((input) => input.getRootNode().activeElement === input), true, 'the field kept the focus');
  assert.equal(await widget.status.innerText(), 'Gekozen: Dorpsstraat 64, 3931 AX Schapenhoek');
}));

test('choosing a street or a town continues the query', () => withShop(shopPage(), {}, async (page, widget) => {
  await widget.type('schapenh');
  await widget.options.getByText('Schapenhoek', { exact: true }).first().click();
  assert.equal(await widget.input.inputValue(), 'Schapenhoek ');
  await widget.options.filter({ hasText: 'Dorpsstraat' }).first().click();
  await widget.options.filter({ hasText: 'Dorpsstraat 1' }).first().waitFor();
  assert.equal(await widget.input.inputValue(), 'Dorpsstraat, Schapenhoek ');
  assert.match(await widget.status.innerText(), /^Vul je huisnummer in\. \d suggesties?$/);
  await widget.type('64');
  await widget.input.press('ArrowDown');
  await widget.input.press('Enter');
  await page.waitForFunction(() => globalThis.events.some(({ name }) => name === 'select'));
  assert.deepEqual(await values(page), CHOSEN);
}));

test('it sends a request after a pause in typing, and never twice', () => withShop(shopPage(), { fakeClock: true }, async (page, widget) => {
  await widget.input.pressSequentially('d');
  await page.clock.runFor(1_000);
  assert.deepEqual(widget.asked, [], 'one letter');
  // Change the text at once, so that a slow machine makes no pause between two letters.
  await widget.input.evaluate((input) => {
    for (const text of ['do', 'dor', 'dorp', 'dorps', 'dorpss']) {
      input.value = text;
      input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }));
    }
  });
  await widget.suggestions.first().waitFor();
  await widget.type(' ');
  assert.deepEqual(widget.asked, ['dorpss']);
  await widget.input.press('Backspace');
  await widget.type('t');
  await widget.input.press('Backspace');
  await page.clock.runFor(1_000);
  assert.equal(await widget.input.inputValue(), 'dorpss');
  assert.equal(await widget.suggestions.first().locator('mark').first().innerText(), 'Dorpss');
  assert.deepEqual(widget.asked, ['dorpss', 'dorpsst']);
  await widget.suggestions.first().click();
  await widget.input.press('End');
  await widget.answered();
  await page.clock.runFor(1_000);
  assert.deepEqual(widget.asked, ['dorpss', 'dorpsst', 'Dorpsstraat, Schapenhoek']);
}));

test('late answers are dropped', () => withShop(shopPage(), {}, async (page, widget) => {
  let letGo;
  const held = new Promise((resolve) => { letGo = resolve; });
  await page.route(/q=dorp&/, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  const late = page.waitForRequest(/q=dorp&/);
  await widget.input.fill('dorp');
  await late;
  const dropped = page.waitForEvent('requestfailed', (request) => /q=dorp&/.test(request.url()));
  await widget.input.fill('dorpsstraat 64');
  await widget.answered();
  letGo();
  await dropped;
  await widget.suggestions.first().waitFor();
  assert.deepEqual(widget.asked, ['dorp', 'dorpsstraat 64']);
  assert.equal(await widget.suggestions.count(), 3);
  // A late answer whose request was not aborted is dropped as well, because its query differs from the text in the field.
  await page.route(/q=plein/, (route) => route.fulfill({
    json: { data: [{ type: 'city', label: 'Elders', value: 'Elders ', id: null }], meta: { query: 'plei' } },
    headers: { 'Access-Control-Allow-Origin': '*' },
  }));
  await widget.input.fill('plein');
  await page.evaluate(() => globalThis.answered('plei'));
  assert.equal(await widget.options.filter({ hasText: 'Elders' }).count(), 0);
}));

test('a pressed option stays until it is released', () => withShop(shopPage(), {}, async (page, widget) => {
  const pressFirst = async (text) => {
    await widget.suggestions.first().hover();
    await page.mouse.down();
    await widget.input.fill(text);
    await widget.answered();
  };
  await widget.type('dorpsstraat');
  await pressFirst('dorpsstraat 64');
  await page.mouse.up();
  assert.equal(await widget.input.inputValue(), 'Dorpsstraat, Schapenhoek ', 'it is chosen');
  await widget.type('1');
  await pressFirst('dorpsstraat 64');
  await page.mouse.move(0, 0);
  await page.mouse.up();
  await widget.suggestions.filter({ hasText: 'Dorpsstraat 64 bis' }).waitFor();
  assert.equal(await widget.input.inputValue(), 'dorpsstraat 64', 'it is not chosen if it is released outside the list');
  // The timer of the waiting options must not look like a running search, which blocks Enter.
  await widget.suggestions.first().click();
  await page.waitForFunction(() => globalThis.events.some(({ name }) => name === 'select'));
  assert.deepEqual(await values(page), CHOSEN);
}));

test('a pasted address is offered first, and highlighted', async () => {
  for (const pasted of [
    'Dorpsstraat 64, 3931 AX Schapenhoek',
    'Aan de bewoners van\nDorpsstraat 64\n3931 AX  SCHAPENHOEK\nNederland\n',
    ' Jan\r\nDorpsstraat 64\r\nSchapenhoek\r\nThe Netherlands',
    'Dorpsstraat 64\tNL-3931AX\tSchapenhoek',
  ]) {
    await withShop(shopPage(), {}, async (page, widget) => {
      await widget.paste(pasted);
      await widget.active.waitFor();
      assert.equal(await widget.options.first().getAttribute('aria-selected'), 'true', pasted);
      assert.doesNotMatch(await widget.input.inputValue(), /[\r\n\t]/);
      assert.equal(widget.asked.length, 1, pasted);
      await widget.input.press('Enter');
      await page.waitForFunction(() => globalThis.events.some(({ name }) => name === 'select'));
      assert.deepEqual(await values(page), CHOSEN, pasted);
    });
  }
});

test('a paste that matches several addresses highlights none, and the browser handles a paste into existing text', () => withShop(shopPage(), {}, async (page, widget) => {
  await widget.paste('3931 AX 64');
  await widget.suggestions.first().waitFor();
  assert.equal(await widget.active.count(), 0, 'it matches 64 and 64 bis');
  await widget.paste('Dorpsstraat');
  assert.equal(await widget.input.inputValue(), '3931 AX 64', 'the widget leaves this paste to the browser');
}));

test('keys that belong to an input method are ignored', () => withShop(shopPage(), {}, async (page, widget) => {
  const browser = await page.context().newCDPSession(page);
  await widget.input.focus();
  // The keyboard of a telephone composes every word. The widget already looks up the composed part.
  await browser.send('Input.imeSetComposition', { text: 'dorpss', selectionStart: 6, selectionEnd: 6 });
  await widget.suggestions.first().waitFor();
  await widget.input.press('ArrowDown');
  assert.equal(await widget.active.count(), 0, 'the key belongs to the input method');
  await browser.send('Input.insertText', { text: 'dorpss' });
  await widget.input.press('ArrowDown');
  await widget.input.evaluate((input) => {
    for (const key of ['Enter', 'Escape', 'ArrowDown']) {
      input.dispatchEvent(new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true, cancelable: true }));
    }
  });
  assert.equal(await widget.options.first().getAttribute('aria-selected'), 'true');
  assert.equal(await widget.input.inputValue(), 'dorpss');
  assert.deepEqual(widget.asked, ['dorpss']);
}));

test('the typed text is marked, ignoring accents and case', () => withShop(shopPage(), {}, async (page, widget) => {
  const marks = () => widget.suggestions.first().locator('mark').allInnerTexts();
  await widget.type('BELGIE');
  assert.deepEqual(await marks(), ['België']);
  await widget.input.fill('');
  await widget.type('3931ax 64');
  assert.deepEqual(await marks(), ['64', '3931', 'AX']);
  await widget.input.fill('');
  await widget.type("'t hoek");
  assert.deepEqual(await marks(), ['t', 'Hoek']);
}));
