// A shop's checkout with the widget in each of its modes, and the rule that the hidden id, the event and the visible fields name
// the same address.
'use strict';

const assert = require('node:assert/strict');
const { LIVE, KEY, withPage, serve } = require('../harness.js');
const { LOOKS } = require('./shop.js');

/** The modes of the widget, and `form`: mode `attach` with a widget that an attribute of the form adds. */
const MODES = ['search', 'postcode', 'attach', 'form'];
/** Names of the shop's own fields. The name of a group comes before them. */
const NAMES = { postcode: 'postcode', number: 'house_number', addition: 'house_number_addition', street: 'street', city: 'city', country: 'country' };
const LABELS = { postcode: 'Postcode', number: 'Huisnummer', addition: 'Toevoeging', street: 'Straat', city: 'Plaats' };

const element = (mode, group = '', attributes = '', key = KEY) =>
  `<postduif-address mode="${mode}" name="${group}address" api-key="${key}" ${attributes}></postduif-address>`;

/** The shop's fields for an address, with these values. */
function ownFields(group = '', values = {}) {
  const input = (kind) => `<p><label>${LABELS[kind]} <input name="${group}${NAMES[kind]}" value="${values[kind] ?? ''}"></label>`;
  return Object.keys(LABELS).map(input).join('');
}

const country = (group = '') => `<p><label>Land <select name="${group}country"><option value="NL">Nederland<option value="BE">België</select></label>`;
const hiddenId = (group = '') => `<input type="hidden" name="${group}bag_id" data-postduif="id">`;

/** The widget in a mode and the fields around it. A group has its own address, such as that of the invoice. */
function group(mode, { name = '', values = {}, attributes = '', key = KEY } = {}) {
  const prefilled = mode === 'postcode' && values.postcode ? `value="${values.postcode} ${values.number}"` : '';
  const widget = mode === 'form' ? '' : element(mode, name, `${attributes} ${prefilled}`, key);
  const own = mode === 'postcode' ? '' : ownFields(name, values);
  return hiddenId(name) + country(name) + (mode === 'search' ? widget + own : own + widget);
}

/** The HTML of a checkout. `attributes` are those of the widget. */
function checkout(mode, { groups = [{}], attributes = '', key = KEY, lang = 'nl', head = `<style>${LOOKS}</style>` } = {}) {
  const own = mode === 'form' ? `data-postduif-form="${key}" data-postduif-name="address" ${attributes.replace(/[\w-]+(="[^"]*")?/g, 'data-postduif-$&')}` : '';
  const all = groups.map((each) => group(mode, { attributes, key, ...each }));
  const fieldsets = all.map((each, at) => (all[1] ? `<fieldset><legend>${groups[at].legend}</legend>${each}</fieldset>` : each));
  return `<!doctype html><html lang="${lang}"><head><meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark"><title>Bestellen</title>${head}
    <script src="http://${LIVE}/widget.js" defer></script></head>
    <body><main><h1>Bezorgadres</h1><form method="post" action="/order" ${own}>${fieldsets.join('')}<p><button>Bestellen</button></form></main></body></html>`;
}

/** Keeps the id of the last `select` event of each widget. A `clear` event empties it. */
function listen() {
  globalThis.chosen = new Map();
  for (const name of ['select', 'clear']) {
    addEventListener(`postduif-${name}`, ({ target, detail }) => globalThis.chosen.set(target, detail?.address?.id ?? ''));
  }
}

/** The address of each widget, according to its property, its events, the data of its form and the visible fields. */
function read(names) {
  return Array.from(document.querySelectorAll('postduif-address'), (host) => {
    const data = new FormData(host.form);
    const name = host.getAttribute('name');
    const prefix = name.replace('address', '');
    const isDrawn = host.getAttribute('mode') === 'postcode';
    const value = (kind) => data.get(isDrawn ? `${name}_${kind}` : prefix + names[kind]);
    return {
      id: data.get(name), hidden: data.get(`${prefix}bag_id`), address: host.address, event: globalThis.chosen.get(host) ?? '',
      text: data.get(`${name}_text`), state: host.dataset.state,
      fields: { postcode: value('postcode'), number: value('number'), addition: value('addition'), street: value('street'), city: value('city') },
    };
  });
}

const lettersAndDigits = (...texts) => texts.join('').replace(/[\W_]/g, '').toLowerCase();

/** Checks that id, property, event and visible fields name the same address, or that there is no id. */
function assertSameAddress({ id, hidden, address, event, text, fields }, when) {
  assert.deepEqual({ hidden, property: address?.id ?? '', event }, { hidden: id, property: id, event: id }, `${when}: ids`);
  if (!id) return;
  const { postcode, number, letter, addition, street, city } = address;
  assert.deepEqual([lettersAndDigits(fields.postcode), lettersAndDigits(fields.number, fields.addition), fields.street, fields.city],
    [lettersAndDigits(postcode), lettersAndDigits(number, letter, addition), street, city], `${when}: fields`);
  if (text !== null) assert.ok(text.startsWith(`${street} ${number}`) && text.includes(city), `${when}: ${text} is not ${id}`);
}

