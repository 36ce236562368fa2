// The browser, which all files of a process share.
'use strict';

const { chromium } = require('playwright-core');

let running;

/** It runs without its sandbox, which refuses root; it opens only the tests' pages. */
function browser() {
  running ??= chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--no-proxy-server',
      // A test opens a page for a second: optimizing its scripts takes longer than they run.
      '--js-flags=--no-opt,--no-maglev'],
  });
  return running;
}

async function closeBrowser() {
  await (await running)?.close();
}

module.exports = { browser, closeBrowser };
