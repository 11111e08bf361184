// Screens of all kinds: phones and small laptops, large text, forced colours, paper; and pictures that can be read.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, launch, open, problems, serve, settled, SIX, still, THREE, tooWide, visitor } from './haggle.mjs';

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const RELAXED = THREE.replace('limit=321', 'limit=32');
const TABS = ['negotiate', 'trade-offs', 'data', 'review', 'publish'];
const SCREENS = { phone: { width: 390, height: 844 }, 'small laptop': { width: 1024, height: 768 } };

/** Whether something lies within the window, as far as one can see it without scrolling. */
const inView = (locator) =>
  locator.evaluate((element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return top >= 0 && left >= 0 && bottom <= innerHeight + 1 && right <= innerWidth + 1;
  });

/** Elements that reach beyond the right edge and are not within something that scrolls. */
const beyond = (page) =>
  page.evaluate(() => {
    const scrolls = (element) => {
      for (let at = element; at; at = at.parentElement) if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(at).overflowX)) return true;
      return false;
    };
    const wide = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !scrolls(one) && getComputedStyle(one).position !== 'fixed');
    return wide.map((one) => one.outerHTML.slice(0, 80));
  });

for (const [name, viewport] of Object.entries(SCREENS)) {
  test(`nothing is wider than the screen of a ${name}`, async () => {
    const { page, close } = await visitor(browser, { viewport });
    for (const tab of TABS) {
      await page.goto('about:blank');
      await open(page, server.address, `${SIX}&tab=${tab}`);
      await still(page);
      assert.equal(await tooWide(page), 0, `${tab}: pixels too wide`);
      assert.deepEqual(await beyond(page), [], tab);
    }
    await close();
  });

  test(`on a ${name} the answer stays in view while sliders move`, async () => {
    const { page, close } = await visitor(browser, { viewport });
    await open(page, server.address, THREE);
    const bar = page.getByRole('region', { name: 'Answer in short' });
    await bar.getByText('170 records dropped').waitFor();
    const slider = page.getByRole('slider', { name: 'workclass', exact: true });
    await slider.scrollIntoViewIfNeeded();
    assert.ok(await inView(bar));
    await slider.focus();
    await page.keyboard.press('Home');
    await page.getByRole('spinbutton', { name: 'records', exact: true }).fill('32');
    await page.keyboard.press('Enter');
    await settled(page);
    await bar.getByText('Not possible as asked.').waitFor();
    assert.ok(await inView(bar));
    await bar.getByRole('button', { name: 'Show changes' }).click();
    assert.ok(await page.locator('[data-offer]').first().evaluate((card) => card.getBoundingClientRect().top < innerHeight));
    assert.deepEqual(await problems(page), []);
    await close();
  });
}

test('text at twice its size still fits', async () => {
  const large = await launch('--blink-settings=defaultFontSize=32');
  const { page, close } = await visitor(large, { viewport: { width: 1280, height: 900 } });
  for (const tab of TABS) {
    await page.goto('about:blank');
    await open(page, server.address, `${RELAXED}&tab=${tab}`);
    await still(page);
    const size = await page.evaluate(() => parseFloat(getComputedStyle(document.body).fontSize));
    assert.ok(size >= 28, `text follows the reader: ${size}`);
    assert.equal(await tooWide(page), 0, `${tab}: pixels too wide`);
    const cut = await page.evaluate(() => [...document.querySelectorAll('button, label, h2, h3')].filter((one) => one.checkVisibility() && !one.classList.contains('unseen') && one.scrollWidth > one.clientWidth + 2 && getComputedStyle(one).overflow === 'hidden').map((one) => one.textContent));
    assert.deepEqual(cut, [], `${tab}: text that is cut`);
  }
  await close();
  await large.close();
});

test('with forced colours everything can still be distinguished', async () => {
  const { page, close } = await visitor(browser, { forcedColors: 'active' });
  await open(page, server.address, `${RELAXED}&pin=2,1,1`);
  await still(page);
  const border = (locator) => locator.evaluate((one) => [getComputedStyle(one).borderTopWidth, getComputedStyle(one).borderTopStyle].join(' '));
  assert.equal(await border(page.getByRole('tab', { selected: true })), '2px solid');
  assert.equal(await border(page.getByRole('button', { name: /^Accept/ }).first()), '2px solid');
  const drawn = await page.locator('canvas').evaluate((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set();
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255) colours.add(`${data[i]},${data[i + 1]},${data[i + 2]}`);
    return colours.size;
  });
  assert.ok(drawn > 10, 'the lattice keeps its shades');
  await page.getByRole('tab', { name: 'Publish' }).click();
  await settled(page);
  const bars = page.locator('[data-aligned] .bar').filter({ visible: true });
  await bars.first().waitFor();
  const background = await bars.first().evaluate((one) => getComputedStyle(one).backgroundColor);
  assert.notEqual(background, await page.evaluate(() => getComputedStyle(document.querySelector('.card')).backgroundColor), 'bars are seen');
  await close();
});

