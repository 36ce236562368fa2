// Stories of people at a checkout, in every mode where they make sense. After every step the hidden id, the property, the
// last event and the visible fields name the same address, or there is no id. The shop receives this address.
//
// By default each story runs in one of its modes, each mode in at least four stories. Another POSTDUIF_TEST_SEED chooses another mode
// of each story, POSTDUIF_TEST_TRIES=2 runs all.
'use strict';

const assert = require('node:assert/strict');
const { KEY, stopClock } = require('../harness.js');
const { test, testTogether, after } = require('../testing.js');
const { MODES, withCheckout, orderLine } = require('./checkout.js');

const FIELDS = MODES.filter((mode) => mode !== 'search');
const NOISE = /Failed to load resource|blocked by CORS policy/;

/** Orders, as `orderLine` writes them: id, postcode, number, addition, street, city. */
const expectedOrder = (number, id) => `${id ? `03512000000${id}` : '–'}|3931AX|${number}|Dorpsstraat|Schapenhoek`;
const [SIXTY, SIXTY_TWO, BIS] = [expectedOrder('60|', 24185), expectedOrder('62|', 24191), expectedOrder('64|bis', 24199)];

/** Enters an address in Dorpsstraat, by search or by postcode and number, and waits until it is confirmed. */
async function enter(c, number, name) {
  if (c.mode === 'search') {
    await c.search(`dorpsstraat ${number}`, name);
    await c.waitForAnswer(`dorpsstraat ${number}`);
    await c.choose(`Dorpsstraat ${number}`, name);
  } else {
    await c.type('postcode', '3931AX', name);
    await c.type('number', number, name);
  }
  await c.waitForState('confirmed', name);
}

/** Enters these values by hand. */
async function byHand(c, values) {
  const manual = c.part('manual').and(c.page.locator('button'));
  if (c.mode === 'postcode') await c.step('enters by hand', () => manual.click());
  for (const kind in values) await c.type(kind, values[kind]);
}

/** Holds back the answers to requests that match the pattern, until the returned function is called. */
async function hold(c, pattern) {
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await c.page.route(pattern, async (route) => {
    await held;
    await route.continue().catch(() => {});
  });
  return release;
}

/** The search fails because the service is absent, and the person enters the whole address by hand. */
async function withoutService(c) {
  if (c.mode === 'search') await c.search('dorpsstraat 62');
  else {
    await c.type('postcode', '3931AX');
    await c.type('number', '62');
  }
  await c.waitForState('manual');
  if (c.mode === 'search') await byHand(c, { postcode: '3931AX', number: '62' });
  await byHand(c, { street: 'Dorpsstraat', city: 'Schapenhoek' });
}

/** Fills in all fields at once, in another order and with events, as a browser does. */
const autofill = (c, values) => c.step('the browser fills the fields', async () => {
  for (const kind of Object.keys(values).reverse()) {
    await c.field(kind).evaluate((field, value) => {
      field.value = value;
      for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
    }, values[kind]);
  }
});

/**
 * The stories. `run` does the steps, in each mode of `modes`, by default in all. `submits` is the order that the form then submits,
 * for all modes or by mode. `setup` and `options` are those of `withCheckout`.
 */
