// The tabs of the test page: by keyboard, by URL, and on a phone. The answer is visible once there is one.
'use strict';

const assert = require('node:assert/strict');
const { KEY, withPage, isAccessible, picture } = require('../harness.js');
const { test } = require('../testing.js');
const { ORIGIN, withTestPage, panel, addressOf } = require('./shared.js');

const IDS = ['checkout', 'number', 'check', 'near'];

/** The visible panels, the selected tabs, and the tabs that the Tab key reaches. */
function state(page) {
  return page.evaluate((ids) => ({
    visible: ids.filter((id) => document.getElementById(id).checkVisibility()),
    selected: ids.filter((id) => document.getElementById(`tab-${id}`).ariaSelected === 'true'),
    reached: ids.filter((id) => document.getElementById(`tab-${id}`).tabIndex === 0),
    hash: location.hash,
  }), IDS);
}

function only(id, hash = `#${id}`) {
  return { visible: [id], selected: [id], reached: [id], hash };
}

test('arrows, Home and End choose a tab, wrap around, and do not change the history', async () => {
  await withTestPage({}, async (page) => {
    assert.deepEqual(await state(page), only('checkout', ''));
    const before = await page.evaluate(() => history.length);
    await page.locator('#tab-checkout').focus();
    for (const [key, id] of [['ArrowRight', 'number'], ['ArrowRight', 'check'], ['End', 'near'], ['ArrowRight', 'checkout'], ['ArrowLeft', 'near'], ['Home', 'checkout']]) {
      await page.keyboard.press(key);
      assert.deepEqual(await state(page), only(id), key);
      assert.equal(await page.evaluate(() => document.activeElement.id), `tab-${id}`);
    }
    assert.equal(await page.evaluate(() => history.length), before);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'n-postcode', 'Tab leaves the tabs for the panel');
  });
});

test('the fragment of the URL selects a tab; back and forward go through the opened tabs', async () => {
  await withPage({}, async (page) => {
    await page.goto(`${ORIGIN}/#check`);
    await page.locator('main').waitFor();
    assert.deepEqual(await state(page), only('check'));
    await page.locator('#tab-near').click();
    await page.locator('#tab-number').click();
    await page.goBack();
    assert.deepEqual(await state(page), only('near'));
    await page.goBack();
    assert.deepEqual(await state(page), only('check'));
    await page.goForward();
    assert.deepEqual(await state(page), only('near'));
    await page.evaluate(() => { location.hash = '#number'; });
    await page.locator('#n-postcode').waitFor();
    assert.deepEqual(await state(page), only('number'));
    await page.evaluate(() => { location.hash = '#something'; });
    assert.deepEqual(await state(page), only('number', '#something'));
  });
});

test('request and answer are visible only after an answer, and gone with another key', async () => {
  await withTestPage({}, async (page) => {
    for (const [id, example] of [['number', '6545CA 29'], ['check', 'slordig, maar goed'], ['near', 'Waldeck Pyrmontsingel 29']]) {
      const { exchange, example: button, root } = await panel(page, id);
      assert.equal(await exchange.isVisible(), false, id);
      await button(example).first().click();
      await exchange.locator('.json').waitFor();
      assert.equal(await root.evaluate((section) => section.scrollWidth > section.clientWidth), false);
    }
    await page.locator('#access summary').click();
    await page.getByLabel('Sleutel', { exact: true }).fill(KEY);
    await page.keyboard.press('Enter');
    await page.locator('#near .exchange').waitFor({ state: 'hidden' });
    assert.equal(await page.locator('.exchange:visible').count(), 0);
  });
});

for (const width of [320, 390]) {
  test(`on a phone of ${width} pixels the tabs are in one row, the links of the header in another, all large enough for a finger`, async () => {
    await withTestPage({ viewport: { width, height: 844 }, hasTouch: true }, async (page) => {
      const boxes = async (selector) => page.locator(selector).evaluateAll((those) => those.map((each) => {
        const { left, right, top, height } = each.getBoundingClientRect();
        return { left, right, top, height };
      }));
      for (const [selector, count] of [['[role=tab]', 4], ['header a[href=docs], .languages button', 3]]) {
        const all = await boxes(selector);
        assert.equal(all.length, count);
        for (const { left, right, height } of all) assert.ok(left >= 0 && right <= width && height >= 43, `${selector}: ${left} to ${right}, ${height} high`);
        const middles = all.map(({ top, height }) => Math.round(top + height / 2));
        assert.ok(Math.max(...middles) - Math.min(...middles) <= 2, `${selector}: ${middles}`);
      }
      // The tabs stay in sight when the page is scrolled down.
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      const [{ top }] = await boxes('.tabs');
      assert.ok(top >= 0, `the tabs are at ${top}`);
      // A tab that is tapped there shows the beginning of its panel.
      await page.locator('#tab-number').tap();
      const [[tabs], [heading]] = [await boxes('.tabs'), await boxes('#number h2')];
      assert.ok(heading.top >= tabs.top + tabs.height - 1 && heading.top < 400, `the heading is at ${heading.top}`);
    });
  });
}

// Contrast depends on the colour scheme alone, and the layout on the viewport alone.
for (const [colorScheme, viewport] of [['light', { width: 1280, height: 900 }], ['dark', { width: 390, height: 844 }]]) {
  test(`every tab is accessible at rest and after an answer, ${colorScheme}, ${viewport.width} pixels`, async () => {
    const address = await addressOf('dorpsstraat 64 schapenhoek');
    const { postcode, number, location: { coordinates: [lon, lat] } } = address;
    await withTestPage({ live: true, colorScheme, viewport }, async (page) => {
      const name = `page-${viewport.width}-${colorScheme}`;
      await isAccessible(page, 'at rest');
      await picture(page, `${name}-head`, {});
      await page.locator('#find postduif-address input').fill('dorpsstraat 64 schapenhoek');
      await page.locator('#find postduif-address [part=option]').first().click();
      await page.locator('#find .facts').waitFor();
      await isAccessible(page, 'a found address');
      await picture(page, `${name}-found`, {});
      const looks = [
        ['number', { postcode, number: String(number) }, '.addresses'],
        ['check', { postcode, number: String(number), street: 'Dorpstraat' }, '.differences'],
        ['near', { lon: String(lon), lat: String(lat) }, '.dot'],
      ];
      for (const [id, values, outcome] of looks) {
        const each = await panel(page, id);
        await isAccessible(page, `${id} at rest`);
        await picture(page, `${name}-${id}-rest`);
        await each.fill(values);
        await each.send();
        await each.root.locator(outcome).first().waitFor({ state: 'attached' });
        await each.exchange.locator('details').evaluate((details) => { details.open = true; });
        await isAccessible(page, `${id} after an answer`);
        await picture(page, `${name}-${id}`);
      }
    });
  });
}
