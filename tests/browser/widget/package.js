// The npm package as `npm pack` makes it: its files and its types, and its use in a page without a bundler and in Preact.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { LIVE, KEY, withPage, serve } = require('../harness.js');
const { test, after } = require('../testing.js');
const { LOOKS } = require('./shop.js');

const SOURCES = path.join(__dirname, '../../../src/http/web/widget');
const NODE_MODULES = path.dirname(path.dirname(require.resolve('preact/package.json')));
/** A project that has installed the package. */
const PROJECT = mkdtempSync(path.join(os.tmpdir(), 'postduif-package-'));
const INSTALLED = path.join(PROJECT, 'node_modules/postduif-address');

/** Packs the package, and unpacks it as `npm install` does. */
function install() {
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', SOURCES, '--json', '--pack-destination', PROJECT], { encoding: 'utf8', stdio: 'pipe' }));
  mkdirSync(INSTALLED, { recursive: true });
  execFileSync('tar', ['-xzf', path.join(PROJECT, filename), '--strip-components=1', '-C', INSTALLED]);
  symlinkSync(path.join(NODE_MODULES, 'preact'), path.join(PROJECT, 'node_modules/preact'));
}

install();
after(() => rmSync(PROJECT, { recursive: true }));

/** Serves a page, and the files of the installed packages below the names of the packages. */
const project = (html) => serve((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pathname === '/') return response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html);
  const type = /\.m?js$/.test(pathname) ? 'text/javascript' : 'text/plain';
  return response.writeHead(200, { 'Content-Type': type }).end(readFileSync(path.join(PROJECT, 'node_modules', path.normalize(pathname))));
});

const page = (script, body) => `<!doctype html><html lang="nl"><head><meta name="viewport" content="width=device-width"><title>Bestellen</title>
  <link rel="icon" href="data:,"><style>${LOOKS}</style>
  <script type="importmap">{ "imports": { "postduif-address": "/postduif-address/index.js",
    "preact": "/preact/dist/preact.mjs", "preact/hooks": "/preact/hooks/dist/hooks.mjs" } }</script>
  <script type="module">${script}</script></head><body><main><h1>Bezorgadres</h1>${body}</main></body></html>`;

/** Opens the page of a project and passes it to `use`. */
async function withProject(html, use) {
  const { origin, close } = await project(html);
  try {
    await withPage({}, async (opened) => {
      await opened.goto(origin);
      await use(opened);
    });
  } finally {
    await close();
  }
}

test('the package has the modules, types, a description, and nothing else', () => {
  const modules = readdirSync(SOURCES).filter((name) => name.endsWith('.js'));
  assert.deepEqual(readdirSync(INSTALLED).sort(), [...modules, 'README.md', 'index.d.ts', 'package.json'].sort());
  const { version, dependencies, exports: { '.': entry } } = JSON.parse(readFileSync(path.join(INSTALLED, 'package.json'), 'utf8'));
  assert.equal(dependencies, undefined);
  for (const file of Object.values(entry)) assert.ok(readFileSync(path.join(INSTALLED, file), 'utf8').length > 0, file);
  assert.ok(readFileSync(path.join(INSTALLED, 'index.js'), 'utf8').includes(`version = '${version}'`), 'the element has the same version');
});

test('its types accept correct code and reject mistakes', () => {
  cpSync(path.join(__dirname, 'package.tsx'), path.join(PROJECT, 'package.tsx'));
  writeFileSync(path.join(PROJECT, 'tsconfig.json'), JSON.stringify({
    compilerOptions: {
      strict: true, noEmit: true, target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'],
      jsx: 'react-jsx', jsxImportSource: 'preact', types: [], skipLibCheck: false, preserveSymlinks: true,
    },
    files: ['package.tsx'],
  }));
  try {
    execFileSync(path.join(NODE_MODULES, '.bin/tsc'), ['--project', PROJECT], { encoding: 'utf8', stdio: 'pipe' });
  } catch ({ stdout }) {
    assert.fail(stdout);
  }
});

test('a page without a bundler imports it', () => withProject(page("import 'postduif-address';",
  `<form><postduif-address mode="postcode" name="address" base="http://${LIVE}/api" api-key="${KEY}"></postduif-address></form>`), async (opened) => {
  await opened.getByLabel('Postcode').fill('3931AX');
  await opened.getByLabel('Huisnummer').fill('62');
  await opened.getByText('Gekozen: Dorpsstraat 62, 3931 AX Schapenhoek').waitFor();
  const warned = opened.waitForEvent('console', { predicate: (message) => message.type() === 'warning' && /attribute base is missing/.test(message.text()) });
  await opened.evaluate(() => document.body.append(document.createElement('postduif-address')));
  await warned;
  assert.deepEqual(await opened.evaluate(() => Object.fromEntries(new FormData(document.forms[0]))), {
    address: '0351200000024191', address_postcode: '3931AX', address_number: '62', address_addition: '', address_street: 'Dorpsstraat', address_city: 'Schapenhoek',
  });
}));

