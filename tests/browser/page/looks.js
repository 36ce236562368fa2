// Appearance of the test page: languages, light and dark, widths, text sizes, and the cost of loading it.
'use strict';

const assert = require('node:assert/strict');
const { LIVE, KEY, withPage, isAccessible, picture } = require('../harness.js');
const { test } = require('../testing.js');
const { ORIGIN, withTestPage, panel, openAccess, addressOf } = require('./shared.js');

/** Maximum transfer size of the page without the widget. */
const BUDGET_BYTES = 60_000;
/** The largest layout shift that is rated good. Source: web.dev/cls. */
const LITTLE_SHIFT = 0.1;

const SIZES = { desktop: { width: 1280, height: 900 }, tablet: { width: 768, height: 1024 }, phone: { width: 320, height: 640 } };

/** Fills in every tab with an address of the town, and then calls `look` with the id of the tab. */
async function fillAll(page, address, look = () => {}) {
  const { postcode, number, city, location: { coordinates: [lon, lat] } } = address;
  const byNumber = await panel(page, 'number');
  await byNumber.fill({ postcode, number: String(number) });
  await byNumber.send();
  await byNumber.outcome.locator('li').first().waitFor();
  await look('number');
  const check = await panel(page, 'check');
  await check.fill({ postcode, number: String(number), street: 'Dorpstraat', city });
  await check.send();
  await check.outcome.locator('table').waitFor();
  await look('check');
  const near = await panel(page, 'near');
  await page.selectOption('#r-limit', '25');
  await near.fill({ lon: String(lon), lat: String(lat) });
  await near.send();
  await page.locator('.dot').nth(24).waitFor({ state: 'attached' });
  await look('near');
}

test('the filled page is accessible and fits the screen at every size, in both languages, light and dark', async () => {
  const address = await addressOf('dorpsstraat 64 schapenhoek');
  // The first three looks cover every size, language and scheme; more tries run the other looks.
  const looks = [['desktop', 'nl-NL', 'light'], ['tablet', 'nl-NL', 'dark'], ['phone', 'en-GB', 'dark'], ['desktop', 'en-GB', 'dark'], ['phone', 'nl-NL', 'light']];
  const tries = Math.max(3, Number(process.env.POSTDUIF_TEST_TRIES ?? 3));
  for (const [size, locale, colorScheme] of looks.slice(0, tries)) {
    await withTestPage({ live: true, viewport: SIZES[size], locale, colorScheme }, async (page) => {
      const name = `page-${size}-${locale.slice(0, 2)}-${colorScheme}`;
      await picture(page, `${name}-empty`);
      const look = async (id) => {
        await page.evaluate(() => document.querySelectorAll('.exchange details').forEach((details) => { details.open = true; }));
        await isAccessible(page, `${name}-${id}`);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, `${name}-${id} is too wide`);
        await picture(page, `${name}-${id}`);
      };
      await look('checkout');
      await fillAll(page, address, look);
    });
  }
});

test('on a phone the first field is in view, every control is large enough for a finger, and no header of the differences wraps', async () => {
  for (const viewport of [SIZES.phone, { width: 390, height: 844 }]) {
    await withTestPage({ viewport, hasTouch: true }, async (page) => {
      const field = await page.locator('#find postduif-address input').boundingBox();
      assert.ok(field.y + field.height <= viewport.height, `the first field ends at ${field.y + field.height}`);
      await (await panel(page, 'check')).example('tikfout in de postcode').click();
      await (await panel(page, 'check')).outcome.locator('table').waitFor();
      for (const id of ['checkout', 'number', 'near', 'check']) {
        await panel(page, id);
        const small = await page.locator('button, summary, input, select, a').evaluateAll((those) => those
          .filter((each) => each.checkVisibility() && !each.getRootNode().host && each.className !== 'skip' && each.getBoundingClientRect().height < 43.9)
          .map((each) => each.outerHTML));
        assert.deepEqual(small, []);
      }
      const lines = await page.locator('.differences tbody th').evaluateAll((those) => those.map((each) => {
        const range = document.createRange();
        range.selectNodeContents(each);
        return range.getClientRects().length;
      }));
      assert.deepEqual(lines, [1]);
    });
  }
});

