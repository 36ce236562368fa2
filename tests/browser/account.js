// The page of an account: what the holder of a key sees, what other keys see, and where the key never appears.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { LIVE, KEY, withPage, isAccessible, picture } = require('./harness.js');
const { test } = require('./testing.js');

const { POSTDUIF, DATA } = process.env;
const ORIGIN = `http://${LIVE}`;
const PHONE = { width: 320, height: 640 };
const LOOKUP = '/v1/postcodes/3931AA';
/** The limit of every wait. */
const TIMEOUT_MS = 60_000;

/** Opens an account with limits that no test reaches. Returns its keys. */
function createAccount(email) {
  const limits = ['--plan', 'enterprise', '--calls-per-month', '1000', '--calls-per-second', '1000'];
  const made = execFileSync(POSTDUIF, ['accounts', 'create', '--data', DATA, '--json', '--email', email, ...limits]);
  const { live_key: live, test_key: sandbox } = JSON.parse(made);
  return { live, sandbox };
}

async function call(path, key) {
  const response = await fetch(`${ORIGIN}${path}`, { headers: { 'X-Api-Key': key } });
  return { status: response.status, body: await response.json() };
}

/** Waits until the service returns the account of a key and `wanted` accepts it; returns the account. */
async function waitForAccount(key, wanted) {
  for (const began = Date.now(); ;) {
    const { status, body } = await call('/v1/account', key);
    if (status === 200 && wanted(body.data)) return body.data;
    assert.ok(Date.now() - began < TIMEOUT_MS, JSON.stringify(body));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function withAccountPage(options, use) {
  await withPage(options, async (page) => {
    await page.goto(`${ORIGIN}/account`);
    await page.locator('main').waitFor();
    await use(page);
  });
}

/** Enters a key by keyboard. */
async function enter(page, key) {
  await page.locator('#key').fill(key);
  await page.keyboard.press('Enter');
}

const assertFitsWidth = async (page) => assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);

/** An account with as much data as one month can have. */
function busyAccount() {
  const days = Array.from({ length: 31 }, (_, at) => new Date(Date.parse('2026-10-06') + at * 86_400_000).toISOString().slice(0, 10));
  const endpoints = ['address', 'autocomplete', 'bulk', 'lookup', 'validate'];
  const usage = days.flatMap((day, at) => endpoints.map((endpoint) => ({ day, endpoint, calls: 1234 * (at + 1), lines: 1234 * (at + 1), errors: at })));
  const key = { id: '019aae4d-51c0-7a3e-8f0a-5b1d2c3e4f50', hint: 'pd_live_Ab3dE6gH…x7Yz', environment: 'live', readOnly: false, origins: [], networks: ['192.0.2.0/24', '2001:db8::/32'], perIpPerMinute: null, createdAt: '2026-01-06T11:46:40Z', expiresAt: null, revokedAt: null, isOwn: true };
  const keys = [
    key,
    { ...key, isOwn: false, readOnly: true, networks: [], origins: ['https://shop.example.org', 'https://pay.example.org:8443'], perIpPerMinute: 40, expiresAt: '2099-01-01T00:00:00Z' },
    { ...key, isOwn: false, environment: 'test', hint: 'pd_test_Ab3dE6gH…0000', origins: ['*'], revokedAt: '2026-02-03T04:05:06Z' },
    { ...key, isOwn: false, networks: [], expiresAt: '2026-02-01T00:00:00Z' },
  ];
  const reasons = ['rate_limit_exceeded', 'quota_exceeded', 'invalid_postcode', 'a_new_reason'];
  const byReason = reasons.map((reason, at) => ({ reason, status: 429, calls: 99_999 - at, lastAt: '2026-11-05T09:14:07Z' }));
  const last = Array.from({ length: 20 }, (_, at) => ({ day: days[at], endpoint: 'autocomplete', lastAt: `${days[at]}T10:00:00Z`, reason: reasons[at % 4], status: 429, calls: 17 }));
  return {
    plan: 'plus', limits: { callsPerMonth: 50_000, grace: 5_000, callsPerSecond: 25, bulkMax: 500 },
    month: { start: '2026-10-06T00:00:00Z', end: '2026-11-06T00:00:00Z', callsUsed: 54_321, callsRemaining: 0 },
    usage, keys, refusals: { byReason, last },
  };
}

test('the holder sees plan, usage, keys and refusals; the key is only in the header of the request', async () => {
  const { live, sandbox } = createAccount('holder@example.org');
  await waitForAccount(live, () => true);
  for (let times = 0; times < 3; times += 1) assert.equal((await call(LOOKUP, live)).status, 200);
  for (let times = 0; times < 2; times += 1) assert.equal((await call('/v1/postcodes/x', live)).status, 400);
  await waitForAccount(live, ({ month, refusals }) => month.callsUsed === 5 && refusals.byReason[0]?.calls === 2);
  await withAccountPage({}, async (page) => {
    const requests = [];
    page.on('request', (request) => requests.push(request));
    await enter(page, live);
    await page.getByRole('heading', { name: 'Gebruik van deze maand' }).waitFor();
    await page.getByText('5 van 1.000 gebruikt').waitFor();
    await page.getByText('nog 995').waitFor();
    const row = (name) => page.locator('tr', { hasText: name }).first();
    assert.match(await row('postcodes').innerText(), /postcodes\s+5\s+5\s+2$/);
    assert.match(await row('Totaal').innerText(), /5\s+5\s+2$/);
    await page.getByText(/De meeste op \d+ \w+: 5\./).waitFor();
    assert.match(await row('invalid_postcode').innerText(), /geen geldige postcode invalid_postcode\s+400\s+2/);
    const masked = (key) => `${key.slice(0, 16)}…${key.slice(-4)}`;
    assert.match(await page.locator('.keys li', { hasText: masked(live) }).innerText(), /deze sleutel\s+live · alle rechten · voor servers/);
    assert.match(await page.locator('.keys li', { hasText: masked(sandbox) }).innerText(), /sandbox · alle rechten/);

    assert.deepEqual(requests.map((request) => [request.method(), request.url(), request.headers()['x-api-key']]), [['GET', `${ORIGIN}/api/v1/account`, live]]);
    assert.equal(page.url(), `${ORIGIN}/account`);
    const kept = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, document.documentElement.outerHTML]));
    assert.ok(!(await kept()).includes(live));
    assert.equal(await page.locator('#key').inputValue(), '');

    // An empty key field uses the same key again. After a reload, the page no longer has the key.
    await page.locator('#key').press('Enter');
    await page.waitForFunction((before) => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/v1/account')).length === before, 2);
    await page.getByText('Bijgewerkt om').waitFor();
    await page.reload();
    await enter(page, '');
    await page.getByText('Vul een sleutel in.').waitFor();
    assert.equal(await page.locator('#overview').isVisible(), false);
  });
});