const STORIES = [
  {
    name: 'chooses the addition from the list',
    async run(c) {
      if (c.mode === 'search') return enter(c, '64 bis');
      await c.type('postcode', '3931AX');
      await c.type('number', '64');
      await c.waitForState('choose');
      await c.step('opens the list', () => c.combobox().focus());
      return c.choose(/^\s*bis\s*$/);
    },
    submits: BIS,
  },
  {
    name: 'changes the number and orders at once',
    options: { fakeClock: true },
    async run(c) {
      await enter(c, '62');
      // On a busy machine, the widget would send a request between the two digits.
      await stopClock(c.page);
      await c.type('number', '60');
    },
    submits: expectedOrder('60|'),
  },
  {
    name: 'changes the number and changes it back',
    async run(c) {
      await enter(c, '62');
      await c.type('number', '60');
      await c.waitForState('confirmed');
      await c.type('number', '62');
      await c.waitForState('confirmed');
    },
    submits: SIXTY_TWO,
  },
  {
    name: 'orders, goes back and orders again',
    async run(c) {
      await enter(c, '62');
      await c.submit();
      await c.step('goes back', async () => {
        await c.page.goBack();
        await c.page.waitForFunction(() => document.querySelector('postduif-address')?.dataset.state);
      });
      await c.waitForState('confirmed');
    },
    submits: SIXTY_TWO,
  },
  {
    name: 'pastes',
    async run(c) {
      const paste = (field, text) => c.step(`pastes ${text}`, () => field.evaluate((input, pasted) => {
        input.focus();
        const clipboardData = new DataTransfer();
        clipboardData.setData('text', pasted);
        const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, composed: true, cancelable: true });
        if (input.dispatchEvent(event)) document.execCommand('insertText', false, pasted);
      }, text));
      if (c.mode === 'search') {
        await paste(c.combobox(), 'Aan de bewoners van\nDorpsstraat 62\n3931 AX Schapenhoek\nNederland\n');
        await c.choose('Dorpsstraat 62');
      } else {
        await paste(c.field('postcode'), '3931 ax ');
        await paste(c.field('number'), ' 64-bis');
      }
      await c.waitForState('confirmed');
    },
    submits: { search: SIXTY_TWO, other: '0351200000024199|3931 ax | 64-bis||Dorpsstraat|Schapenhoek' },
  },
  {
    name: 'finds the address filled in',
    setup: { groups: [{ values: { postcode: '3931AX', number: '62', street: 'Dorpsstraat', city: 'Schapenhoek' } }] },
    run: (c) => c.waitForState('confirmed'),
    submits: SIXTY_TWO,
  },
  {
    name: 'finds an address filled in that is wrong',
    modes: ['attach', 'form'],
    setup: { groups: [{ values: { postcode: '3931AX', number: '62', street: 'Schoolstraat', city: 'Schapenhoek' } }] },
    run: (c) => c.waitForMessage('Deze straat hoort niet bij deze postcode.'),
    submits: '–|3931AX|62||Schoolstraat|Schapenhoek',
  },
  {
    name: 'lets the browser fill in the fields',
    async run(c) {
      // In mode `search`, the browser overwrites a chosen address.
      if (c.mode === 'search') await enter(c, '62');
      const drawn = c.mode === 'postcode' ? {} : { street: 'Dorpsstraat', city: 'Schapenhoek' };
      await autofill(c, { postcode: '3931AX', number: '60', ...drawn });
      await c.waitForState('confirmed');
    },
    submits: SIXTY,
  },
  {
    name: 'is offline',
    options: { expected: NOISE },
    async run(c) {
      await c.page.route(/\/api\/v1\//, (route) => route.abort('internetdisconnected'));
      await withoutService(c);
    },
    submits: expectedOrder('62|'),
  },
  {
    name: 'changes the address while the answer is slow',
    async run(c) {
      const release = await hold(c, /number=60|addresses\/0351200000024185/);
      if (c.mode === 'search') {
        await c.search('dorpsstraat 60');
        await c.choose('Dorpsstraat 60');
      } else {
        await c.type('postcode', '3931AX');
        const asked = c.page.waitForRequest(/number=60/);
        await c.type('number', '60');
        await asked;
      }
      await enter(c, '62');
      await c.step('the late answer arrives', release);
    },
    submits: SIXTY_TWO,
  },
  {
    name: 'meets a shop with a wrong key',
    setup: { key: `${KEY.slice(0, -1)}${KEY.endsWith('0') ? 1 : 0}` },
    options: { expected: NOISE },
    run: withoutService,
    submits: expectedOrder('62|'),
  },
  {
    name: 'has another address for the invoice',
    modes: ['search', 'postcode', 'attach'],
    setup: { groups: [{ name: '', legend: 'Bezorgen' }, { name: 'billing_', legend: 'Factuur' }] },
    async run(c) {
      await enter(c, '62');
      await enter(c, '60', 'billing_');
      await c.type('number', '66');
      await c.waitForState('confirmed');
      await c.type('number', '62');
      await c.waitForState('confirmed');
    },
    submits: SIXTY_TWO,
    billing: SIXTY,
  },
  {
    name: 'moves the order to Belgium',
    async run(c) {
      await enter(c, '62');
      await c.step('chooses Belgium', () => c.field('country').selectOption('BE'));
      await c.waitForState('off');
      for (const [kind, text] of Object.entries({ postcode: '1000', number: '1', street: 'Grote Markt', city: 'Brussel' })) await c.type(kind, text);
    },
    submits: '–|1000|1||Grote Markt|Brussel',
  },
  {
    name: 'takes the address that was meant',
    async run(c) {
      if (c.mode === 'search') await enter(c, '62');
      else await c.type('postcode', '3931AX');
      await c.type('number', '61');
      await c.part('proposal').waitFor();
      assert.match(await c.part('proposal').innerText(), /^Bedoel je Dorpsstraat 6[02], 3931 AX Schapenhoek\?$/);
      await c.step('takes it', () => c.part('proposal').click());
      await c.waitForState('confirmed');
    },
    submits: SIXTY,
  },
  {
    name: 'has an addition that is not known',
    async run(c) {
      if (c.mode === 'search') await enter(c, '62');
      else await c.type('postcode', '3931AX');
      await c.type('number', '62x');
      await c.waitForMessage('Toevoeging x is niet bekend bij nummer 62.');
    },
    submits: expectedOrder('62x|'),
  },
  {
    name: 'corrects the street afterwards',
    async run(c) {
      await enter(c, '62');
      await byHand(c, { street: 'Schoolstraat' });
      await c.waitForMessage('Deze straat hoort niet bij deze postcode.');
    },
    submits: '–|3931AX|62||Schoolstraat|Schapenhoek',
  },
  {
    name: 'empties the form',
    async run(c) {
      await enter(c, '62');
      await c.step('resets the form', () => c.page.evaluate(() => document.forms[0].reset()));
      await c.waitForState('empty');
    },
    submits: '–|||||',
  },
  {
    name: 'enters the address by hand after all',
    modes: ['search', 'postcode'],
    async run(c) {
      await enter(c, '62');
      await c.step('enters by hand', () => c.part('manual').and(c.page.locator('button')).click());
      await c.waitForState('manual');
    },
    submits: expectedOrder('62|'),
  },
  {
    name: 'empties the addition of a number that needs one',
    modes: FIELDS,
    async run(c) {
      await c.type('postcode', '3931AL');
      await c.type('number', '27');
      await c.waitForState('confirmed');
      await c.step('empties the addition', () => c.field('addition').fill(''));
      await c.part('proposal').waitFor();
    },
    submits: '–|3931AL|27||Eerste Oosterkade|Schapenhoek',
  },
  {
    // The script fires no event, so the widget notices the change only when the form is sent.
    name: 'has a script that changes a field without an event',
    modes: ['search', 'attach', 'form'],
    isSilent: true,
    async run(c) {
      await enter(c, '62');
      await c.field('country').focus();
      await c.field('number').evaluate((field) => { field.value = '60'; });
    },
    submits: expectedOrder('60|'),
  },
];

