// An address with many units in mode `search`: their number, a second step that lists the additions, and unknown additions.
'use strict';

const assert = require('node:assert/strict');
const { isAccessibleInBothSchemes, picture } = require('../harness.js');
const { test } = require('../testing.js');
const { shopPage, withShop, events, values, widget: element } = require('./shop.js');

const MANUAL = 'Adres zelf invullen';
const CORS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': '*' };
const UNITS = 648;
const STREET = { postcode: '1012AP', street: 'Zeedijk', city: 'Amsterdam' };
const FORM = `${element('name="address"')}<input data-postduif="street" aria-label="Straat"><input data-postduif="number" aria-label="Nummer">
  <input data-postduif="addition" aria-label="Toevoeging"><input data-postduif="postcode" aria-label="Postcode">`;

/** Zeedijk 24 with its units: without an addition if that exists, then `-1`, `-2` and so on. */
function building(hasPlain) {
  const first = hasPlain ? 0 : 1;
  return Array.from({ length: UNITS }, (_, at) => ({
    id: `${363200000000000 + at}`.padStart(16, '0'), postcode: STREET.postcode, number: 24, letter: null,
    addition: at + first ? `${at + first}` : null, street: STREET.street, city: STREET.city, municipality: STREET.city, province: 'Noord-Holland',
    location: { type: 'Point', coordinates: [4.9, 52.37] }, purposes: ['woonfunctie'], surface: 40, constructionYear: 1900, type: 'verblijfsobject',
  }));
}

const labelOf = ({ addition }) => `Zeedijk 24${addition ? `-${addition}` : ''}, 1012AP Amsterdam`;
const suggestionOf = (address) => ({ type: 'address', label: labelOf(address), value: labelOf(address), ...STREET, id: address.id });

/** Answers as the service does for a town with this building. */
async function fakeService(page, hasPlain = true) {
  const units = building(hasPlain);
  await page.route(/\/api\/v1\//, (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    const id = pathname.split('/').at(-1);
    const answer = (body) => route.fulfill({ headers: CORS, json: body });
    if (route.request().method() === 'OPTIONS') return route.fulfill({ status: 204, headers: CORS });
    if (id === 'autocomplete') {
      const [query, limit] = [searchParams.get('q'), +searchParams.get('limit')];
      const [, wanted = ''] = /24[ -]?(\d+)$/.exec(query) ?? [];
      const data = units.filter(({ addition }) => (addition ?? '').startsWith(wanted)).slice(0, limit).map(suggestionOf);
      return answer({ data, meta: { count: data.length, query, type: 'all', limit } });
    }
    if (id === 'addresses') return answer({ data: units, meta: { count: units.length } });
    return answer({ data: units.find((unit) => unit.id === id) });
  });
}

/** Opens a shop with the building, and types its address. */
const withBuilding = (hasPlain, options, use) => withShop(shopPage(FORM), options, async (page, widget) => {
  await fakeService(page, hasPlain);
  await widget.type('zeedijk 24');
  await use(page, widget);
});