const input = (name, attributes = '') => `<input name="${name}" ${attributes}>`;
const inputs = (names) => names.split(' ').map((name) => input(name)).join('');
const select = (name, ...options) => `<select name="${name}"><option value="">–${options.map((each) => `<option>${each}`).join('')}</select>`;
const USUAL = 'postcode huisnummer toevoeging straat plaats';
const USUAL_KINDS = 'postcode:postcode number:huisnummer addition:toevoeging street:straat city:plaats';
/** Forms, each with the fields that `fieldsOf` finds: the kind and the name of each. */
const FORMS = [
  // Fields for something else, before those of the address.
  [inputs(`telefoon_thuis thuisnummer ziekenhuis warehouse warehouse_number house_name naam_toevoeging name_suffix suffix extension tel_ext
    web_address ip_address emailAddress saved_address vestigingsplaats birth_city capacity order_number customer[number] ipadres macaddress
    internetadres opmerking_toevoegen plaats_opmerking loterij_nummer herkomst_plaats webadres website_address ${USUAL}`.replace(/\s+/g, ' ')), USUAL_KINDS],
  [select('afhaalplaats', 'Assen') + select('plaats', 'Assen') + select('country_code', 'NL +31') + select('country', 'Gelderland') + inputs(USUAL), USUAL_KINDS],
  [['url', 'email', 'password', 'search', 'hidden', 'checkbox', 'radio'].map((type) => input('postcode', `type="${type}"`)).join(''), ''],
  [['tel', 'email', 'url', 'name', 'organization', 'cc-number'].map((word) => input('postcode', `autocomplete="${word}"`)).join(''), ''],
  [input('country_code', 'value="31"') + inputs(USUAL), USUAL_KINDS],
  [input('number', 'type="tel"') + input('plaats', 'type="tel"') + ['postcode', 'huisnummer'].map((name) => input(name, 'type="tel"')).join('') + inputs('toevoeging straat plaats'), USUAL_KINDS],
  // An address that is found only by its name, beside a street.
  [inputs(`postadres ${USUAL} werkadres`), USUAL_KINDS],
  [inputs('billingAddress[additionalAddressLine1] billingAddress[street] billingAddress[zipcode] billingAddress[city]'),
    'line:billingAddress[street] postcode:billingAddress[zipcode] city:billingAddress[city]'],
  // What the form says explicitly counts before `autocomplete`, and that before names, in any order of the fields.
  [inputs('postcode plaats adres address_2') + input('a', 'autocomplete="postal-code"') + input('b', 'autocomplete="address-level2"')
    + input('c', 'autocomplete="address-line1"') + input('d', 'data-postduif="postcode"'), 'addition:address_2 city:b line:c postcode:d'],
  [inputs('postcode') + input('b', 'class="code"'), 'postcode:b', { 'field-postcode': '.code' }],
  [input('straat', 'hidden') + input('adres', 'hidden autocomplete="address-line1"') + inputs('postcode address'), 'street:straat postcode:postcode line:address'],
  // Usual names.
  [select('billing_country', 'Nederland') + inputs('billingPostcode billingHouseNumber billingHouseNumberExt billingStreetName billingCity'),
    'country:billing_country postcode:billingPostcode number:billingHouseNumber addition:billingHouseNumberExt street:billingStreetName city:billingCity'],
  [inputs('factuurpostcode factuurhuisnummer factuurstraat factuurplaats'), 'postcode:factuurpostcode number:factuurhuisnummer street:factuurstraat city:factuurplaats'],
  [inputs('address[zip] address[number] address[suffix] address[street] address[town]'),
    'postcode:address[zip] number:address[number] addition:address[suffix] street:address[street] city:address[town]'],
  [inputs('webshop_postcode house_number house_number_letter house_number_addition street billingcity'),
    'postcode:webshop_postcode number:house_number letter:house_number_letter addition:house_number_addition street:street city:billingcity'],
  [inputs('webform[postcode] huisnummer huisnummer_letter leverplaats'), 'postcode:webform[postcode] number:huisnummer letter:huisnummer_letter city:leverplaats'],
  [inputs('billingzip huisnr huisnummerletter verzendplaats'), 'postcode:billingzip number:huisnr letter:huisnummerletter city:verzendplaats'],
  [inputs('adres_straat adres_huisnummer adres_postcode'), 'street:adres_straat number:adres_huisnummer postcode:adres_postcode'],
  [inputs('adres_postcode adres_huisnummer adres_toevoeging'), 'postcode:adres_postcode number:adres_huisnummer addition:adres_toevoeging'],
  [inputs('postcode nr straat billing_no'), 'postcode:postcode number:nr street:straat'],
  [inputs('adres[nr] adres[straat]'), 'number:adres[nr] street:adres[straat]'],
  [inputs('postcode straat_huisnummer plaats') + input('straat', 'style="display:none"'), 'postcode:postcode number:straat_huisnummer city:plaats street:straat'],
  [inputs('house_newsletter housenumberadditional postcode house_number street'),
    'addition:housenumberadditional postcode:postcode number:house_number street:street'],
  ...['straat_huisnummer', 'straat_en_huisnummer', 'straatnaam_en_huisnummer', 'streetAndHouseNumber', 'street_and_number', 'adres_en_huisnummer'].map((name) =>
    [inputs(`${name} postcode plaats`), `line:${name} postcode:postcode city:plaats`]),
  [Object.entries({ postcode: 'chrome-off', huisnummer: 'disabled', toevoeging: 'autocomplete-off', straat: 'nope', plaats: 'off' })
    .map(([name, word]) => input(name, `autocomplete="${word}"`)).join(''), USUAL_KINDS],
  [inputs('zip_code street_no adresregel_1 adresregel_2 woonplaats land'), 'postcode:zip_code number:street_no line:adresregel_1 addition:adresregel_2 city:woonplaats country:land'],
];

