// Rules for every page of the service.
'use strict';

const assert = require('node:assert/strict');
const { LIVE, withPage, isAccessibleInBothSchemes } = require('./harness.js');
const { test } = require('./testing.js');

const PAGES = ['/', '/docs', '/account'];

for (const path of PAGES) {
  test(`${path} loads only from its service, and is accessible in light and dark`, async () => {
    await withPage({}, async (page) => {
      const asked = [];
      page.on('request', (request) => asked.push(new URL(request.url()).host));
      await page.goto(`http://${LIVE}${path}`);
      await isAccessibleInBothSchemes(page, path);
      assert.deepEqual(asked.filter((host) => host !== LIVE), []);
    });
  });
}