test('paper shows what was asked and answered, and no buttons', async () => {
  const { page, close } = await visitor(browser, { colorScheme: 'dark', viewport: { width: 794, height: 1123 } });
  await open(page, server.address, `${THREE}&tab=publish`);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.locator('[data-published]').waitFor();
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('button').filter({ visible: true }).count(), 0);
  assert.ok(await page.getByText('Proved from the written file').isVisible());
  assert.ok(await page.locator('[data-promise]').isVisible());
  assert.equal(await tooWide(page), 0);
  const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  assert.equal(ground, 'rgb(255, 255, 255)', 'white paper, whatever the screen is');
  await close();
});

for (const viewport of [{ width: 1280, height: 800 }, SCREENS.phone]) {
  test(`labels of charts neither collide nor are cut, ${viewport.width} wide`, async () => {
    const { page, close } = await visitor(browser, { viewport });
    for (const state of [THREE, THREE.replace('k:10', 'k:2'), SIX.replace('limit=321', 'limit=0')]) {
      await page.goto('about:blank');
      await open(page, server.address, `${state}&tab=trade-offs`);
      await page.locator('[data-figure=study] circle').first().waitFor();
      await still(page);
      const wrong = await page.evaluate(() =>
        [...document.querySelectorAll('[data-figure] svg[role=application]')].flatMap((svg) => {
          const frame = svg.getBoundingClientRect();
          const all = [...svg.querySelectorAll('text')].map((one) => ({ text: one.textContent, box: one.getBoundingClientRect() }));
          const cut = all.filter(({ box }) => box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
          const pairs = all.flatMap((a, i) => all.slice(i + 1).map((b) => [a, b]));
          const meet = pairs.filter(([{ box: a }, { box: b }]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2);
          return [...cut.map(({ text }) => `cut: ${text}`), ...meet.map(([a, b]) => `${a.text} meets ${b.text}`)];
        }),
      );
      assert.deepEqual(wrong, [], state);
    }
    await close();
  });
}

test('no knee is drawn beyond what people ask for', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${THREE.replace('levels=age:2,race:1,workclass:1&', '')}&tab=trade-offs`);
  const front = page.locator('[data-figure=front]');
  await front.locator('circle, .line').first().waitFor();
  const body = { qi: ['age', 'race', 'workclass'], privacy: { 'k-anonymity': 10 }, max_suppressed: 321, loss: 'lm' };
  const { points } = await (await call(server.origin, '/api/pareto', body)).json();
  assert.ok(points.filter((point) => point.knee).every((point) => point.threshold <= 100));
  assert.equal(await front.getByText('knee', { exact: true }).count(), points.filter((point) => point.knee).length);
  await close();
});

test('the lattice says what its outlines mean', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&pin=2,1,1`);
  const legend = page.getByRole('list', { name: 'Outlines in the lattice' });
  for (const words of ['within the coarsest levels allowed', 'meets the request', 'best match', 'your pin']) await legend.getByText(words).waitFor();
  await close();
});