test('an unused account says so; closing it forgets the key', async () => {
  const { live } = createAccount('new@example.org');
  await waitForAccount(live, () => true);
  await withAccountPage({ locale: 'en-GB' }, async (page) => {
    await enter(page, live);
    await page.getByText('Nothing has been used yet this month.').waitFor();
    await page.getByText('No request was refused this month.').waitFor();
    await page.getByText('0 of 1,000 used').waitFor();
    await isAccessible(page, 'nothing used');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.locator('#overview').waitFor({ state: 'hidden' });
    assert.equal(await page.evaluate(() => document.activeElement.id), 'key');
    await page.keyboard.press('Enter');
    await page.getByText('Enter a key.').waitFor();
    await isAccessible(page, 'no key');
  });
});

test('a missing, malformed, unknown or unauthorised key and a test key each get a message', async () => {
  const { live, sandbox } = createAccount('rights@example.org');
  await waitForAccount(live, () => true);
  await withAccountPage({ expected: /40[13]/ }, async (page) => {
    const says = async (key, text) => {
      await enter(page, key);
      await page.getByText(text).waitFor();
      assert.equal(await page.locator('#overview').isVisible(), false);
    };
    await says('', 'Vul een sleutel in.');
    await says('pd_live_kort', 'Dit is geen geldige sleutel.');
    assert.equal(await page.locator('#key').getAttribute('aria-invalid'), 'true');
    await says(`pd_live_${'a'.repeat(38)}`, 'Deze sleutel werkt hier niet');
    await says(KEY, 'Deze sleutel mag het account niet zien.');
    assert.equal(await page.getByRole('button', { name: 'Opnieuw proberen' }).count(), 0);
    await says(sandbox, 'Deze sleutel mag het account niet zien.');
    await isAccessible(page, 'a key without rights');
    await enter(page, live);
    await page.getByText('Deze maand is er nog niets gebruikt.').waitFor();
    assert.equal(await page.locator('#trouble').isVisible(), false);
  });
});

