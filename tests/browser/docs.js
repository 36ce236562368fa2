// Tests the documentation page in both languages: without its script, on a phone, by keyboard, in print, and what its script adds.
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const { LIVE, withPage, serve, isAccessible, picture } = require('./harness.js');
const { test } = require('./testing.js');

const DOCS = `http://${LIVE}/docs`;
const NARROW = { width: 320, height: 640 };
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 900 };
const PLACEHOLDER = 'https://HOST';
const LANGUAGES = {
  nl: { locale: 'nl-NL', title: 'API-documentatie', contents: 'Inhoud', section: 'Adres controleren', copied: 'Gekopieerd', selected: 'Geselecteerd' },
  en: { locale: 'en-GB', title: 'API documentation', contents: 'Contents', section: 'Check an address', copied: 'Copied', selected: 'Selected' },
};

/** The languages of all samples that are shown. */
const shownSamples = (page) =>
  page.evaluate(() => [...new Set([...document.querySelectorAll('[data-sample]')].filter((pre) => pre.checkVisibility()).map((pre) => pre.dataset.sample))]);

/** Waits until the contents mark only the section with this fragment as current. */
const waitForCurrent = (page, hash) =>
  page.waitForFunction((wanted) => {
    const current = [...document.querySelectorAll('.side [aria-current]')];
    return current.length === 1 && current[0].getAttribute('href') === wanted;
  }, hash);