/** Acts as a person at a checkout, and checks the page after every step. */
class Checkout {
  constructor(page, mode, orders) {
    Object.assign(this, { page, mode, orders, steps: 0, searches: new Set() });
    page.on('requestfinished', (request) => this.searches.add(new URL(request.url()).searchParams.get('q')));
  }

  host(name = '') {
    return this.page.locator(`postduif-address[name=${name}address]`);
  }

  part(part, name) {
    return this.host(name).locator(`[part~=${part}]`);
  }

  /** The search field in mode `search`, the field of the addition in the other modes. */
  combobox(name) {
    return this.host(name).getByRole('combobox', { includeHidden: true });
  }

  field(kind, name = '') {
    if (this.mode !== 'postcode' || kind === 'country') return this.page.locator(`[name=${name}${NAMES[kind]}]`);
    return kind === 'addition' ? this.combobox(name) : this.host(name).locator(`#${kind}`);
  }

  /** Checks all widgets with `assertSameAddress`. Returns what `read` returns for the first one. */
  async check(when = `step ${this.steps}`) {
    const widgets = await this.page.evaluate(read, NAMES);
    for (const widget of widgets) assertSameAddress(widget, when);
    return widgets[0];
  }

  async step(name, work) {
    this.steps += 1;
    await work();
    await this.check(`step ${this.steps}, ${name}`);
  }

  /** Replaces the content of a field, letter by letter. */
  async type(kind, text, name) {
    const field = this.field(kind, name);
    await this.step(`selected ${kind}`, () => field.selectText());
    for (const letter of text) await this.step(`typed ${text} into ${kind}`, () => this.page.keyboard.press(letter));
  }

  /** Types into the field of mode `search`. */
  async search(text, name) {
    await this.step('emptied the search', () => this.combobox(name).fill(''));
    for (const letter of text) await this.step(`typed ${text}`, () => this.page.keyboard.press(letter));
  }

  /**
   * Waits until the answer to this search has arrived. It replaces the list of an earlier answer, and a click in that moment is lost,
   * because the option under the pointer is gone.
   */
  async waitForAnswer(text) {
    const isAnswer = (request) => new URL(request.url()).searchParams.get('q') === text;
    if (!this.searches.has(text)) await this.page.waitForEvent('requestfinished', isAnswer);
    await this.waitForTasks();
  }

  /** Lets the page run two more tasks, so that the widget has shown an answer that has arrived. */
  async waitForTasks() {
    const task = () => new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(0);
    });
    for (let tasks = 0; tasks < 2; tasks += 1) await this.page.evaluate(task);
  }

  /** Chooses the first option that contains this text or matches this pattern. */
  async choose(text, name) {
    const options = this.host(name).getByRole('option').filter({ hasText: text });
    await options.first().waitFor();
    await this.step(`chose ${text}`, () => options.first().click());
  }

  async waitForState(state, name) {
    await this.step(`waits for ${state}`, () => this.host(name).and(this.page.locator(`[data-state=${state}]`)).waitFor({ state: 'attached' }));
  }

  async waitForMessage(text, name) {
    await this.step(`waits for “${text}”`, () => this.part('status', name).getByText(text).waitFor());
  }

  /** Sends the form, and returns what the shop received. */
  async submit(isUnchecked = false) {
    if (!isUnchecked) await this.check('before the form is sent');
    const before = this.orders.length;
    await this.page.getByRole('button', { name: 'Bestellen' }).click();
    await this.page.getByText('Bedankt').waitFor();
    assert.equal(this.orders.length, before + 1);
    return this.orders.at(-1);
  }
}

/** An order in one line: id, postcode, number, addition, street, city. */
function orderLine(order, mode, name = '') {
  const kinds = Object.keys(LABELS);
  const keys = kinds.map((kind) => (mode === 'postcode' ? `${name}address_${kind}` : name + NAMES[kind]));
  assert.equal(order.get(`${name}bag_id`), order.get(`${name}address`), 'the hidden field and the widget have the same id');
  return [order.get(`${name}address`) || '–', ...keys.map((key) => order.get(key))].join('|');
}

/** Opens a checkout and passes it to `use`. `options` are those of `withPage`. */
async function withCheckout(mode, setup, options, use) {
  const orders = [];
  const html = checkout(mode, setup);
  const { origin, close } = await serve(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    if (request.method !== 'POST') return response.end(html);
    orders.push(new URLSearchParams(Buffer.concat(pieces).toString()));
    return response.end('<!doctype html><html lang="nl"><title>Bedankt</title><h1>Bedankt</h1>');
  });
  try {
    await withPage({ ...options, initScript: listen }, async (page) => {
      await page.goto(origin);
      await page.waitForFunction(() => document.querySelector('postduif-address')?.dataset.state);
      await use(new Checkout(page, mode, orders));
    });
  } finally {
    await close();
  }
}

module.exports = { MODES, NAMES, element, ownFields, country, hiddenId, checkout, withCheckout, orderLine };
