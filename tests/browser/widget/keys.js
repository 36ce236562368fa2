// The keys and roles of the combobox pattern. Source: ARIA Authoring Practices Guide, Editable Combobox With List Autocomplete.
'use strict';

const assert = require('node:assert/strict');
const { isAccessibleInBothSchemes } = require('../harness.js');
const { test } = require('../testing.js');
const { shopPage, withShop, holdRequests, events, widget: element } = require('./shop.js');

/** The index of the highlighted option, or -1. */
async function highlightedIndex({ input, options }) {
  const all = await options.evaluateAll((each) => each.map((option) => [option.id, option.ariaSelected]));
  const selected = all.findIndex(([, is]) => is === 'true');
  assert.equal(await input.getAttribute('aria-activedescendant'), all[selected]?.[0] ?? '');
  return selected;
}

const caret = ({ input }) => input.evaluate((each) => each.selectionStart);

test('arrows go through the list and wrap around, and enter chooses', () => withShop(shopPage(), {}, async (page, widget) => {
  const { input, list, options } = widget;
  await widget.type('dorpss');
  const last = await options.count() - 1;
  assert.equal(last, 8, 'eight suggestions, and entry by hand');
  for (const [key, expected] of [
    ['ArrowDown', 0], ['ArrowDown', 1], ['ArrowUp', 0], ['ArrowUp', last], ['ArrowUp', last - 1], ['ArrowDown', last], ['ArrowDown', 0],
  ]) {
    await input.press(key);
    assert.equal(await highlightedIndex(widget), expected, key);
  }
  await input.press('ArrowUp');
  assert.equal(await options.nth(last).innerText(), 'Adres zelf invullen');
  await input.press('Home');
  assert.deepEqual([await highlightedIndex(widget), await caret(widget)], [-1, 0]);
  await input.press('ArrowDown');
  await input.press('End');
  assert.deepEqual([await highlightedIndex(widget), await caret(widget)], [-1, 6]);
  await input.press('Enter');
  assert.deepEqual([await input.inputValue(), await list.isVisible()], ['dorpss', true], 'nothing is highlighted, so nothing is chosen');
  await input.press('ArrowDown');
  await input.press('Enter');
  assert.equal(await input.inputValue(), 'Dorpsstraat, Schapenhoek ');
}));

test('escape closes, then clears; alt opens and closes; tab leaves', () => withShop(shopPage(), {}, async (page, widget) => {
  const { input, list } = widget;
  const state = async () => [await list.isVisible(), await input.getAttribute('aria-expanded'), await highlightedIndex(widget)];
  await widget.type('dorpss');
  await input.press('ArrowDown');
  await input.press('Escape');
  assert.deepEqual(await state(), [false, 'false', -1]);
  await input.press('Alt+ArrowDown');
  assert.deepEqual(await state(), [true, 'true', -1]);
  await input.press('Alt+ArrowUp');
  assert.deepEqual(await state(), [false, 'false', -1]);
  await input.press('ArrowDown');
  assert.deepEqual(await state(), [true, 'true', 0]);
  await input.press('Tab');
  assert.deepEqual(await state(), [false, 'false', -1]);
  assert.equal(await input.inputValue(), 'dorpss', 'tab chooses nothing');
  assert.equal(await widget.manual.evaluate((button) => button.getRootNode().activeElement === button), true);
  await page.keyboard.press('Shift+Tab');
  await input.press('Escape');
  assert.deepEqual([await input.inputValue(), (await events(page, 'clear')).length], ['', 2]);
  assert.deepEqual(await state(), [false, 'false', -1]);
}));

/** Records the submitted `address` each time the form is sent, and stops the sending. */
const countSubmits = (page) => page.evaluate(() => {
  globalThis.submits = [];
  addEventListener('submit', (event) => {
    event.preventDefault();
    globalThis.submits.push(new FormData(event.target, event.submitter).get('address'));
  });
});
const submits = (page) => page.evaluate(() => globalThis.submits);

test('enter sends the form as in a native field, but not while a list is open or an answer is awaited', () => withShop(
  shopPage(`${element('name="address" required')}<button>Bestellen</button>`), {}, async (page, widget) => {
    await countSubmits(page);
    await widget.input.press('Enter');
    assert.deepEqual(await submits(page), [], 'an address is required');
    const letGo = await holdRequests(page, /autocomplete/);
    await widget.input.pressSequentially('dorpsstraat 62 schapenhoek');
    await page.evaluate(() => document.querySelector('postduif-address').removeAttribute('required'));
    await widget.input.press('Enter');
    assert.deepEqual(await submits(page), [], 'the answer is awaited');
    letGo();
    await widget.active.waitFor();
    await widget.input.press('Enter');
    await page.locator('[data-state=confirmed]').waitFor();
    assert.deepEqual(await submits(page), [], 'the first Enter chooses the highlighted suggestion');
    await widget.input.press('Enter');
    assert.deepEqual(await submits(page), ['0351200000024191']);
    await widget.manual.press('Enter');
    assert.equal((await submits(page)).length, 1, 'a button of the widget sends nothing');
  }));

test('enter sends nothing while the chosen address is fetched', () => withShop(
  shopPage(`${element('name="address"')}<button>Bestellen</button>`), {}, async (page, widget) => {
    await countSubmits(page);
    const letGo = await holdRequests(page, /addresses\/\d/);
    await widget.type('dorpsstraat 62 schapenhoek');
    await widget.suggestions.first().click();
    await widget.input.press('Enter');
    assert.deepEqual(await submits(page), []);
    letGo();
    await page.locator('[data-state=confirmed]').waitFor();
    await widget.input.press('Enter');
    assert.deepEqual(await submits(page), ['0351200000024191']);
  }));

