// Runs files of browser tests, one after the other in one browser. Each line of standard input is a request in JSON: the file and its
// environment, as harness.js describes it. Standard output has a line for each: whether all tests passed, and their output.
'use strict';

const path = require('node:path');
const { createInterface } = require('node:readline');
const { closeBrowser } = require('./browser.js');
const { runFile } = require('./testing.js');

async function main() {
  for await (const line of createInterface({ input: process.stdin })) {
    const { file, environment } = JSON.parse(line);
    Object.assign(process.env, environment);
    const report = await runFile(path.join(__dirname, file));
    process.stdout.write(`${JSON.stringify(report)}\n`);
  }
  await closeBrowser();
}

main();