const { POSTDUIF_TEST_SEED: SEED = 1, POSTDUIF_TEST_TRIES: TRIES = 1 } = process.env;
/** The modes of a story that run. */
const chosen = (modes, storyIndex) => (Number(TRIES) > 1 ? modes : [modes[(storyIndex + Number(SEED)) % modes.length]]);

/** The orders that each story submitted, each with its modes. */
const submitted = new Map(STORIES.map(({ name }) => [name, new Map()]));

// A story mostly waits, so several stories run at a time.
testTogether(4, STORIES.flatMap(({ name, modes = MODES, setup, options, run, submits, billing, isSilent }, storyIndex) =>
  chosen(modes, storyIndex).map((mode) => [`${mode}: ${name}`, () => withCheckout(mode, setup, options ?? {}, async (c) => {
    await run(c);
    const order = await c.submit(isSilent);
    const lines = [orderLine(order, mode), ...billing ? [orderLine(order, mode, 'billing_')] : []];
    assert.deepEqual(lines, [typeof submits === 'string' ? submits : submits[mode] ?? submits.other, ...billing ? [billing] : []]);
    const text = lines.map((each) => each.split('|').map((value) => value.trim()).filter(Boolean).join(' · ')).join(' and ');
    const known = submitted.get(name);
    known.set(text, [...known.get(text) ?? [], mode]);
  })])));

test('there are 20 stories', () => {
  assert.equal(STORIES.length, 20);
  assert.equal(new Set(FIELDS).size, 3);
});

after(async () => {
  for (const [name, orders] of submitted) {
    for (const [text, modes] of orders) console.log(`page: | ${name} | ${MODES.filter((mode) => modes.includes(mode)).join(', ')} | ${text} |`);
  }
});