const texts = async (widget) => (await widget.options.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
const manyUnitsOption = (widget) => widget.options.filter({ hasText: '648 toevoegingen' });
const chosen = (page) => page.waitForFunction(() => globalThis.events.some(({ name }) => name === 'select'));

test('an address with 648 units is one suggestion, which shows their number', () => withBuilding(true, {}, async (page, widget) => {
  const shown = await texts(widget);
  assert.match(shown[0], /^Zeedijk 24 · 648 toevoegingen 1012 AP Amsterdam$/);
  assert.deepEqual(shown.slice(1), [MANUAL]);
}));

test('the second step lists additions in pages', () => withBuilding(true, {}, async (page, widget) => {
  await manyUnitsOption(widget).click();
  const shown = await texts(widget);
  assert.deepEqual([shown.length, ...shown.slice(0, 3), ...shown.slice(-2)], [52, 'zonder toevoeging', '1', '2', 'Nog 598 tonen', MANUAL]);
  assert.match(await widget.status.innerText(), /648 toevoegingen/);
  assert.equal(await page.evaluate(() => new FormData(document.forms[0]).get('address')), '', 'nothing is chosen yet');
  await widget.options.getByText('Nog 598 tonen').click();
  assert.deepEqual((await texts(widget)).slice(-2), ['Nog 548 tonen', MANUAL]);
  assert.equal((await texts(widget)).length, 102);
}));

test('typing filters the additions of the second step', () => withBuilding(true, {}, async (page, widget) => {
  await manyUnitsOption(widget).click();
  assert.equal(await widget.input.inputValue(), 'Zeedijk 24 ');
  await widget.input.press('End');
  await widget.input.pressSequentially('64');
  assert.deepEqual(await texts(widget), ['64', ...Array.from({ length: 8 }, (_, at) => `${640 + at}`), MANUAL]);
  await widget.input.press('Backspace');
  await widget.input.pressSequentially('12');
  await widget.input.press('ArrowDown');
  await widget.input.press('Enter');
  await chosen(page);
  assert.deepEqual(await values(page), ['Zeedijk', '24', '612', '1012AP']);
  assert.equal((await events(page, 'select'))[0].address.addition, '612');
  assert.equal(await widget.status.innerText(), 'Gekozen: Zeedijk 24-612, 1012 AP Amsterdam');
}));

test('the keyboard alone reaches the second step, its pages, and a unit', () => withBuilding(true, {}, async (page, widget) => {
  await widget.input.press('ArrowDown');
  await widget.input.press('Enter');
  await widget.options.getByText('zonder toevoeging').waitFor();
  await widget.input.press('ArrowUp');
  assert.equal(await widget.active.innerText(), MANUAL);
  await widget.input.press('ArrowUp');
  await widget.input.press('Enter');
  await widget.options.getByText('Nog 548 tonen').waitFor();
  assert.equal(await widget.active.innerText(), '50', 'the first option of the new page is highlighted');
  await widget.input.press('Enter');
  await chosen(page);
  assert.equal((await values(page))[2], '50');
}));

test('“zonder toevoeging” is an option only where that address exists', async () => {
  await withBuilding(true, {}, async (page, widget) => {
    await manyUnitsOption(widget).click();
    await widget.options.getByText('zonder toevoeging').click();
    await chosen(page);
    assert.deepEqual(await values(page), ['Zeedijk', '24', '', '1012AP']);
  });
  await withBuilding(false, {}, async (page, widget) => {
    await manyUnitsOption(widget).click();
    assert.equal((await texts(widget))[0], '1');
    assert.equal(await widget.options.getByText('zonder toevoeging').count(), 0);
    await widget.input.press('Enter');
    assert.equal((await events(page, 'select')).length, 0, 'nothing is chosen silently');
  });
});

test('an unknown addition is explained in the field, and nothing is chosen', () => withBuilding(true, {}, async (page, widget) => {
  await manyUnitsOption(widget).click();
  await widget.input.press('End');
  await widget.input.pressSequentially('x');
  assert.match(await widget.status.innerText(), /Toevoeging x is niet bekend bij nummer 24\./);
  assert.deepEqual(await texts(widget), [MANUAL]);
  await widget.input.press('Tab');
  assert.deepEqual([await values(page), await widget.host.evaluate(({ address }) => address)], [['', '', '', ''], null]);
  assert.equal(await widget.host.getAttribute('data-state'), 'unconfirmed');
}));

test('without the last digit of the number, the list has search results again', () => withBuilding(true, {}, async (page, widget) => {
  await manyUnitsOption(widget).click();
  await widget.input.press('End');
  await widget.input.press('Backspace');
  await widget.input.press('Backspace');
  await widget.answered();
  assert.equal(await widget.input.inputValue(), 'Zeedijk 2');
  assert.equal(await widget.options.getByText('zonder toevoeging').count(), 0);
}));

test('the real service offers an address with seventy units among other addresses', () => withShop(shopPage(FORM), {}, async (page, widget) => {
  await widget.type('belgielaan 20');
  const shown = await texts(widget);
  assert.match(shown[0], /^Belgiëlaan 20 3931 CE Schapenhoek$/);
  assert.ok(shown.some((text) => /^Belgiëlaan 20 · 70 toevoegingen 3932 BE Âld Hertenterp$/.test(text)), shown.join('|'));
  await widget.options.filter({ hasText: '70 toevoegingen' }).click();
  await widget.input.press('End');
  await widget.input.pressSequentially('70');
  await widget.suggestions.first().click();
  await chosen(page);
  assert.deepEqual(await values(page), ['Belgiëlaan', '20', '70', '3932BE']);
}));

test('an address typed with its addition finds the unit', () => withShop(shopPage(FORM), {}, async (page, widget) => {
  await widget.type('belgielaan 20-70 hertenterp');
  await widget.suggestions.filter({ hasText: 'Belgiëlaan 20-70' }).first().click();
  await chosen(page);
  assert.deepEqual(await values(page), ['Belgiëlaan', '20', '70', '3932BE']);
}));

test('an unknown addition in a search is explained', async () => {
  for (const [typed, words] of [['dorpsstraat 64x', 'Toevoeging x is niet bekend bij nummer 64.'], ['dorpsstraat 62 bis', 'Toevoeging bis is niet bekend bij nummer 62.']]) {
    await withShop(shopPage(FORM), {}, async (page, widget) => {
      await widget.type(typed);
      assert.ok((await widget.status.innerText()).startsWith(words), await widget.status.innerText());
    });
  }
});

test('a text that is edited after the choice is not confirmed when the user leaves the field', () => withShop(shopPage(FORM), {}, async (page, widget) => {
  await widget.type('dorpsstraat 62');
  await widget.suggestions.first().click();
  await chosen(page);
  // The answer comes after the user has left the field.
  let asked, answered;
  const request = new Promise((resolve) => { asked = resolve; });
  await page.route(/autocomplete/, async (route) => {
    asked();
    await new Promise((resolve) => { answered = resolve; });
    await route.continue();
  });
  await widget.input.press('End');
  await widget.input.press('Backspace');
  await request;
  await widget.input.press('Tab');
  await widget.status.getByText('Dit adres is nog niet gecontroleerd.').waitFor();
  const answer = page.evaluate(() => new Promise((resolve) => addEventListener('postduif-answer', resolve, { once: true })));
  answered();
  await answer;
  assert.equal(await widget.status.innerText(), 'Dit adres is nog niet gecontroleerd.');
  assert.equal(await widget.host.getAttribute('data-state'), 'unconfirmed');
  assert.deepEqual(await values(page), ['', '', '', ''], 'the filled fields are empty again');
  assert.equal(await page.evaluate(() => new FormData(document.forms[0]).get('address')), '');
}));

test('the second step is in English too', () => withShop(shopPage(FORM, { lang: 'en' }), { locale: 'en-GB' }, async (page, widget) => {
  await fakeService(page);
  await widget.type('zeedijk 24');
  await widget.options.filter({ hasText: '648 additions' }).click();
  assert.deepEqual((await texts(widget)).slice(-2), ['Show 598 more', 'Enter address by hand']);
  assert.match(await widget.status.innerText(), /Choose your addition\. 648 additions/);
}));

test('it is accessible in light and dark', () => withBuilding(true, { viewport: { width: 600, height: 720 } }, async (page, widget) => {
  await isAccessibleInBothSchemes(page, 'first step', 'widget-units-first');
  await manyUnitsOption(widget).click();
  await widget.input.press('ArrowDown');
  await isAccessibleInBothSchemes(page, 'second step', 'widget-units-second');
}));

test('it fits 320 pixels, and manual entry is in view on a small phone with its keyboard open', async () => {
  await withBuilding(true, { viewport: { width: 320, height: 640 } }, async (page, widget) => {
    await manyUnitsOption(widget).click();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    await picture(page, 'widget-units-narrow', {});
  });
  await withBuilding(true, { viewport: { width: 360, height: 300 } }, async (page, widget) => {
    const inView = async (when) => {
      const box = await widget.options.last().boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= 300, `${when}: ${JSON.stringify(box)}`);
    };
    await inView('first step');
    await manyUnitsOption(widget).click();
    await inView('second step');
    await picture(page, 'widget-units-keyboard', {});
  });
});