test('a numeric limit fits on one line', async () => {
  await withTestPage({ viewport: SIZES.desktop }, async (page) => {
    await page.route('**/api/**', (route) => route.fulfill({
      headers: { 'X-Quota-Limit': '100000', 'X-Quota-Remaining': '99999', 'X-Quota-Reset': '1800000000', 'X-RateLimit-Limit': '100000', 'X-RateLimit-Remaining': '99999' },
      json: { data: [], meta: { count: 0 } },
    }));
    await (await panel(page, 'number')).example('6545CA 299').click();
    await openAccess(page);
    const figures = page.locator('#limits b', { hasText: 'nog 99.999 van 100.000' });
    await figures.first().waitFor();
    const heights = await page.locator('#limits b').evaluateAll((those) => those.map((each) => Math.round(each.getBoundingClientRect().height)));
    assert.equal(new Set(heights).size, 1, `${heights}`);
  });
});

test('text of twice the size fits the width of the screen', async () => {
  await withTestPage({ viewport: SIZES.phone }, async (page) => {
    await page.evaluate(() => { document.documentElement.style.fontSize = '200%'; });
    await (await panel(page, 'number')).example('6545CA 29').first().click();
    await (await panel(page, 'number')).message.getByText('1 adres gevonden.').waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    await picture(page, 'page-phone-twice');
  });
});

test('the browser’s language is used, can be changed by keyboard, is stored, and leaves no text untranslated', async () => {
  await withTestPage({ locale: 'de-DE' }, async (page) => {
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
  });
  await withTestPage({ locale: 'nl-BE' }, async (page) => {
    assert.equal(await page.locator('html').getAttribute('lang'), 'nl');
    const number = await panel(page, 'number');
    await number.example('6545CA 299').click();
    await number.message.getByText('Er is geen adres met dit huisnummer').waitFor();
    const text = async () => {
      const all = [];
      for (const id of ['checkout', 'check', 'near', 'number']) {
        await panel(page, id);
        all.push(await page.locator('body').innerText());
      }
      return all.join('\n');
    };
    await openAccess(page);
    const dutch = await text();
    await page.getByRole('button', { name: 'EN, English' }).focus();
    await page.keyboard.press('Enter');
    await number.message.getByText('No address is known at this number.').waitFor();
    assert.equal(await page.locator('html').getAttribute('lang'), 'en');
    const english = await text();
    const words = (all) => new Set(all.split('\n').filter((line) => /[a-z]{3,} [a-z]{2,} [a-z]{2,}/.test(line)));
    assert.deepEqual([...words(dutch)].filter((line) => words(english).has(line)), []);
    await page.reload();
    await page.getByRole('heading', { name: 'Look up by postcode and number' }).waitFor();
    await isAccessible(page, 'English');
  });
});

test('messages about a key, a field and a point change language too', async () => {
  await withTestPage({ expected: /401/, permissions: [] }, async (page) => {
    await page.getByRole('button', { name: 'Eigen sleutel gebruiken' }).click();
    await page.getByLabel('Sleutel', { exact: true }).fill('kort');
    await page.keyboard.press('Enter');
    await (await panel(page, 'number')).send();
    await panel(page, 'near');
    await page.getByRole('button', { name: 'Mijn locatie' }).click();
    await (await panel(page, 'near')).message.getByText('Je browser deelt je locatie niet.').waitFor();
    await page.route('**/api/**', (route) => route.fulfill({ status: 401, json: { error: { code: 'invalid_api_key', message: '' } } }));
    await (await panel(page, 'check')).example('slordig, maar goed').click();
    await page.getByRole('alert').getByText('De proefsleutel is op deze server uitgeschakeld.').waitFor();

    await page.getByRole('button', { name: 'EN, English' }).click();
    await page.getByText('This is not a valid key.').waitFor();
    await page.getByRole('alert').getByText('The trial key is switched off on this server.').waitFor();
    await (await panel(page, 'near')).message.getByText('Your browser does not share your location.').waitFor();
    assert.deepEqual(await (await panel(page, 'number')).root.locator('.missing').allTextContents(), ['Fill this in', 'Fill this in']);
  });
});

