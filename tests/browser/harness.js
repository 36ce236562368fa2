// Helpers for browser tests: a browser, pages with their own origins, keys, screenshots, and accessibility rules.
//
// The test that runs a file sets the environment: the service (LIVE, SANDBOX: host and port), its
// data folder (DATA), the program (POSTDUIF), an account of the plan pro (ACCOUNT), a live key that any page may use (KEY), and
// the folder for screenshots (PICTURES); if unset, none are taken.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { readFileSync, mkdirSync } = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { browser } = require('./browser.js');
const { after } = require('./testing.js');

const { LIVE, SANDBOX, DATA, POSTDUIF, ACCOUNT, KEY, PICTURES } = process.env;
/** The limit of every wait, so that no test hangs; an idle machine needs a fraction of a second. */
const TIMEOUT_MS = 60_000;
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Pages that tests have left, by the options of their context and their first script. */
const leftPages = new Map();
after(() => Promise.all([...leftPages.values()].flat().map((page) => page.context().close())));

/** Pages on which a test called a method whose effect remains, so that no other test may use them. */
const changedPages = new WeakSet();
const LASTING_METHODS = ['addInitScript', 'emulateMedia', 'exposeFunction', 'setViewportSize'];
const LASTING_METHODS_OF_CONTEXTS = ['addCookies', 'addInitScript', 'grantPermissions', 'newCDPSession', 'newPage', 'route', 'setGeolocation', 'setOffline'];

/**
 * Passes a page to `use`. The options are those of a context, such as `viewport`, `colorScheme` and `locale`. An error on the console
 * or in a script fails the test, unless `expected` matches it. The browser asks for reduced motion, so nothing is animated. With
 * `fakeClock`, `page.clock` controls the clock of the page. `initScript` runs in every document before its own scripts. With
 * `isNew`, nothing is in the browser's cache.
 */
async function withPage({ expected = /$^/, fakeClock = false, isNew = false, initScript = () => {}, ...options }, use) {
  const key = JSON.stringify([options, String(initScript)]);
  const left = fakeClock || isNew ? undefined : leftPages.get(key)?.pop();
  const page = left ?? await newPage({ fakeClock, initScript, options });
  const complaints = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  let isReusable = false;
  try {
    await use(page);
    assert.deepEqual(complaints.filter((text) => !expected.test(text)), [], 'unexpected errors on the console');
    isReusable = !fakeClock && await reset(page);
  } finally {
    if (isReusable) leftPages.set(key, [...leftPages.get(key) ?? [], page]);
    else await page.context().close();
  }
}

