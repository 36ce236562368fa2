// The public live key in a browser: pages of the service may use it, directly and below a prefix of a proxy; others may not.
'use strict';

const assert = require('node:assert/strict');
const http = require('node:http');
const { test, after } = require('node:test');
const { LIVE, withPage, serve, closeBrowser } = require('./harness.js');

const PREFIX = '/adres';
const FOUND = [200, 'Schapenhoek'];

after(closeBrowser);

/** A proxy that serves the service below the prefix, under another `Host`. */
function proxy() {
  return serve((request, response) => {
    const [hostname, port] = LIVE.split(':');
    const path = request.url.slice(PREFIX.length);
    const headers = { ...request.headers, host: 'backend' };
    const forwarded = http.request({ hostname, port, path, method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
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

test('a page of another origin gets no answer', async (t) => {
  const shop = await serve('<!doctype html><title>shop</title>');
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