for (const [lang, { locale, title, contents, section }] of Object.entries(LANGUAGES)) {
  test(`without scripts the page is readable and its contents work, in ${lang}`, async () => {
    await withPage({ viewport: NARROW, javaScriptEnabled: false, locale }, async (page) => {
      await page.goto(DOCS);
      assert.equal(await page.getAttribute('html', 'lang'), lang);
      assert.equal(await page.locator('h1').textContent(), title);
      assert.equal(await page.locator('article').count(), 8);
      const box = await page.locator('main').boundingBox();
      assert.ok(box.width <= NARROW.width, `${box.width} pixels`);
      await page.getByText(contents, { exact: true }).click();
      await page.locator('.contents').getByRole('link', { name: section }).click();
      await page.waitForURL(/#validate$/);
      const { y } = await page.locator('#validate').boundingBox();
      assert.ok(y >= 0 && y < 100, `${y} pixels from the top`);
      assert.equal(await page.getByRole('button').count(), 0, 'no button without a script');
    });
    await withPage({ viewport: DESKTOP, javaScriptEnabled: false, locale }, async (page) => {
      await page.goto(DOCS);
      await page.locator('.side').getByRole('link', { name: section }).click();
      await page.waitForURL(/#validate$/);
      const other = lang === 'nl' ? 'en' : 'nl';
      await page.locator(`.languages a[lang=${other}]`).click();
      assert.equal(await page.locator('h1').textContent(), LANGUAGES[other].title);
    });
  });
}

test('the chapter on the form field has the address of the script on this service', async () => {
  await withPage({ viewport: DESKTOP }, async (page) => {
    await page.goto(DOCS);
    const sample = await page.locator('#field pre').first().textContent();
    const [, url] = /<script src="([^"]+)" defer>/.exec(sample);
    assert.ok(url.startsWith(`http://${LIVE}/widget.js?v=`), url);
    const response = await page.request.get(url);
    assert.match(response.headers()['cache-control'], /immutable/, 'the version in the sample is that of the script');
    await page.locator('#field').getByRole('link').click();
    await page.waitForURL(/\/#checkout$/);
  });
});

test('without scripts one choice shows all samples in another language', async () => {
  await withPage({ viewport: DESKTOP, javaScriptEnabled: false }, async (page) => {
    await page.goto(DOCS);
    const count = async (language) => page.locator(`article > .samples > div [data-sample=${language}]:visible`).count();
    assert.deepEqual([await count('curl'), await count('php')], [8, 0]);
    assert.match(await page.locator('#begin noscript').textContent(), /https:\/\/HOST/);
    // A click on the label of a sample far down the page must not scroll up to the radio button.
    const label = page.locator('article:has(#validate) .call label[for=in-php]').first();
    await label.scrollIntoViewIfNeeded();
    const before = await label.boundingBox();
    await label.click();
    assert.deepEqual([await count('curl'), await count('php')], [0, 8]);
    assert.ok(Math.abs((await label.boundingBox()).y - before.y) < 400, 'the label is still in view');
    assert.ok((await label.boundingBox()).y > 0);
    await page.getByRole('radio', { name: 'Python' }).focus();
    await page.keyboard.press('Space');
    assert.deepEqual([await count('php'), await count('python')], [0, 8]);
  });
});

test('it fits the width of a phone', async () => {
  for (const { locale } of Object.values(LANGUAGES)) {
    await withPage({ viewport: NARROW, locale }, async (page) => {
      await page.goto(DOCS);
      const widthWith = (language) => page.evaluate((language) => {
        document.querySelector(`article label[for=in-${language}]`).click();
        return document.documentElement.scrollWidth;
      }, language);
      for (const viewport of [NARROW, PHONE]) {
        await page.setViewportSize(viewport);
        const bar = await page.locator('.languages').boundingBox();
        assert.ok(bar.x + bar.width < viewport.width, `${locale}: the languages end at ${bar.x + bar.width}`);
        await page.evaluate(() => { for (const details of document.querySelectorAll('main details')) details.open = false; });
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
        await page.evaluate(() => { for (const details of document.querySelectorAll('main details')) details.open = true; });
        for (const language of ['javascript', 'php', 'python', 'curl']) assert.equal(await widthWith(language), viewport.width, language);
      }
    });
  }
});

// The first two looks cover every viewport, colour scheme and language; more tries run the others. `front.js` checks the page with its
// parts closed.
const LOOKS = [[DESKTOP, 'light', 'nl'], [PHONE, 'dark', 'en'], [DESKTOP, 'dark', 'en'], [PHONE, 'light', 'nl']];
for (const [viewport, colorScheme, lang] of LOOKS.slice(0, Math.max(2, Number(process.env.POSTDUIF_TEST_TRIES ?? 2)))) {
  test(`axe finds nothing in the opened parts at ${viewport.width} pixels, ${colorScheme}, in ${lang}`, async () => {
    await withPage({ viewport, colorScheme, locale: LANGUAGES[lang].locale }, async (page) => {
      await page.goto(DOCS);
      await picture(page, `docs-${viewport.width}-${colorScheme}-${lang}`, {});
      await page.evaluate(() => { for (const details of document.querySelectorAll('details:not(.contents)')) details.open = true; });
      if (viewport === PHONE) await page.locator('.contents summary').click();
      await isAccessible(page);
      await page.goto(`${DOCS}#validate`);
      await picture(page, `docs-${viewport.width}-${colorScheme}-${lang}-validate`, {});
    });
  });
}

test('the contents follow the section in view', async () => {
  await withPage({ viewport: DESKTOP }, async (page) => {
    await page.goto(DOCS);
    await waitForCurrent(page, '#begin');
    for (const id of ['lookup', 'reverse', 'v1-verwerking', 'validate', 'headers', 'types', 'autocomplete']) {
      await page.evaluate((id) => {
        const top = document.getElementById(id).getBoundingClientRect().top + scrollY;
        scrollTo(0, top - 100);
      }, id);
      await waitForCurrent(page, `#${id}`);
    }
    for (const id of ['listAddresses', 'types', 'begin', 'bulkLookup']) {
      await page.locator(`.side a[href="#${id}"]`).click();
      await waitForCurrent(page, `#${id}`);
      assert.ok(await page.locator(`.side a[href="#${id}"]`).isVisible(), 'the contents stay in view');
    }
  });
});

test('a sample stays beside its text, and its end is in view at the end of the text', async () => {
  await withPage({ viewport: DESKTOP }, async (page) => {
    await page.goto(DOCS);
    for (const id of ['lookup', 'bulkLookup', 'validate']) {
      const article = page.locator(`article:has(#${id})`);
      await article.locator('.errors details').last().evaluate((last) => last.scrollIntoView({ block: 'end' }));
      const { y, height } = await article.locator('.samples').boundingBox();
      assert.ok(y + height > 0 && y < DESKTOP.height, `${id}: from ${y}, ${height} high`);
      assert.ok(y + height <= DESKTOP.height, `${id} ends in view: from ${y}, ${height} high`);
    }
  });
});

test('on a phone the contents can always be opened, and close when a section is chosen', async () => {
  await withPage({ viewport: PHONE }, async (page) => {
    await page.goto(`${DOCS}#types`);
    const summary = page.locator('.contents summary');
    await summary.click();
    await picture(page, 'docs-phone-contents', {});
    await page.locator('.contents a[href="#reverse"]').click();
    await page.waitForURL(/#reverse$/);
    assert.equal(await page.locator('.contents').getAttribute('open'), null);
    const { y } = await page.locator('#reverse').boundingBox();
    const bar = await page.locator('.bar').boundingBox();
    assert.ok(y >= bar.y + bar.height && y < 160, `the heading is ${y} pixels from the top`);
    await summary.click();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.contents').getAttribute('open'), null);
  });
});

test('the keyboard skips the contents and reaches each part', async () => {
  await withPage({}, async (page) => {
    await page.goto(DOCS);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('href')), '#main');
    const link = page.locator('.side a[href="#validate"]');
    await link.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/#validate$/);
    await page.waitForFunction(() => {
      const { top } = document.getElementById('validate').getBoundingClientRect();
      return top >= 0 && top < 120;
    });
  });
});

