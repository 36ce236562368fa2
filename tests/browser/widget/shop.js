// A shop's page with the widget, on its own origin, and helpers for its tests.
'use strict';

const { LIVE, KEY, withPage, serve } = require('../harness.js');

const FIELDS = `
  <p><label>Straat en huisnummer <input autocomplete="address-line1"></label>
  <p><label>Postcode <input autocomplete="postal-code"></label>
  <p><label>Plaats <input autocomplete="address-level2"></label>
  <p><button>Bestellen</button>`;
const LOOKS = `html { background: Canvas } body { font: 16px/1.5 system-ui, sans-serif; margin: 1rem auto; padding: 0 1rem; max-width: 34rem }
  p label { display: block } p input, p select { font: inherit; width: 100%; padding: .5rem; box-sizing: border-box }`;

const widget = (attributes = '', key = KEY) => `<postduif-address api-key="${key}" ${attributes}></postduif-address>`;

/** A page whose form has this content. */
function shopPage(form = widget() + FIELDS, { head = `<style>${LOOKS}</style>`, service = LIVE, lang = 'nl' } = {}) {
  return `<!doctype html><html lang="${lang}"><head><meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark"><title>Bestellen</title>${head}
    <script src="http://${service}/widget.js" defer></script></head>
    <body><main><h1>Bezorgadres</h1><form>${form}</form></main></body></html>`;
}

/** Keeps the events that the widget sends to the page. */
function listen() {
  globalThis.events = [];
  // Resolves when the widget has handled the answer to the request for this text.
  globalThis.answered = async (text) => {
    const query = text.replace(/\s+/g, ' ').trim();
    while (!globalThis.events.some(({ name, detail }) => name === 'answer' && detail.body?.meta?.query === query)) {
      await new Promise((resolve) => addEventListener('postduif-answer', resolve, { once: true }));
    }
  };
  for (const name of ['select', 'clear', 'manual', 'error', 'answer']) {
    addEventListener(`postduif-${name}`, ({ detail }) => globalThis.events.push({ name, detail: structuredClone(detail) }));
  }
}

/** Opens a shop's page and passes it to `use`. `content` is the HTML, or a handler of requests. */
async function withShop(content, options, use) {
  const { origin, close } = await serve(content);
  try {
    await withPage({ ...options, initScript: listen }, async (page) => {
      await page.goto(origin);
      await use(page, handle(page));
    });
  } finally {
    await close();
  }
}

/** Holds the requests to these URLs. Returns a function that releases them. */
async function holdRequests(page, url) {
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route(url, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** The parts of the widget with this selector, and its requests to the service. */
function handle(page, selector = 'postduif-address') {
  const asked = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (request.method() === 'GET' && url.pathname.startsWith('/api/v1/')) {
      asked.push(url.searchParams.get('q') ?? url.pathname.split('/').at(-1));
    }
  });
  const host = page.locator(selector);
  const options = host.getByRole('option');
  const answered = () => host.evaluate((element) => globalThis.answered(element.value));
  return {
    asked,
    host,
    /** Waits for the answer to the text in the field. */
    answered,
    input: host.getByRole('combobox'),
    list: host.locator('[part=list]'),
    options,
    suggestions: host.locator('[part=option]'),
    active: host.locator('[aria-selected=true]'),
    status: host.locator('[part=status]'),
    manual: host.getByRole('button'),
    /** Types, letter by letter, and waits for the suggestions for the text in the field. */
    async type(text) {
      await host.getByRole('combobox').pressSequentially(text);
      await answered();
      await host.locator('[part=option]').first().waitFor();
    },
    paste(text) {
      return host.getByRole('combobox').evaluate((input, pasted) => {
        input.focus();
        const clipboardData = new DataTransfer();
        clipboardData.setData('text', pasted);
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }, text);
    },
  };
}

/** The widget's events, by name. */
const events = (page, name) => page.evaluate((which) =>
  globalThis.events.filter((event) => event.name === which).map(({ detail }) => detail), name);

/** The values of the page's own fields, in order. */
const values = (page) => page.evaluate(() => Array.from(document.querySelectorAll('input, select, textarea'), ({ value }) => value));

module.exports = { FIELDS, LOOKS, widget, shopPage, withShop, holdRequests, handle, events, values };