test('only fields of the address are found, by the clearest sign that the form has', () => withProject(page('', ''), async (opened) => {
  for (const [html, expected, attributes = {}] of FORMS) {
    const found = await opened.evaluate(async ([content, settings]) => {
      const { fieldsOf } = await import('/postduif-address/fields.js');
      document.body.innerHTML = `<form>${content}</form>`;
      const host = document.createElement('div');
      for (const name in settings) host.setAttribute(name, settings[name]);
      return fieldsOf(host, document.forms[0]).map(([field, kind]) => `${kind}:${field.name}`).join(' ');
    }, [html, attributes]);
    assert.equal(found, expected, html);
  }
}));

/** A checkout whose inputs are all controlled by the component's state. */
const PREACT = `
  import { h, render } from 'preact';
  import { useState } from 'preact/hooks';
  import 'postduif-address';
  const KINDS = { postcode: 'Postcode', house_number: 'Huisnummer', addition: 'Toevoeging', street: 'Straat', city: 'Plaats' };
  function Checkout() {
    const [order, setOrder] = useState({});
    const [address, setAddress] = useState(null);
    const [state, setState] = useState('');
    const input = ([name, label]) => h('p', { key: name }, h('label', {}, label + ' ', h('input', {
      name, value: order[name] ?? '', onInput: ({ target }) => setOrder((before) => ({ ...before, [name]: target.value })) })));
    return h('form', {}, Object.entries(KINDS).map(input),
      h('postduif-address', { mode: 'attach', name: 'address', base: 'http://${LIVE}/api', 'api-key': '${KEY}',
        'onpostduif-select': ({ detail }) => setAddress(detail.address), 'onpostduif-clear': () => setAddress(null),
        'onpostduif-state': ({ detail }) => setState(detail.state) }),
      h('output', {}, JSON.stringify({ state, id: address?.id ?? '', order })));
  }
  render(h(Checkout), document.querySelector('#app'));`;

test('a Preact component gets its state from the events, and the widget fills its controlled inputs', () => withProject(page(PREACT, '<div id="app"></div>'), async (opened) => {
  const shown = async () => JSON.parse(await opened.locator('output').innerText());
  const state = (name) => opened.locator('output').getByText(`"state":"${name}"`).waitFor();
  await opened.getByLabel('Postcode').pressSequentially('3931AX');
  await opened.getByLabel('Huisnummer').pressSequentially('62');
  await state('confirmed');
  await opened.locator('output').getByText('Schapenhoek').waitFor();
  const filled = { postcode: '3931AX', house_number: '62', street: 'Dorpsstraat', city: 'Schapenhoek' };
  const { id, order: { addition, ...order } } = await shown();
  assert.deepEqual([id, addition ?? '', order], ['0351200000024191', '', filled]);
  await opened.getByLabel('Huisnummer').press('Backspace');
  await opened.locator('output').getByText('"id":""').waitFor();
  await opened.getByLabel('Huisnummer').press('Backspace');
  await opened.getByLabel('Huisnummer').pressSequentially('64');
  await state('choose');
  await opened.getByRole('combobox').focus();
  await opened.getByRole('option', { name: 'bis' }).click();
  await state('confirmed');
  await opened.locator('output').getByText('"addition":"bis"').waitFor();
  assert.deepEqual((await shown()).id, '0351200000024199');
  assert.equal(await opened.getByLabel('Toevoeging').first().inputValue(), 'bis');
}));