test('values before and after stand on one ordered axis', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=publish`);
  const attributes = page.locator('article[data-aligned]');
  await attributes.first().waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll('article[data-aligned]')].every((one) => one.dataset.aligned === 'yes'));
  const race = attributes.filter({ has: page.getByRole('heading', { name: /^race/ }) });
  const place = async (text) => {
    const { y, height } = await race.getByText(text, { exact: true }).locator('xpath=..').boundingBox();
    return [Math.round(y), Math.round(y + height)];
  };
  const published = await place('Non-white');
  for (const recorded of ['Black', 'Other', 'Asian-Pac-Islander', 'Amer-Indian-Eskimo']) {
    const [top, bottom] = await place(recorded);
    assert.ok(top >= published[0] - 1 && bottom <= published[1] + 1, `${recorded} lies next to Non-white`);
  }
  // Age has many values: recorded above, published below, on one axis from 17 to 90.
  const age = attributes.filter({ has: page.getByRole('heading', { name: /^age/ }) });
  await age.getByRole('img', { name: /^age: \d+ recorded values from 17 to 90/ }).waitFor();
  const shares = await age.locator('svg').evaluate((svg) => {
    const runs = [...svg.querySelectorAll('rect.run')].map((one) => [Number(one.getAttribute('x')), Number(one.getAttribute('width'))]);
    return { first: runs[0][0], gaps: runs.slice(1).filter(([x], i) => x !== runs[i][0] + runs[i][1]).length, plain: svg.querySelectorAll('rect.plain').length, end: runs.at(-1)[0] + runs.at(-1)[1] };
  });
  assert.deepEqual({ first: shares.first, gaps: shares.gaps }, { first: 0, gaps: 0 }, 'published runs follow one another');
  assert.equal(shares.end, shares.plain, 'up to the last recorded value');
  await close();
});

test('definitions of models and measures are shown as the catalog has them', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, THREE.replace('optimize=steps', 'optimize=lm'));
  const catalog = async (path) => (await call(server.origin, path)).json();
  const [models, measures] = [await catalog('/api/models'), await catalog('/api/measures')];
  await page.getByText(models.find(({ id }) => id === 'k-anonymity').definition).first().waitFor();
  await page.getByText(measures.find(({ id }) => id === 'lm').definition).first().waitFor();
  await page.getByLabel('Optimize for').selectOption('precision');
  await page.getByText(measures.find(({ id }) => id === 'precision').definition).first().waitFor();
  await close();
});

test('plain words throughout', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, RELAXED);
  const words = ['Not possible as asked.', 'You could change one of these:', 'Allow 23 more records to be dropped', 'Make age one level coarser', 'Lower k to 7', 'Hide age', 'minimum group size', 'Coarsest level allowed', 'Choose which columns to protect', 'Fast estimate, then verify', 'Optimize for'];
  for (const text of words) assert.ok(await page.getByText(text).first().isVisible(), text);
  await page.goto('about:blank');
  await open(page, server.address, THREE.replace('levels=age:2,race:1,workclass:1&', 'levels=age:2,race:1&'));
  const answer = page.getByRole('region', { name: 'Answer', exact: true });
  await answer.locator('.verdict').getByText('Possible. Best match:').waitFor();
  assert.ok(await page.getByText('3 of 3 · no limit').isVisible());
  assert.match(await page.locator('[data-offer=exact] h3').textContent(), /^\s*Age in .* groups, race in two groups, 170 records dropped$/);
  await page.getByRole('tab', { name: 'Trade-offs' }).click();
  for (const text of ['Privacy vs. information loss', 'Other methods']) await page.getByRole('heading', { name: text }).waitFor();
  await close();
});

test('colours show what each scheme loses, if asked to', async () => {
  const { page, close } = await visitor(browser);
  const qi = ['age', 'race', 'workclass'];
  // What every scheme loses, one question each: the page must show the least and the greatest of these.
  const schemes = Array.from({ length: 60 }, (_, i) => [Math.floor(i / 12), Math.floor(i / 4) % 3, i % 4]);
  const losses = [];
  for (const scheme of schemes) losses.push((await (await call(server.origin, '/api/scheme', { qi, privacy: { 'k-anonymity': 10 }, optimize: 'lm', scheme })).json()).loss.lm);
  if ([404, 405].includes((await call(server.origin, '/api/losses', { qi })).status)) {
    await page.route('**/api/losses', (route) => route.fulfill({ contentType: 'application/octet-stream', body: Buffer.from(new Float32Array(losses).buffer) }));
  }
  await open(page, server.address, THREE.replace('optimize=steps', 'optimize=lm'));
  const picture = () => page.locator('canvas').evaluate((canvas) => canvas.toDataURL());
  await still(page);
  const before = await picture();
  await page.getByLabel('Colour', { exact: true }).selectOption({ label: 'loss (lm)' });
  const short = (n) => String(Number(n.toPrecision(3)));
  await page.getByRole('figure', { name: `Colours: lm, from ${short(Math.min(...losses))} to ${short(Math.max(...losses))}` }).waitFor();
  await still(page);
  assert.notEqual(await picture(), before);
  await page.getByLabel('Colour', { exact: true }).selectOption('suppressed');
  await page.getByRole('figure', { name: /records suppressed, from 0/ }).waitFor();
  await close();
});