test('a button copies the sample that is shown, with the address of the page', async () => {
  for (const [lang, { locale, copied }] of Object.entries(LANGUAGES)) {
    await withPage({ viewport: DESKTOP, locale, permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await page.goto(DOCS);
      for (const language of ['curl', 'javascript', 'php', 'python']) {
        const panel = page.locator('article:has(#lookup) .call').first();
        await panel.locator(`label[for=in-${language}]`).click();
        await panel.getByRole('button').click();
        await panel.getByRole('button', { name: copied }).waitFor();
        const text = await page.evaluate(() => navigator.clipboard.readText());
        assert.equal(text, await panel.locator(`[data-sample=${language}]`).textContent());
        assert.ok(text.includes(`http://${LIVE}/api/v3/lookup/6545CA/29`), text);
      }
      assert.ok(!(await page.locator('main').innerText()).includes(PLACEHOLDER), `${lang}: no placeholder is left`);
      assert.equal(await page.getByRole('status').textContent(), copied);
    });
  }
});

test('without a clipboard the button selects the sample', async () => {
  await withPage({ viewport: DESKTOP }, async (page) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
    await page.goto(DOCS);
    const panel = page.locator('article:has(#reverse) .call').first();
    await panel.getByRole('button').click();
    await panel.getByRole('button', { name: LANGUAGES.nl.selected }).waitFor();
    const selected = await page.evaluate(() => String(getSelection()));
    assert.ok(selected.startsWith(`curl 'http://${LIVE}/api/v1/reverse`), selected);
  });
});

test('below a prefix of a proxy, the base URL of the samples has the prefix', async () => {
  const proxy = await serve((request, response) => {
    const path = request.url.replace(/^\/post\//, '/');
    http.get(`http://${LIVE}${path}`, { headers: { ...request.headers, host: LIVE } }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
  });
  try {
    await withPage({ viewport: DESKTOP }, async (page) => {
      await page.goto(`${proxy.origin}/post/docs?lang=en#lookup`);
      assert.equal(await page.locator('.base').first().textContent(), `${proxy.origin}/post/api`);
      await page.locator('.languages a[lang=nl]').click();
      await page.waitForURL(`${proxy.origin}/post/docs?lang=nl#lookup`);
      assert.equal(await page.locator('h1').textContent(), LANGUAGES.nl.title);
    });
  } finally {
    await proxy.close();
  }
});

test('the language of the samples is remembered', async () => {
  await withPage({ viewport: DESKTOP }, async (page) => {
    await page.goto(DOCS);
    assert.deepEqual(await shownSamples(page), ['curl']);
    await page.locator('article label[for=in-python]').first().click();
    assert.deepEqual(await shownSamples(page), ['python']);
    await page.goto(`http://${LIVE}/docs?lang=en`);
    assert.deepEqual(await shownSamples(page), ['python']);
    await page.reload();
    assert.deepEqual(await shownSamples(page), ['python']);
  });
});

test('the language of the page is the one that was chosen here or on the test page', async () => {
  await withPage({ viewport: DESKTOP }, async (page) => {
    const title = () => page.locator('h1').textContent();
    await page.goto(DOCS);
    assert.equal(await title(), LANGUAGES.nl.title);
    await page.evaluate(() => localStorage.setItem('postduif-language', 'en'));
    await page.goto('about:blank');
    await page.goto(`${DOCS}#reverse`);
    await page.waitForURL(/\?lang=en#reverse$/);
    assert.equal(await title(), LANGUAGES.en.title);
    await page.locator('.languages a[lang=nl]').click();
    await page.waitForURL(/\?lang=nl/);
    assert.equal(await page.evaluate(() => localStorage.getItem('postduif-language')), 'nl');
    await page.goto(`${DOCS}?lang=en`);
    assert.equal(await title(), LANGUAGES.en.title, 'the language in the URL takes precedence');
  });
});

test('print has all of the text and no controls', async () => {
  await withPage({ colorScheme: 'dark' }, async (page) => {
    await page.goto(DOCS);
    await page.emulateMedia({ media: 'print' });
    for (const control of ['.side', '.contents', '.languages', '.copy', '.tabs']) {
      assert.equal(await page.locator(control).first().isVisible(), false, control);
    }
    assert.equal(await page.locator('#type-V1Address').isVisible(), true);
    assert.equal(await page.locator('article:has(#lookup) .errors li').first().isVisible(), true, 'closed parts are printed');
    const ink = await page.evaluate(() => getComputedStyle(document.querySelector('.panel code')).color);
    assert.equal(ink, 'rgb(0, 0, 0)');
    await picture(page, 'docs-print', {});
  });
});
