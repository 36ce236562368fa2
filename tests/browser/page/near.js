// The map of nearby addresses matches the answer: the number of dots, their distances and directions.
'use strict';

const assert = require('node:assert/strict');
const { isAccessible, stopClock } = require('../harness.js');
const { test } = require('../testing.js');
const { ORIGIN, withTestPage, panel, requestJson, addressOf } = require('./shared.js');

/** Dots and rings of the map: pixels from its middle, south positive, as in the SVG. */
function readMap(page) {
  return page.locator('#near figure > svg').evaluate((canvas) => ({
    dots: [...canvas.querySelectorAll('.dot')].map((dot) => {
      const [x, y] = dot.getAttribute('transform').match(/-?[\d.]+/g).map(Number);
      return { index: Number(dot.dataset.index), x, y, label: dot.querySelector('text').textContent };
    }).sort((one, other) => one.index - other.index),
    rings: [...canvas.querySelectorAll('.ring')].map((ring) => Number(ring.getAttribute('r'))),
    metres: [...canvas.querySelectorAll('.metres')].map((text) => Number(text.textContent.replace(/\D/g, ''))),
  }));
}

async function showNearby(page, { location: { coordinates: [lon, lat] } }, limit = '25') {
  const near = await panel(page, 'near');
  await page.selectOption('#r-limit', limit);
  await near.fill({ lon: String(lon), lat: String(lat) });
  await near.send();
  await near.message.getByText(`${limit} adressen gevonden`).waitFor();
  return near;
}

test('each address is a dot at the distance and direction of the answer, by the scale of the rings', async () => {
  const address = await addressOf('dorpsstraat 64 schapenhoek');
  const [lon, lat] = address.location.coordinates;
  const { data } = await requestJson(`/v1/reverse?lon=${lon}&lat=${lat}&radius=1000&limit=25`);
  for (const viewport of [{ width: 1280, height: 900 }, { width: 320, height: 640 }]) {
    await withTestPage({ live: true, viewport }, async (page) => {
      await showNearby(page, address);
      const { dots, rings, metres } = await readMap(page);
      assert.equal(dots.length, data.length);
      assert.ok(rings.length >= 2 && rings.length === metres.length, `${rings} ${metres}`);
      const scale = rings[0] / metres[0];
      rings.forEach((radius, at) => assert.ok(Math.abs(radius / metres[at] - scale) < 1e-6));
      dots.forEach(({ x, y, label }, at) => {
        const { distance, number, letter, location: { coordinates } } = data[at];
        assert.ok(Math.abs(Math.hypot(x, y) / scale - distance) < 0.2, `${label}: ${Math.hypot(x, y) / scale} m, not ${distance} m`);
        assert.ok(label.startsWith(`${number}${letter ?? ''}`));
        if (Math.abs(x) > 1) assert.equal(Math.sign(x), Math.sign(coordinates[0] - lon), 'east is right');
        if (Math.abs(y) > 1) assert.equal(Math.sign(y), -Math.sign(coordinates[1] - lat), 'north is up');
      });
      assert.equal(await page.locator('.dot.nearest').getAttribute('data-index'), '0');
    });
  }
});

test('each street has one colour and a row of the legend, and no visible number or name covers another', async () => {
  const address = await addressOf('dorpsstraat 64 schapenhoek');
  const [lon, lat] = address.location.coordinates;
  const { data } = await requestJson(`/v1/reverse?lon=${lon}&lat=${lat}&radius=1000&limit=50`);
  const counts = new Map();
  for (const { street } of data) counts.set(street, (counts.get(street) ?? 0) + 1);
  for (const viewport of [{ width: 1280, height: 900 }, { width: 390, height: 844 }]) {
    await withTestPage({ live: true, viewport }, async (page) => {
      const near = await showNearby(page, address, '50');
      const colours = await near.root.locator('.dot').evaluateAll((dots) => dots.map((dot) => [Number(dot.dataset.index), dot.getAttribute('class').match(/colour\d/)[0]]));
      const byStreet = new Map(data.map(({ street }) => [street, new Set()]));
      for (const [index, colour] of colours) byStreet.get(data[index].street).add(colour);
      for (const [street, those] of byStreet) assert.equal(those.size, 1, street);
      const legend = await near.root.locator('.legend li').allInnerTexts();
      [...counts].slice(0, 6).forEach(([street, count], at) => assert.equal(legend[at], `${street} (${count})`));
      assert.ok(legend.includes('wonen') && legend.length > Math.min(counts.size, 6) + 1, `${legend}`);
      assert.ok(await near.root.locator('.road').count() > 0);
      const covered = await near.root.locator('figure > svg').evaluate((canvas) => {
        const texts = [...canvas.querySelectorAll('.dot:not(.crowded) text')].map((text) => [text.textContent, text.getBoundingClientRect()]);
        const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
        return texts.flatMap(([text, box], at) => texts.slice(at + 1).filter(([, other]) => meet(box, other)).map(([other]) => `${text} and ${other}`));
      });
      assert.deepEqual(covered, []);
      await isAccessible(page, 'a map with streets');
    });
  }
});

