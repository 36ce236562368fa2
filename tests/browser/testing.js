// Declares the tests of a file and runs them. Unlike `node:test`, it runs many files in one process, so that they share a browser, and
// it does not trace asynchronous calls, which takes a tenth of the processor time.
'use strict';

const path = require('node:path');
const { format } = require('node:util');

/** The limit of each test, so that no test hangs. */
const TIMEOUT_MS = 600_000;

/** The tests of the file that is loaded, in groups that run one after the other, and what runs after them. */
let declared;

/** Declares a test. `run` gets `t`, whose `after` declares what runs after this test. */
function test(name, run) {
  declared.groups.push({ limit: 1, tests: [{ name, run }] });
}

/** Declares tests of which as many as `limit` run at a time: `[[name, run], …]`. */
function testTogether(limit, tests) {
  declared.groups.push({ limit, tests: tests.map(([name, run]) => ({ name, run })) });
}

/** Declares what runs after all tests of the file. */
function after(run) {
  declared.afters.push(run);
}

/** Runs a test and what it declared for its end. */
async function runTest(run) {
  const afters = [];
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the test takes longer than ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    await Promise.race([run({ after: (work) => afters.push(work) }), timeout]);
  } finally {
    clearTimeout(timer);
    for (const work of afters) await work();
  }
}

/** Runs tests, as many as `limit` at a time. `fail` gets the name and the error of each one that fails. */
async function runGroup({ limit, tests }, fail) {
  const waiting = [...tests];
  const runWaiting = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { name, run } = next;
      const began = Date.now();
      await runTest(run).then(() => console.log(`✔ ${name} (${Date.now() - began} ms)`), (error) => fail(name, error));
    }
  };
  await Promise.all(Array.from({ length: limit }, runWaiting));
}

/** Loads a file, and again the modules that it shares with others, because they read the environment when they are loaded. */
function load(file) {
  const isKept = (name) => name === __filename || name.endsWith(`${path.sep}browser.js`) || !name.startsWith(__dirname + path.sep);
  for (const name of Object.keys(require.cache)) if (!isKept(name)) delete require.cache[name];
  require(file);
}

/** Runs the tests of a file. Returns whether all passed, and the lines that they wrote. */
async function runFile(file) {
  const lines = [];
  const failed = [];
  const { log } = console;
  const fail = (name, error) => {
    lines.push(`✖ ${name}`);
    failed.push(`✖ ${name}\n${error?.stack ?? error}`);
  };
  const failOutside = (error) => fail('outside of the tests', error);
  declared = { groups: [], afters: [] };
  console.log = (...values) => lines.push(format(...values));
  process.on('uncaughtException', failOutside);
  try {
    load(file);
    for (const group of declared.groups) await runGroup(group, fail);
    for (const work of declared.afters) await work();
    if (!declared.groups.length) throw new Error(`${file} has no tests`);
  } catch (error) {
    failOutside(error);
  } finally {
    process.off('uncaughtException', failOutside);
    console.log = log;
  }
  return { passed: !failed.length, output: [...lines, ...failed].join('\n') };
}

module.exports = { test, testTogether, after, runFile };
