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

test('it works in browsers without `checkVisibility`', async () => {
  for (const mode of ['attach', 'postcode']) {
    await withCheckout(mode, {}, {}, async (c) => {
      await c.page.addInitScript(() => { delete Element.prototype.checkVisibility; });
      await c.page.reload();
      await c.page.waitForFunction(() => document.querySelector('postduif-address')?.dataset.state);
      await c.field('postcode').fill('3931AX');
      await c.field('number').fill('64');
      await c.waitForState('choose');
      await c.combobox().focus();
      await c.choose('bis');
      await c.waitForState('confirmed');
    });
  }
});

test('the Tab key goes from a long list to the next field', () => withCheckout('postcode', {}, {}, async (c) => {
  await c.field('postcode').fill('3932BE');
  await c.field('number').fill('20');
  await c.waitForState('choose');
  await c.combobox().focus();
  assert.ok(await c.part('list').evaluate((list) => list.scrollHeight > list.clientHeight));
  await c.page.keyboard.press('Tab');
  assert.equal(await c.host().evaluate((host) => host.shadowRoot.activeElement.id), 'street');
}));

test('a sticky header does not cover the field, nor a bar at the bottom the list, also when a keyboard comes later', async () => {
  const bars = `<div style="position: sticky; top: 0; height: 90px; background: #ccc; z-index: 1000">Winkel</div><div style="height: 700px">Winkelwagen</div>
    ${element('mode="postcode"')}<div style="height: 1500px"></div><div style="position: fixed; bottom: 0; height: 84px; width: 100%; z-index: 1000">Totaal</div>`;
  await withShop(shopPage(bars), { viewport: { width: 390, height: 844 } }, async (page, widget) => {
    const part = (id) => widget.host.locator(`#${id}`);
    await part('postcode').fill('3932BE');
    await part('number').fill('20');
    await page.locator('[data-state=choose]').waitFor();
    await page.evaluate(() => scrollTo(0, 100));
    await widget.input.focus();
    await widget.list.waitFor();
    const inView = async (height) => {
      const [{ y }, list] = [await widget.input.boundingBox(), await widget.list.boundingBox()];
      assert.ok(y >= 90 && list.y + list.height <= height, `${y}, ${JSON.stringify(list)}`);
    };
    await inView(844);
    const last = await widget.options.last().boundingBox();
    assert.equal(await page.evaluate(([x, y]) => document.elementFromPoint(x, y).localName, [last.x + 40, last.y + 20]), 'postduif-address');
    await page.setViewportSize({ width: 390, height: 480 });
    await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); }));
    await inView(480);
  });
});

test('in mode `attach`, a missing address is named where the browser points', () => withCheckout('attach', { attributes: 'required' }, {}, async (c) => {
  await c.page.getByRole('button', { name: 'Bestellen' }).click();
  await c.waitForMessage('Kies een adres of vul het zelf in.');
  await c.field('postcode').fill('3931AX');
  await c.field('number').fill('62');
  await c.waitForMessage('Gekozen: Dorpsstraat 62');
}));

test('the status can be selected, and a click on it does not move the focus into a field', () => withCheckout('postcode', {}, {}, async (c) => {
  await c.field('postcode').fill('3931AX');
  await c.field('number').fill('62');
  await c.waitForState('confirmed');
  await c.part('status').click();
  assert.equal(await c.host().evaluate((host) => host.shadowRoot.activeElement?.id), 'status');
}));

test('on a page that reverts every style, the list is as wide as the field', () => withShop(
  shopPage(undefined, { head: '<style>* { all: revert } body { width: 400px }</style>' }), {}, async (page, widget) => {
    await widget.type('dorpss');
    assert.ok(await widget.list.evaluate((list) => list.offsetWidth <= 400));
  }));