test('a street line runs between both rows of its houses and bends with them; houses in a block get no line', async () => {
  await withTestPage({}, async (page) => {
    const found = await page.evaluate(async () => {
      const { along, findStreets } = await import('./streets.js');
      const dots = (street, numbers, place) => numbers.map((number) => ({ address: { street, city: 'Stad', number }, ...place(number) }));
      const numbers = Array.from({ length: 20 }, (_, at) => at + 1);
      // `straight`: two rows, 30 apart, one of them much longer. `bent`: a bend. `square`: a block of five by four houses.
      const straight = dots('Recht', numbers.filter((number) => number % 2 || number < 6), (number) => ({ x: number * 12, y: number % 2 ? 15 : -15 }));
      const bent = dots('Bocht', numbers, (number) => ({ x: number * 10, y: (number - 10) ** 2 / 3 + (number % 2 ? 12 : -12) }));
      const square = dots('Plein', numbers, (number) => ({ x: 25 * ((number - 1) % 5), y: 33 * Math.floor((number - 1) / 5) }));
      const few = dots('Steeg', [1, 3], (number) => ({ x: number, y: 0 }));
      const streets = findStreets([...straight, ...bent, ...square, ...few]);
      return streets.map(({ name, colour, curve }) => ({ name, colour, points: curve && [0.1, 0.5, 0.9].map((share) => along(curve, share)) }));
    });
    assert.deepEqual(found.map(({ name, colour }) => [name, colour]), [['Recht', 0], ['Bocht', 1], ['Plein', 2], ['Steeg', 3]]);
    const [straight, bent, square, few] = found.map(({ points }) => points);
    for (const { y } of straight) assert.ok(Math.abs(y) < 1, `${y} from the middle of both rows`);
    for (const { x, y } of bent) assert.ok(Math.abs(y - (x / 10 - 10) ** 2 / 3) < 4, `${x}, ${y} is not between the rows`);
    assert.deepEqual([square, few], [null, null]);
  });
});

test('list and map highlight the same address, by pointer and by keyboard', async () => {
  const address = await addressOf('dorpsstraat 64 schapenhoek');
  await withTestPage({ live: true, fakeClock: true }, async (page) => {
    const near = await showNearby(page, address);
    await stopClock(page);
    const caption = near.root.locator('figcaption');
    const third = near.root.locator('.list button').nth(2);
    await third.focus();
    assert.equal(await page.locator('.dot.chosen').getAttribute('data-index'), '2');
    assert.ok((await caption.textContent()).startsWith(await third.locator('b').textContent()));
    await page.locator('.dot[data-index="20"]').hover({ force: true });
    assert.equal(await page.locator('.list li.chosen').count(), 1);
    assert.equal(await page.locator('.dot.chosen').count(), 1);

    const before = await near.values();
    const answer = page.waitForResponse((response) => response.url().includes('/v1/reverse'));
    await near.root.locator('figure > svg').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    // The page waits this long for further keys.
    await page.clock.runFor(500);
    const { meta } = await (await answer).json();
    assert.ok(meta.lat > Number(before.lat) && meta.lon > Number(before.lon), 'north and east');
    await page.clock.resume();
    await isAccessible(page, 'around a point');
  });
});

test('a click on the map searches at that point', async () => {
  const address = await addressOf('dorpsstraat 64 schapenhoek');
  await withTestPage({ live: true }, async (page) => {
    const near = await showNearby(page, address);
    const { dots, rings, metres } = await readMap(page);
    const answer = page.waitForResponse((response) => response.url().includes('/v1/reverse'));
    // Click the element, not a measured position: smooth scrolling may have moved it by the time of the click.
    await page.locator(`.dot[data-index="${dots.at(-1).index}"] .mark`).click();
    const { data, meta } = await (await answer).json();
    const within = 2 / (rings[0] / metres[0]);
    assert.ok(data[0].distance <= within, `${data[0].distance} m from the dot that was clicked, at most ${within}`);
    assert.equal(Number((await near.values()).lon), meta.lon);
  });
});

