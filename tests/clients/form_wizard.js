// Looks addresses up through @form-wizard-framework/address-lookup: prints one line of JSON for each POSTCODE/NUMBER, either
// the fields of the model after the look-up, or the error with the type that the form shows.
//
// Usage: form_wizard.js URL KEY POSTCODE/NUMBER...
'use strict';

// Silence the model's own log, which would mix with the lines of JSON.
console.log = console.warn = () => {};

const { mixin, model: Model } = require('@form-wizard-framework/address-lookup').nl.postcodeApi;

const [url, apiKey, ...rows] = process.argv.slice(2);

class FormError {
  constructor(field, { type }) {
    this.type = type;
  }
}

const Controller = mixin(class {});
Controller.prototype.Error = FormError;

function lookUp(row) {
  const [postcode, number] = row.split('/');
  const model = new Model({ postcode, number }, { url: `${url}/v3/lookup`, apiKey });
  return new Promise((resolve) => {
    model.fetch((error) => {
      const type = error && new Controller()._parseError({}, 'address', error).type;
      resolve(error ? { type, error } : { found: model.toJSON() });
    });
  });
}

async function main() {
  for (const row of rows) {
    process.stdout.write(`${JSON.stringify(await lookUp(row))}\n`);
  }
}

main();
