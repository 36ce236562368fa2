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
