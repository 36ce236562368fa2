// The description page: on a phone, without scripts, by keyboard, and in print.
'use strict';

const assert = require('node:assert/strict');
const { test, after } = require('node:test');
const { LIVE, withPage, isAccessible, picture, closeBrowser } = require('./harness.js');

after(closeBrowser);

const DOCS = `http://${LIVE}/docs`;
const PHONE = { width: 320, height: 640 };

test('it fits the width of a phone, without scripts', async () => {
  await withPage({ viewport: PHONE, javaScriptEnabled: false }, async (page) => {
    await page.goto(DOCS);
    assert.equal(await page.locator('article').count(), 8);
    const box = await page.locator('main').boundingBox();
    assert.ok(box.width <= PHONE.width, `${box.width} pixels`);
    await picture(page, 'docs-phone', {});
  });
  await withPage({ viewport: PHONE }, async (page) => {
    await page.goto(DOCS);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), PHONE.width);
    await isAccessible(page, 'on a telephone');
  });
});

test('the keyboard skips the contents and reaches each part', async () => {
  await withPage({}, async (page) => {
    await page.goto(DOCS);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('href')), '#main');
    const link = page.locator('nav a[href="#validate"]');
    await link.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/#validate$/);
    await page.waitForFunction(() => {
      const { top } = document.getElementById('validate').getBoundingClientRect();
      return top >= 0 && top < 100;
    });
  });
});

test('print omits only the contents', async () => {
  await withPage({ colorScheme: 'dark' }, async (page) => {
    await page.goto(DOCS);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('nav').isVisible(), false);
    assert.equal(await page.locator('#type-V1Address').isVisible(), true);
    const ink = await page.evaluate(() => getComputedStyle(document.body).color);
    assert.equal(ink, 'rgb(0, 0, 0)');
  });
});

for (const colorScheme of ['light', 'dark']) {
  test(`a picture of it, ${colorScheme}`, async () => {
    await withPage({ colorScheme }, async (page) => {
      await page.goto(`${DOCS}#lookup`);
      await picture(page, `docs-${colorScheme}`, {});
    });
  });
}