test('a caption of more lines leaves the dots where they are, so that a click in that moment is not lost', async () => {
  const address = await addressOf('dorpsstraat 64 schapenhoek');
  await withTestPage({ live: true }, async (page) => {
    const near = await showNearby(page, address);
    const height = () => near.root.locator('figure').evaluate((figure) => figure.clientHeight);
    const [before, dot] = [await height(), await page.locator('.dot[data-index="20"]').elementHandle()];
    await near.root.locator('figcaption').evaluate(async (caption) => {
      caption.textContent = 'lang '.repeat(200);
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      for (let frames = 0; frames < 3; frames += 1) await frame();
    });
    assert.ok(await height() > before, 'the figure is higher');
    assert.ok(await dot.evaluate((node) => node.isConnected), 'the dot is still the same');
  });
});

test('the map is around the address that was chosen in its field, until the point is moved', async () => {
  await withTestPage({ live: true }, async (page) => {
    const near = await panel(page, 'near');
    const place = near.root.locator('postduif-address');
    await place.locator('input').fill('dorpsstraat 64 schapenhoek');
    await place.locator('[part=option]').first().click();
    await near.message.getByText('50 adressen gevonden').waitFor();
    const { location } = await place.evaluate((field) => field.address);
    const { lon, lat } = await near.values();
    assert.deepEqual([Number(lon), Number(lat)], location.coordinates);
    await near.root.locator('[name=limit]').selectOption('5');
    await near.message.getByText('5 adressen gevonden').waitFor();
    await near.root.locator('.list button').nth(4).click();
    await page.waitForFunction(() => document.querySelector('#near postduif-address').address === null);
    assert.equal(await place.locator('input').inputValue(), '');
  });
});

test('after a post-office box, which is not on the map, another address is', async () => {
  await withTestPage({}, async (page) => {
    const near = await panel(page, 'near');
    const place = near.root.locator('postduif-address');
    await place.locator('input').fill('postbus 100 rotterdam');
    await place.locator('[part=option]').first().click();
    await near.message.getByText('Een postbus staat niet op de kaart.').waitFor();
    await near.example('Hamerstraat 19').click();
    await near.message.getByText('1 adres gevonden').waitFor();
  });
});

test('geolocation is requested only on a click, and a refusal shows an alternative', async () => {
  const [longitude, latitude] = [5.8696, 51.8416];
  await withTestPage({ geolocation: { longitude, latitude }, permissions: ['geolocation'] }, async (page) => {
    const near = await panel(page, 'near');
    assert.equal((await near.values()).lon, '');
    await page.getByRole('button', { name: 'Mijn locatie' }).click();
    await near.message.getByText('1 adres gevonden').waitFor();
    assert.match(await near.root.locator('.list').innerText(), /Waldeck Pyrmontsingel 29[\s\S]*5,2 m/);
  });
  await withTestPage({ permissions: [] }, async (page) => {
    const near = await panel(page, 'near');
    await page.getByRole('button', { name: 'Mijn locatie' }).click();
    await near.message.getByText('Je browser deelt je locatie niet.').waitFor();
    await near.message.getByRole('button', { name: 'Zelf invullen' }).click();
    assert.equal(await page.evaluate(() => document.activeElement.name), 'postcode');
  });
});

test('an error clears the map and the list of the previous point', async () => {
  const address = await addressOf('dorpsstraat 64 schapenhoek');
  await withTestPage({ live: true, expected: /400|503/ }, async (page) => {
    for (const status of [400, 503]) {
      const near = await showNearby(page, address);
      const code = status === 400 ? 'invalid_coordinates' : 'index_unavailable';
      await page.route('**/api/**', (route) => route.fulfill({ status, json: { error: { code, message: '' } } }), { times: 1 });
      await near.fill({ lat: '51' });
      await near.send();
      await near.message.locator('.notice').waitFor();
      assert.deepEqual([await page.locator('.dot').count(), await near.root.locator('.list li').count()], [0, 0]);
    }
  });
});

test('a click beside a pole stays within valid coordinates', async () => {
  await withTestPage({}, async (page) => {
    const points = await page.evaluate(async () => {
      const { pointAt } = await import('./picture.js');
      return [pointAt({ lon: 5, lat: 90 }, -10, 10), pointAt({ lon: 179.99999, lat: 0 }, 100, 0)];
    });
    assert.deepEqual(points, [{ lon: -180, lat: 90 }, { lon: 180, lat: 0 }]);
  });
});

test('an empty result and an invalid point are reported with an alternative', async () => {
  await withTestPage({ expected: /400/ }, async (page) => {
    const near = await panel(page, 'near');
    await near.fill({ lon: '4', lat: '52' });
    await near.send();
    await near.message.getByText('Geen adres gevonden binnen 1000 meter.').waitFor();
    await near.fill({ lon: 'hier' });
    await near.send();
    await near.message.getByText('Vul lengtegraad en breedtegraad in als getallen').waitFor();
    assert.equal(new URL(page.url()).origin, ORIGIN);
  });
});
