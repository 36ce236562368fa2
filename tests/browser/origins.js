// Which pages may use a key: those that the key lists and, with the public live key, those of the service, also behind a proxy.
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const { LIVE, withPage, serve, createKey } = require('./harness.js');
const { test } = require('./testing.js');

const PREFIX = '/adres';
const FOUND = [200, 'Schapenhoek'];
const SHOP = '<!doctype html><title>shop</title>';

/** Forwards a request to the service, for this path and with this `Host`. */
function forward(request, response, path, host) {
  const [hostname, port] = LIVE.split(':');
  const { method, headers } = request;
  const forwarded = http.request({ hostname, port, path, method, headers: { ...headers, host } }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  request.pipe(forwarded);
}

/** A proxy that serves the service below the prefix, under another `Host`. */
const proxy = () => serve((request, response) => forward(request, response, request.url.slice(PREFIX.length), 'backend'));

/** A site with a page of its own, which serves the service's paths under the same `Host`. */
const siteWithService = () => serve((request, response) => {
  if (request.url.startsWith('/v1/')) return forward(request, response, request.url, request.headers.host);
  return response.writeHead(200, { 'Content-Type': 'text/html' }).end(SHOP);
});

/** What a script reads of the answers to a search, a malformed search and a validation. */
function callAll(page, base, key) {
  return page.evaluate(async ([service, apiKey]) => {
    const call = async (path, body) => {
      const headers = { 'X-Api-Key': apiKey, ...(body && { 'Content-Type': 'application/json' }) };
      try {
        const response = await fetch(service + path, { method: body ? 'POST' : 'GET', headers, body });
        const names = ['X-Quota-Remaining', 'X-RateLimit-Limit', 'X-Request-Id', 'Retry-After', 'Vary'];
        const [quota, rate, id, waits, hidden] = names.map((name) => response.headers.get(name));
        return { status: response.status, body: await response.json(), quota: Number(quota), rate, id, waits, hidden };
      } catch (error) {
        return { failed: error.name };
      }
    };
    const entered = JSON.stringify({ postcode: '3931BJ', number: 69 });
    return [await call('/v1/autocomplete?q=dorp'), await call('/v1/autocomplete?q=x'), await call('/v1/validate', entered)];
  }, [base, key]);
}

/** Checks that a script has read every answer, and its headers except those that the service does not expose. */
function assertReadsAll(answers) {
  const [suggestions, malformed, validation] = answers;
  assert.deepEqual(answers.map(({ status }) => status), [200, 400, 200]);
  assert.equal(suggestions.body.meta.query, 'dorp');
  assert.notEqual(suggestions.body.meta.count, 0);
  assert.deepEqual([malformed.body.error.code, validation.body.data.valid], ['invalid_query', true]);
  // Each request is charged, even the malformed one. Preflights are not charged.
  assert.deepEqual(answers.map(({ quota }) => suggestions.quota - quota), [0, 1, 2]);
  for (const { rate, id, waits } of answers) {
    assert.deepEqual([rate, waits], ['1000', null]);
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  }
}

/** The status and the town that a GET and a POST return with the key from the page's `meta` tag. */
function callWithPageKey(page) {
  return page.evaluate(async () => {
    const key = document.querySelector('meta[name=public-live-key]').content;
    const ask = async (path, body) => {
      const headers = { 'X-Api-Key': key, ...(body && { 'Content-Type': 'application/json' }) };
      const response = await fetch(new URL(`api${path}`, document.baseURI), { method: body ? 'POST' : 'GET', headers, body });
      const { data } = await response.json();
      return [response.status, (data[0] ?? data.address).city];
    };
    const entered = JSON.stringify({ postcode: '3931BJ', number: 69 });
    return [await ask('/v1/addresses?postcode=3931BJ&number=69'), await ask('/v1/validate', entered)];
  });
}

test('the page of the service looks up and validates with the key', async () => {
  await withPage({}, async (page) => {
    await page.goto(`http://${LIVE}/`);
    assert.deepEqual(await callWithPageKey(page), [FOUND, FOUND]);
  });
});

test('the page looks up and validates below a prefix too, behind a proxy that changes the host', async (t) => {
  const site = await proxy();
  t.after(site.close);
  await withPage({}, async (page) => {
    await page.goto(`${site.origin}${PREFIX}/`);
    assert.deepEqual(await callWithPageKey(page), [FOUND, FOUND]);
  });
});

test('a page of another origin gets no answer with the public live key', async (t) => {
  const shop = await serve(SHOP);
  t.after(shop.close);
  await withPage({ expected: /CORS|ERR_FAILED/ }, async (page) => {
    await page.goto(`http://${LIVE}/`);
    const key = await page.locator('meta[name=public-live-key]').getAttribute('content');
    await page.goto(`${shop.origin}/`);
    const outcome = await page.evaluate(async ([url, key]) => {
      const asked = fetch(url, { headers: { 'X-Api-Key': key } });
      return asked.then(() => 'an answer', (error) => error.name);
    }, [`http://${LIVE}/v1/postcodes/3931AA`, key]);
    assert.equal(outcome, 'TypeError');
  });
});

test('only a page whose origin the key lists reads answers and headers', async (t) => {
  const [listed, other] = [await serve(SHOP), await serve(SHOP)];
  t.after(() => Promise.all([listed.close(), other.close()]));
  const key = await createKey(listed.origin);
  const open = (origin, use) => withPage({ expected: /CORS|Failed to load/ }, async (page) => {
    await page.goto(origin);
    use(await callAll(page, `http://${LIVE}`, key));
  });
  await open(listed.origin, (answers) => {
    assertReadsAll(answers);
    assert.deepEqual(answers.map(({ hidden }) => hidden), [null, null, null], 'a header that is not exposed');
  });
  await open(other.origin, (answers) => assert.deepEqual(answers, Array(3).fill({ failed: 'TypeError' })));
});

test('a page of a listed origin needs no Origin header if it is on the site of the service', async (t) => {
  const [listed, other] = [await siteWithService(), await siteWithService()];
  t.after(() => Promise.all([listed.close(), other.close()]));
  const key = await createKey(listed.origin);
  const open = (origin, use) => withPage({ expected: /Failed to load/ }, async (page) => {
    await page.goto(origin);
    use(await callAll(page, '', key));
  });
  await open(listed.origin, assertReadsAll);
  await open(other.origin, ([suggestions, malformed]) => {
    for (const { status, body } of [suggestions, malformed]) assert.deepEqual([status, body.error.code], [401, 'invalid_api_key']);
  });
});