test('with strict, a click in the field keeps a list of one suggestion open', () => withShop(shopPage(element('strict')), {}, async (page, widget) => {
  await widget.type('dorpsstraat 62 schapenhoek');
  assert.equal(await widget.options.count(), 1);
  await widget.input.click();
  assert.equal(await widget.list.isVisible(), true);
}));

test('arrow down and enter choose the only suggestion, also if it is highlighted already; arrow up goes to entry by hand', async () => {
  for (const attributes of ['', 'strict']) {
    await withShop(shopPage(element(`name="address" ${attributes}`)), {}, async (page, widget) => {
      await widget.type('dorpsstraat 62 schapenhoek');
      assert.equal(await highlightedIndex(widget), 0);
      await widget.input.press('ArrowDown');
      assert.equal(await highlightedIndex(widget), 0);
      await widget.input.press('Enter');
      await page.locator('[data-state=confirmed]').waitFor();
      assert.equal(await widget.host.evaluate(({ address }) => address.id), '0351200000024191');
      assert.deepEqual(await events(page, 'manual'), []);
    });
  }
  await withShop(shopPage(), {}, async (page, widget) => {
    await widget.type('dorpsstraat 62 schapenhoek');
    for (const [key, expected] of [['ArrowDown', 0], ['ArrowDown', 0], ['ArrowUp', 1], ['ArrowDown', 0], ['ArrowUp', 1], ['ArrowUp', 0]]) {
      await widget.input.press(key);
      assert.equal(await highlightedIndex(widget), expected, key);
    }
  });
  await withShop(shopPage(), {}, async (page, widget) => {
    await widget.type('dorpsstraat 64 schapenhoek');
    assert.deepEqual([await highlightedIndex(widget), await widget.options.count()], [0, 3]);
    await widget.input.press('ArrowDown');
    assert.equal(await highlightedIndex(widget), 1, 'among several suggestions the key goes to the next one');
  });
});

test('enter clicks the form’s own button, unless the shop disables the button or prevents the key', () => withShop(
  shopPage(`${element('name="address" mode="postcode"')}<button disabled>Bestellen</button>`), {}, async (page, widget) => {
    await countSubmits(page);
    const number = widget.host.locator('#number');
    await number.press('Enter');
    assert.deepEqual(await submits(page), [], 'the button is disabled');
    await page.evaluate(() => { document.querySelector('button').disabled = false; });
    const letGo = await holdRequests(page, /addresses/);
    await widget.host.locator('#postcode').fill('3931AX');
    await number.fill('62');
    await number.press('Enter');
    assert.deepEqual(await submits(page), [], 'the answer of the look-up is awaited');
    letGo();
    await page.locator('[data-state=confirmed]').waitFor();
    await number.press('Enter');
    assert.deepEqual(await submits(page), ['0351200000024191']);
    await page.evaluate(() => document.forms[0].addEventListener('keydown', (event) => event.key === 'Enter' && event.preventDefault()));
    await number.press('Enter');
    await page.evaluate(() => document.forms[0].addEventListener('keypress', (event) => event.preventDefault()));
    await number.press('Enter');
    assert.equal((await submits(page)).length, 1);
  }));

test('label, combobox, listbox and live region are connected in one shadow tree', () => withShop(shopPage(), {}, async (page, widget) => {
  const { host, input, list, status } = widget;
  assert.equal(await host.getByRole('combobox', { name: 'Adres', exact: true }).count(), 1);
  await widget.type('dorpss');
  for (const [name, value] of [['aria-autocomplete', 'list'], ['aria-controls', 'list'], ['aria-expanded', 'true'], ['aria-describedby', 'status']]) {
    assert.equal(await input.getAttribute(name), value, name);
  }
  assert.equal(await host.getByRole('listbox', { name: 'Adres' }).getByRole('option').count(), 9);
  assert.equal(await list.getAttribute('id'), 'list');
  assert.equal(await status.getAttribute('aria-live'), 'polite');
  assert.equal(await status.innerText(), '8 suggesties');
  await host.evaluate((element) => element.focus());
  assert.equal(await input.evaluate((each) => each.getRootNode().activeElement === each), true, 'the widget passes the focus on to its field');
  await input.fill('qqqqqq');
  await status.getByText('Geen adres gevonden.', { exact: true }).waitFor();
  assert.deepEqual(await widget.options.allInnerTexts(), ['Adres zelf invullen']);
}));

test('it is accessible at rest and open, in light and dark', () => withShop(shopPage(), {}, async (page, widget) => {
  await isAccessibleInBothSchemes(page, 'at rest');
  await widget.type('dorpsstraat 64');
  await widget.input.press('ArrowDown');
  await isAccessibleInBothSchemes(page, 'open');
}));

test('touch targets are at least 44 pixels high', () => withShop(shopPage(), { hasTouch: true }, async (page, widget) => {
  const heights = [await widget.input.boundingBox(), await widget.manual.boundingBox()];
  await widget.type('dorpss');
  for (const option of await widget.options.all()) heights.push(await option.boundingBox());
  assert.deepEqual(heights.filter(({ height }) => height < 44), []);
  await widget.suggestions.nth(3).tap();
  await page.waitForFunction(() => globalThis.events.some(({ name }) => name === 'select'));
}));

test('it is in English if its attribute or the page says so', async () => {
  for (const html of [shopPage(undefined, { lang: 'en-GB' }), shopPage().replace('<postduif-address', '<postduif-address lang="en"')]) {
    await withShop(html, {}, async (page, widget) => {
      assert.equal(await widget.host.getByRole('combobox', { name: 'Address' }).count(), 1);
      await widget.type('dorpss');
      assert.equal(await widget.status.innerText(), '8 suggestions');
      assert.equal(await widget.options.last().innerText(), 'Enter address by hand');
    });
  }
});