/** Opens a page in a new context. */
async function newPage({ fakeClock, initScript, options }) {
  const context = await (await browser()).newContext({ locale: 'nl-NL', reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  waitInShortSteps(page);
  if (fakeClock) {
    await page.clock.install();
    // The fake clock of the page does not replace `AbortSignal.timeout`.
    await page.addInitScript(() => {
      AbortSignal.timeout = (ms) => {
        const controller = new AbortController();
        setTimeout(() => controller.abort(new DOMException('too late', 'TimeoutError')), ms);
        return controller.signal;
      };
    });
  }
  await page.addInitScript(initScript);
  for (const [owner, methods] of [[page, LASTING_METHODS], [context, LASTING_METHODS_OF_CONTEXTS]]) {
    for (const method of methods) {
      const original = owner[method];
      owner[method] = (...args) => {
        changedPages.add(page);
        return original.apply(owner, args);
      };
    }
  }
  return page;
}

/** Takes back what a test did to a page. Returns whether another test can use it. */
async function reset(page) {
  if (changedPages.has(page) || page.context().pages().length > 1) return false;
  // A page without an origin, such as about:blank, has no storage that could be cleared.
  if (!page.url().startsWith('http')) return false;
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().clearCookies();
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await page.goto('about:blank');
  await page.mouse.move(0, 0);
  for (const event of ['console', 'pageerror', 'request', 'requestfailed', 'requestfinished', 'response']) page.removeAllListeners(event);
  return true;
}

/**
 * Makes `waitFor` of every locator look each 20 ms. Playwright looks five times within 270 ms and then every 500 ms, and a test
 * waits many times for something that takes 300 ms.
 */
function waitInShortSteps(page) {
  const isAttached = async (locator) => {
    const count = await locator.count();
    assert.ok(count <= 1, `${locator} is ${count} elements`);
    return count === 1;
  };
  const looks = {
    visible: (locator) => locator.isVisible(),
    hidden: (locator) => locator.isHidden(),
    attached: isAttached,
    detached: async (locator) => !await isAttached(locator),
  };
  Object.getPrototypeOf(page.locator('html')).waitFor = async function waitFor({ state = 'visible' } = {}) {
    for (const began = Date.now(); !await looks[state](this); await new Promise((resolve) => setTimeout(resolve, 20))) {
      assert.ok(Date.now() - began < TIMEOUT_MS, `${this} is not ${state}`);
    }
  };
}

/** Stops the clock of a page with `fakeClock`. From then on, only `page.clock.runFor` advances it. */
async function stopClock(page) {
  const now = await page.evaluate(() => Date.now());
  await page.clock.pauseAt(now + TIMEOUT_MS);
}

/** Serves a page on a new origin. `content` is the HTML, or a handler `(request, response)`. */
async function serve(content) {
  const handler = typeof content === 'function' ? content : (_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(content);
  };
  const server = http.createServer(handler);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => (server.closeAllConnections(), new Promise((resolve) => server.close(resolve))),
  };
}

/** Creates a key for one origin, with these options of `postduif keys create`. Waits until the running service accepts it. */
async function createKey(origin, ...options) {
  const output = execFileSync(POSTDUIF, ['keys', 'create', '--data', DATA, '--account', ACCOUNT, '--json', '--origin', origin, ...options]);
  const { key } = JSON.parse(output);
  for (const began = Date.now(); await status(key, origin) !== 200;) {
    assert.ok(Date.now() - began < TIMEOUT_MS, 'the service does not know the new key');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return key;
}

/** The status of the answer to a page of this origin that uses this key. */
function status(key, origin) {
  return new Promise((resolve, reject) => {
    const headers = { 'X-Api-Key': key, Origin: origin };
    http.get(`http://${LIVE}/v1/postcodes/3931AA`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}

/** The rules of axe whose result depends on the colour scheme. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Checks that axe finds no violation of WCAG 2.2 A and AA or of its best practices, or only of some `rules`. */
async function isAccessible(page, context, rules) {
  // The debugger evaluates axe, so that the page's Content-Security-Policy needs no exception.
  if (!await page.evaluate(() => 'axe' in globalThis)) await page.evaluate(AXE);
  // `no-passes` describes no elements that a rule passed, which would take as long as the rules themselves.
  const found = await page.evaluate(async (runOnly) => {
    const { violations } = await globalThis.axe.run({ reporter: 'no-passes', ...runOnly && { runOnly } });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
  }, rules);
  assert.deepEqual(found, [], context);
}

/** Checks a page in light colours like `isAccessible`, and then what dark colours change. Saves a screenshot of each, if `name` is set. */
async function isAccessibleInBothSchemes(page, context, name) {
  for (const [colorScheme, rules] of [['light', undefined], ['dark', COLOUR_RULES]]) {
    await page.emulateMedia({ colorScheme });
    await isAccessible(page, `${context}, ${colorScheme}`, rules);
    if (name) await picture(page, `${name}-${colorScheme}`);
  }
}

/** Saves a screenshot, of the whole page by default. */
async function picture(page, name, options = { fullPage: true }) {
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: path.join(PICTURES, `${name}.png`), ...options });
}

module.exports = { LIVE, SANDBOX, KEY, withPage, stopClock, serve, createKey, isAccessible, isAccessibleInBothSchemes, picture };