test('a retry works after an error of the service or of the network', async () => {
  const { live } = createAccount('trouble@example.org');
  await waitForAccount(live, () => true);
  const failures = [
    [(route) => route.fulfill({ status: 429, headers: { 'Retry-After': '7' }, json: {} }), 'Probeer het over 7 seconden opnieuw.'],
    [(route) => route.fulfill({ status: 503, json: {} }), 'Er ging iets mis op de server (503).'],
    [(route) => route.abort(), 'De server is niet bereikbaar.'],
    [(route) => route.fulfill({ status: 200, body: 'no JSON' }), 'De server is niet bereikbaar.'],
  ];
  await withAccountPage({ expected: /429|503|ERR_FAILED/ }, async (page) => {
    for (const [fail, text] of failures) {
      await page.route('**/v1/account', fail);
      await enter(page, live);
      await page.getByRole('alert').getByText(text).waitFor();
      await isAccessible(page, text);
      await page.unroute('**/v1/account');
      await page.getByRole('button', { name: 'Opnieuw proberen' }).click();
      await page.getByText('Bijgewerkt om').waitFor();
    }
    let answer;
    await page.route('**/v1/account', (route) => { answer = () => route.continue(); });
    await page.locator('#key').press('Enter');
    await page.getByRole('status').getByText('Bezig met laden…').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Bekijken' }).isDisabled(), true);
    await isAccessible(page, 'loading');
    answer();
    await page.getByText('Bijgewerkt om').waitFor();
  });
});

test('a busy account is accessible and never wider than the screen, in both languages, light and dark', async () => {
  const looks = [
    { locale: 'nl-NL', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
    { locale: 'en-GB', colorScheme: 'dark', viewport: PHONE },
  ];
  for (const [at, look] of looks.entries()) {
    await withAccountPage(look, async (page) => {
      await page.route('**/v1/account', (route) => route.fulfill({ json: { data: busyAccount() } }));
      await enter(page, KEY);
      await page.locator('.keys').waitFor();
      assert.equal(await page.locator('.days rect').count(), 31);
      assert.equal(await page.locator('tbody tr').count(), 31 * 5 + 4 + 20);
      assert.equal(await page.locator('.keys .ended').count(), 2);
      assert.equal(await page.locator('#overview').getByText(/undefined|NaN|null/).count(), 0);
      await isAccessible(page, `look ${at}`);
      await assertFitsWidth(page);
      await picture(page, `account-${at}`);
      await page.evaluate(() => { document.documentElement.style.fontSize = '200%'; });
      await assertFitsWidth(page);
    });
  }
});

test('the whole page works by keyboard, and speaks the language that is chosen', async () => {
  await withAccountPage({ locale: 'de-DE' }, async (page) => {
    assert.equal(await page.title(), 'postduif: your account');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'account');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'key');
    await page.route('**/v1/account', (route) => route.fulfill({ json: { data: busyAccount() } }));
    await page.keyboard.type(KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This month’s usage' }).waitFor();
    await page.getByRole('button', { name: 'NL, Nederlands' }).click();
    await page.getByRole('heading', { name: 'Gebruik van deze maand' }).waitFor();
    await page.getByText('54.321 van 50.000 gebruikt').waitFor();
    assert.equal(await page.title(), 'postduif: je account');
    const { nl, en } = await page.evaluate(async () => (await import('./account-texts.js')).ACCOUNT_TEXTS);
    assert.deepEqual(Object.keys(nl), Object.keys(en));
    for (const key of Object.keys(nl)) assert.equal(Array.isArray(nl[key]), Array.isArray(en[key]), key);
    const sources = await Promise.all(['account.html', 'account.js', 'account-view.js'].map(async (name) => (await fetch(`${ORIGIN}/${name.replace('.html', '')}`)).text()));
    const source = sources.join('\n');
    // Names of texts that the code composes.
    const built = /^(reason|refusals)\.|\.title$|^keys\.(live|test)$/;
    assert.deepEqual(Object.keys(nl).filter((key) => !built.test(key) && !source.includes(`'${key}'`) && !source.includes(`"${key}"`)), []);
  });
});

test('without JavaScript the page has a command to copy', async () => {
  await withPage({ javaScriptEnabled: false }, async (page) => {
    await page.goto(`${ORIGIN}/account`);
    assert.equal(await page.locator('noscript pre').innerText(), 'curl -H "X-Api-Key: $KEY" "$HERE/api/v1/account"');
    assert.ok(!(await page.locator('main').isVisible()));
  });
});
