// The widget among the fields of a shop: it covers none, stays in their column, and does not move them while people type.
'use strict';

const assert = require('node:assert/strict');
const { KEY } = require('../harness.js');
const { test } = require('../testing.js');
const { withCheckout } = require('./checkout.js');
const { shopPage, withShop, widget: element } = require('./shop.js');

const MANUAL = 'Adres zelf invullen';
const CORS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
const labelled = (name, style = '') => `<p style="${style}"><label>${name} <input name="${name}"></label>`;
/** A page whose form asks for a widget by an attribute, with these fields. */
const formPage = (fields, css = '') => shopPage(fields, { head: `<style>* { box-sizing: border-box } p { margin: 0 } input { width: 100% } ${css}</style>` })
  .replace('<form', `<form data-postduif-form="${KEY}"`);
const attached = (page, state) => page.locator(`postduif-address[data-state=${state}]`).waitFor({ state: 'attached' });

/** Notes each height at which an element is while people type. */
async function watch(locator) {
  await locator.evaluate((field) => {
    globalThis.heights = new Set();
    const note = () => {
      globalThis.heights.add(Math.round(field.getBoundingClientRect().top + scrollY));
      requestAnimationFrame(note);
    };
    note();
  });
  return () => locator.page().evaluate(() => globalThis.heights.size);
}

test('the widget covers no floated fields', async () => {
  const left = 'float: left; width: 47%';
  const right = 'float: right; width: 47%';
  for (const [fields, isBelow] of [
    [labelled('postcode') + labelled('huisnummer', left) + labelled('toevoeging', right) + labelled('straat', 'clear: both') + labelled('plaats'), 'toevoeging'],
    [labelled('adres') + labelled('postcode', left) + labelled('plaats', right) + labelled('telefoon', 'clear: both'), 'plaats'],
  ]) {
    await withShop(formPage(fields), { viewport: { width: 600, height: 900 } }, async (page) => {
      await attached(page, 'empty');
      const { hit, previous } = await page.evaluate(() => ({
        hit: Array.from(document.querySelectorAll('input'), (field) => {
          const { left: x, top, width, height } = field.getBoundingClientRect();
          return document.elementFromPoint(x + width / 2, top + height / 2) === field;
        }),
        previous: document.querySelector('postduif-address').previousElementSibling.querySelector('input').name,
      }));
      assert.deepEqual([hit.every(Boolean), previous], [true, isBelow]);
    });
  }
});

test('message and proposal stay while street and town are typed by hand, and no field moves', () => withCheckout('attach', {}, { viewport: { width: 390, height: 844 } }, async (c) => {
  await c.field('postcode').fill('3931AX');
  await c.field('number').fill('61');
  await c.part('proposal').waitFor();
  // Longer than it takes until the widget says that it searches.
  await c.page.route(/validate/, (route) => setTimeout(() => route.continue(), 600));
  const heights = await watch(c.page.getByRole('button', { name: 'Bestellen' }));
  for (const [kind, text] of [['street', 'Nieuwe'], ['street', ' Laan'], ['city', 'Gin'], ['city', 'ds']]) {
    const answered = c.page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('validate'));
    await c.field(kind).press('End');
    await c.page.keyboard.type(text);
    assert.equal(await c.part('proposal').isVisible(), true, text);
    await (await answered).response();
    await c.waitForTasks();
  }
  assert.equal(await heights(), 1);
}));

test('the room of a suggestion stays while the number is typed', () => withCheckout('attach', {}, {}, async (c) => {
  await c.field('postcode').fill('3931AX');
  await c.field('number').fill('6');
  await c.part('proposal').waitFor();
  const heights = await watch(c.page.getByRole('button', { name: 'Bestellen' }));
  await c.field('number').press('End');
  await c.page.keyboard.type('1');
  assert.equal(await c.part('proposal').isVisible(), false);
  await c.part('proposal').waitFor();
  assert.equal(await heights(), 1);
  await c.field('number').fill('');
  await c.page.waitForFunction(() => !document.querySelector('postduif-address').shadowRoot.querySelector('[part=proposal]').textContent);
}));

for (const mode of ['postcode', 'attach']) {
  test(`entry by hand is not looked up again, with mode ${mode}, also if the service failed`, async () => {
    for (const isDown of [true, false]) {
      await withCheckout(mode, {}, { expected: /503/ }, async (c) => {
        if (isDown) await c.page.route(/\/api\/v1\//, (route) => route.fulfill({ status: 503, headers: CORS, json: {} }));
        await c.field('postcode').fill('3931AX');
        await c.field('number').fill('61');
        if (isDown) await c.waitForMessage('Adressen zoeken lukt nu even niet.');
        else {
          await c.part('proposal').waitFor();
          await c.host().getByRole('button', { name: MANUAL }).click();
        }
        const asked = [];
        c.page.on('request', (request) => asked.push(request.url()));
        const heights = await watch(c.page.getByRole('button', { name: 'Bestellen' }));
        for (const [kind, text] of [['street', 'Nieuwe'], ['street', ' Laan'], ['city', 'Ginds']]) {
          await c.field(kind).press('End');
          await c.page.keyboard.type(text);
          // Longer than the widget waits for further keys.
          await new Promise((resolve) => setTimeout(resolve, 500));
        }
        assert.deepEqual([asked, await heights()], [[], 1]);
        if (isDown) await c.waitForMessage('Adressen zoeken lukt nu even niet.');
        for (const kind of ['addition', 'number']) {
          const request = c.page.waitForRequest(/addresses|validate/);
          await c.field(kind).fill('7');
          await request;
        }
      });
    }
  });
}

test('in a form, the widget is below a row of postcode, number and addition, and as wide as the form', async () => {
  const row = (css, ...names) => `<div style="${css}">${names.map((name) => labelled(name, 'flex: 1 1 30%; min-width: 0')).join('')}</div>`;
  const three = ['postcode', 'huisnummer', 'toevoeging'];
  const rest = labelled('straat') + labelled('plaats');
  for (const [fields, previous, parent] of [
    [row('display: flex; gap: 12px', ...three) + rest, 'DIV', 'FORM'],
    [row('display: grid; grid-template-columns: 2fr 1fr 1fr', ...three) + rest, 'DIV', 'FORM'],
    [row('display: flex; flex-wrap: wrap', ...three) + rest, 'DIV', 'FORM'],
    [row('display: flex', ...three, 'straat', 'plaats'), 'DIV', 'FORM'],
    [row('display: grid; grid-template-columns: 1fr 1fr', ...three, 'straat', 'plaats'), 'P', 'DIV'],
    [row('display: flex; flex-wrap: wrap', ...three, 'straat', 'plaats'), 'P', 'DIV'],
    [row('display: flex; flex-direction: column', ...three, 'straat', 'plaats'), 'P', 'DIV'],
  ]) {
    await withShop(formPage(fields, 'main { width: 600px }'), {}, async (page) => {
      await attached(page, 'empty');
      const found = await page.evaluate(() => {
        const host = document.querySelector('postduif-address');
        return [host.previousElementSibling.nodeName, host.parentElement.nodeName, host.offsetWidth];
      });
      assert.deepEqual(found, [previous, parent, 600], fields);
    });
  }
});