test('every text exists in both languages and is used', async () => {
  const modules = ['page', 'dom', 'service', 'panel', 'exchange', 'access', 'tabs', 'field', 'finder', 'checkout', 'markup', 'number', 'check', 'difference', 'near', 'picture', 'streets', 'labels'];
  const sources = await Promise.all([...modules.map((name) => `${name}.js`), ''].map(async (name) => (await fetch(`${ORIGIN}/${name}`)).text()));
  await withTestPage({}, async (page) => {
    const { nl, en } = await page.evaluate(async () => (await import('./texts.js')).TEXTS);
    const needed = (texts) => Object.keys(texts).filter((key) => !key.startsWith('purpose.'));
    assert.deepEqual(needed(nl), needed(en));
    for (const key of needed(nl)) assert.equal(Array.isArray(nl[key]), Array.isArray(en[key]), key);
    // Names of texts that the code composes, such as `code.` and the error code of the service.
    const built = /^(code|reason|mismatch|type|shape|about)\.|\.example\d$|^(down|late)|^access\.(trial|public|test|live)$|^address\.(register|unconfirmed|hand)$|^check\.(field|was|is)$/;
    const said = sources.join('\n');
    const unused = needed(nl).filter((key) => !built.test(key) && !said.includes(`'${key}'`) && !said.includes(`"${key}"`));
    // The page takes these two names from the fields of a v3 answer.
    assert.deepEqual(unused.sort(), ['location', 'province']);
  });
});

test('without JavaScript the page has a command to copy and a link to the description', async () => {
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto(ORIGIN);
    assert.match(await page.locator('noscript pre').innerText(), /curl -H 'X-Api-Key: pd_test_\w+' "\$HERE\/api\/v3\/lookup\/6545CA\/29"/);
    assert.equal(await page.locator('noscript a').first().getAttribute('href'), 'docs');
    assert.ok(!(await page.locator('main').isVisible()));
    await picture(page, 'page-without-javascript');
  });
});

test('the first Tab offers a skip link; forced colours work; print omits buttons', async () => {
  await withTestPage({ forcedColors: 'active', reducedMotion: 'reduce' }, async (page) => {
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'find');
    await isAccessible(page, 'forced colours');
    await picture(page, 'page-forced-colours');
    await page.emulateMedia({ media: 'print', forcedColors: 'none' });
    await page.locator('#order [type=submit]').waitFor({ state: 'hidden' });
    await picture(page, 'page-on-paper');
  });
});

test('the page is small, loads only from its service, and has hardly any layout shift', async () => {
  await withPage({ isNew: true, viewport: SIZES.desktop }, async (page) => {
    await page.addInitScript(() => {
      globalThis.shifted = 0;
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.goto(`${ORIGIN}/#key=${KEY}`);
    await page.locator('main').waitFor();
    const files = await page.evaluate(() => [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      .map(({ name, encodedBodySize }) => [name, encodedBodySize]));
    assert.ok(files.length > 10);
    assert.deepEqual(files.filter(([url]) => new URL(url).host !== LIVE), []);
    const sum = (those) => those.reduce((total, [, bytes]) => total + bytes, 0);
    const own = sum(files.filter(([url]) => !url.endsWith('/widget.js')));
    assert.ok(own <= BUDGET_BYTES, `${own} bytes`);
    // The browser reports the first paint with a delay.
    const painted = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
    const paint = await painted.jsonValue();
    await fillAll(page, await addressOf('dorpsstraat 64 schapenhoek'));
    const shifted = await page.evaluate(() => globalThis.shifted);
    assert.ok(shifted < LITTLE_SHIFT, `layout shift ${shifted}`);
    console.log(`page: ${own} bytes and ${sum(files) - own} of the widget in ${files.length} requests, first contentful paint ` +
      `${Math.round(paint)} ms, layout shift ${shifted.toFixed(4)}`);
  });
});
