// The look of the widget, and its speed.
'use strict';

const assert = require('node:assert/strict');
const { isAccessible, picture } = require('../harness.js');
const { test } = require('../testing.js');
const { LOOKS, shopPage, withShop } = require('./shop.js');

const narrow = { viewport: { width: 320, height: 640 } };

// Other tests check what these pages do, so they are opened only if screenshots are wanted.
for (const colorScheme of process.env.PICTURES ? ['light', 'dark'] : []) {
  test(`screenshots, ${colorScheme}`, () => withShop(shopPage(), { colorScheme, viewport: { width: 600, height: 720 } }, async (page, widget) => {
    await picture(page, `widget-rest-${colorScheme}`);
    await widget.type('dorpss');
    await widget.input.press('ArrowDown');
    await picture(page, `widget-open-${colorScheme}`);
    await widget.input.press('Enter');
    await widget.answered();
    await picture(page, `widget-street-${colorScheme}`);
    await widget.type('64');
    await widget.suggestions.first().click();
    await page.waitForFunction(() => globalThis.events.some(({ name }) => name === 'select'));
    await picture(page, `widget-chosen-${colorScheme}`);
    await widget.input.fill('qqqqqq');
    await widget.answered();
    await picture(page, `widget-none-${colorScheme}`);
  }));
}

test('it fits a width of 320 pixels, also with text of twice the size', async () => {
  for (const [name, size] of [['widget-narrow', '100%'], ['widget-large', '200%']]) {
    const head = `<style>${LOOKS} html { font-size: ${size} } h1, body { font-size: 1rem }
      html { background: #14171c; color: #f2f2f2 }</style>`;
    const html = shopPage(undefined, { head });
    await withShop(html, narrow, async (page, widget) => {
      await widget.type('voormalige');
      const { wide, list } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        list: (({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('postduif-address').shadowRoot.querySelector('ul')),
      }));
      assert.deepEqual([wide, list], [320, 0], name);
      await isAccessible(page, 'on a dark page that does not say so by `color-scheme`', ['color-contrast']);
      await picture(page, name, {});
    });
  }
});

test('the highlighted option is visible in forced colours', () => withShop(shopPage(), { forcedColors: 'active', viewport: { width: 600, height: 720 } }, async (page, widget) => {
  await widget.type('dorpss');
  await widget.input.press('ArrowDown');
  assert.notEqual(await widget.active.evaluate((option) => getComputedStyle(option).outlineStyle), 'none');
  await picture(page, 'widget-forced-colors');
}));

test('a shop can set colours, radius and font, and style the parts', () => {
  const head = `<style>postduif-address { --postduif-accent: rgb(120, 0, 60); --postduif-background: rgb(255, 250, 240); --postduif-text: rgb(60, 30, 0);
    --postduif-border: rgb(120, 90, 60); --postduif-radius: 0; --postduif-font: 18px serif } postduif-address::part(label) { text-transform: uppercase }</style>`;
  return withShop(shopPage(undefined, { head }), {}, async (page, widget) => {
    await widget.type('dorpss');
    const look = await widget.input.evaluate((input) => {
      const { backgroundColor, color, borderColor, borderRadius, fontFamily } = getComputedStyle(input);
      return [backgroundColor, color, borderColor, borderRadius, fontFamily];
    });
    assert.deepEqual(look, ['rgb(255, 250, 240)', 'rgb(60, 30, 0)', 'rgb(120, 90, 60)', '0px', 'serif']);
    assert.equal(await widget.host.locator('label').evaluate((label) => getComputedStyle(label).textTransform), 'uppercase');
    await isAccessible(page, 'in the colours of a shop');
    await picture(page, 'widget-own-colours');
  });
});

test('the time from the last key to the first suggestion is measured', () => withShop(shopPage(), {}, async (page, widget) => {
  const times = [];
  for (let turn = 0; turn < 5; turn += 1) {
    await widget.input.fill('');
    await widget.host.evaluate((host) => { host.setAttribute('limit', 8); host.setAttribute('label', 'Adres'); });
    times.push(await widget.input.evaluate((input) => new Promise((resolve) => {
      const list = input.getRootNode().querySelector('ul');
      const begun = performance.now();
      new MutationObserver((_, observer) => {
        if (!list.querySelector('[part=option]')) return;
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - begun));
      }).observe(list, { childList: true });
      input.focus();
      input.value = 'dorpss';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    })));
  }
  times.sort((a, b) => a - b);
  console.log(`page: key to first suggestion, including the pause of 150 ms: median ${times[2].toFixed(0)} ms, at most ${times[4].toFixed(0)} ms`);
}));
