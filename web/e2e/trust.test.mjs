// A button does what its card says: accepting, publishing, points of the front, what is optimized for, numbers first.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addressOf, call, haggle, launch, offers, open, serve, settled, SIX, THREE, until, visitor } from './haggle.mjs';

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const RELAXED = THREE.replace('limit=321', 'limit=32');
const LM = (state) => state.replace('optimize=steps', 'optimize=lm');
const published = (page) => page.getByRole('region', { name: 'What is published' });

/** What a card promises: its scheme and what it suppresses. */
async function cardOf(page, id) {
  const found = (await offers(page)).find((offer) => offer.id === id);
  assert.ok(found, `there is a card ${id}`);
  return found;
}

for (const optimize of ['steps', 'lm']) {
  test(`accepting any card publishes exactly its scheme, optimizing for ${optimize}`, async () => {
    const { page, complaints, close } = await visitor(browser);
    const state = optimize === 'lm' ? LM(RELAXED) : RELAXED;
    await open(page, server.address, state);
    const cards = (await offers(page)).map(({ id, title }) => ({ id, title }));
    assert.ok(cards.some(({ id }) => id === 'attribute-age'), 'age can be hidden');
    for (const { id, title } of cards) {
      await page.goto('about:blank');
      await open(page, server.address, state);
      const { scheme, suppressed } = await cardOf(page, id);
      await page.getByRole('button', { name: `Accept: ${title}` }).click();
      await settled(page);
      await page.getByRole('tab', { name: 'Publish' }).click();
      await settled(page);
      const what = await published(page).textContent();
      assert.ok(what.includes(`Scheme ${scheme}`), `${title} should publish ${scheme}: ${what}`);
      assert.ok(what.includes(`suppresses ${suppressed} of 30,162`), `${title} should suppress ${suppressed}`);
      assert.ok(await page.getByRole('button', { name: 'Publish', exact: true }).isEnabled());
    }
    assert.deepEqual(complaints.filter((one) => !one.includes('localStorage')), [], 'an empty page has no storage');
    await close();
  });
}

test('hiding age hides age, and undo takes it back', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, RELAXED);
  assert.equal((await cardOf(page, 'attribute-age')).scheme, '[4,0,0]');
  await page.getByRole('button', { name: 'Accept: Hide age' }).click();
  await settled(page);
  const choice = page.locator('[data-choice]');
  await choice.getByText('Age hidden').waitFor();
  await choice.getByText('[4,0,0]').waitFor();
  await choice.getByRole('button', { name: 'Publish…' }).click();
  await published(page).getByText('Age hidden', { exact: false }).waitFor();
  await page.getByRole('tab', { name: 'Negotiate' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await settled(page);
  assert.equal(await choice.count(), 0);
  assert.ok((await offers(page)).length > 3);
  await page.getByRole('button', { name: 'Redo' }).click();
  await settled(page);
  await choice.getByText('[4,0,0]').waitFor();
  await close();
});

test('Publish on a card publishes that card, whatever is pinned', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&pin=2,1,1`);
  await page.locator('[data-offer=exact]').getByRole('button', { name: 'Publish…' }).click();
  await settled(page);
  await published(page).getByText('Scheme [1,1,0] suppresses 170 of 30,162').waitFor();
  await page.getByRole('tab', { name: 'Negotiate' }).click();
  await close();
  const other = await visitor(browser);
  await open(other.page, server.address, `${THREE}&pin=2,1,1`);
  await other.page.locator('[data-choice]').getByRole('button', { name: 'Publish…' }).click();
  await settled(other.page);
  await published(other.page).getByText('Scheme [2,1,1], which you chose, suppresses 55 of 30,162').waitFor();
  await other.close();
});

test('a point of the front is asked for with its threshold, and numbers agree on the way', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, `${LM(THREE)}&tab=trade-offs`);
  const front = page.locator('[data-figure=front]');
  await front.locator('circle').first().waitFor();
  await front.locator('svg').focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowRight');
  const reading = await front.locator('.reading').textContent();
  const [, k, scheme, suppressed] = /k = (\d+) costs .*scheme (\[[\d,]+\]), ([\d,]+) suppressed/.exec(reading);
  const details = page.locator('.details');
  assert.equal(await details.locator('.scheme').textContent(), scheme);
  assert.match(await details.textContent(), new RegExp(`\\D${suppressed} suppressed at k = ${k} `), 'the lattice tells the number of the chart');
  await page.getByRole('figure', { name: new RegExp(`suppressed at k = ${k},`) }).waitFor();
  // An independent answer: what the scheme suppresses at that k, by the program's interface.
  const body = { qi: ['age', 'race', 'workclass'], privacy: { 'k-anonymity': Number(k) }, scheme: JSON.parse(scheme) };
  assert.equal((await (await call(server.origin, '/api/scheme', body)).json()).suppressed, Number(suppressed.replaceAll(',', '')));
  await page.keyboard.press('Enter');
  await front.getByRole('button', { name: `Ask for k = ${k}` }).click();
  await settled(page);
  assert.match(await addressOf(page), new RegExp(`k-anonymity,k:${k}&`));
  await page.getByRole('tab', { name: 'Publish' }).click();
  await settled(page);
  const what = await published(page).textContent();
  assert.ok(what.includes(`Scheme ${scheme}`) && what.includes(`suppresses ${suppressed} of`), what);
  assert.ok(what.includes(`k = ${k} over age, race, workclass`), what);
  assert.deepEqual(complaints, []);
  await close();
});

test('the page optimizes for least loss unless another order is chosen; programs get the published order', async () => {
  const { page, requests, close } = await visitor(browser);
  const asked = page.waitForRequest((request) => request.url().endsWith('/api/ask'));
  await open(page, server.address);
  assert.equal((await asked).postDataJSON().optimize, 'lm');
  assert.equal(await page.getByLabel('Optimize for').inputValue(), 'lm');
  assert.ok(requests.length > 0);
  const plain = await (await call(server.origin, '/api/ask', {})).json();
  const least = await (await call(server.origin, '/api/ask', { optimize: 'lm' })).json();
  assert.equal(plain.exact.loss, undefined);
  const [offer] = await offers(page);
  assert.equal(offer.scheme, JSON.stringify(least.exact.scheme));
  assert.ok(plain.exact.height < least.exact.height || JSON.stringify(plain.exact.scheme) !== JSON.stringify(least.exact.scheme));
  await page.getByLabel('Optimize for').selectOption({ label: 'fewest steps' });
  await until(page, ([one]) => one?.scheme === JSON.stringify(plain.exact.scheme), 'fewest steps should give the published order');
  await page.reload();
  await settled(page);
  assert.equal(await page.getByLabel('Optimize for').inputValue(), '', 'the address keeps the choice');
  await close();
});

test('a finer method that loses much less is offered with its factor and compared by one click', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address);
  const finer = page.locator('[data-finer]');
  await finer.waitFor();
  const [, factor, box, scheme] = /loses ([\d.,]+) times less.*would lose ([\d.]+) instead of ([\d.]+) \(lm\)/s.exec(await finer.textContent());
  assert.ok(Math.abs(Number(scheme) / Number(box) - Number(factor)) < 0.06 * Number(factor), `${factor} = ${scheme} / ${box}`);
  assert.ok(Number(factor) >= 2);
  await finer.getByRole('button', { name: 'Compare other methods' }).click();
  const panel = page.getByRole('region', { name: 'Compare strategies' });
  const row = panel.getByRole('row').filter({ has: page.getByRole('cell', { name: 'mondrian', exact: true }) });
  await row.getByText(/^yes/).waitFor();
  assert.ok(await panel.evaluate((one) => one.getBoundingClientRect().top < innerHeight / 2), 'what was asked for is in view');
  assert.ok(Math.abs(Number(await row.getByRole('cell').nth(4).textContent()) - Number(box)) < 0.001);
  assert.deepEqual(complaints, []);
  await close();
});

test('a fast estimate keeps the criterion that is set', async () => {
  const { page, close } = await visitor(browser);
  const any = LM(SIX).replace(/&levels=[^&]*/, '');
  await open(page, server.address, any);
  const [sent] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/api/predict')),
    page.getByRole('switch', { name: 'Fast estimate, then verify' }).check(),
  ]);
  assert.equal(sent.postDataJSON().optimize, 'lm');
  await settled(page);
  const heightOf = (offer) => JSON.parse(offer.scheme).reduce((a, b) => a + b);
  const [byLoss] = await offers(page);
  const [again] = await Promise.all([
    page.waitForRequest((request) => request.url().endsWith('/api/predict')),
    page.getByLabel('Optimize for').selectOption({ label: 'fewest steps' }),
  ]);
  assert.equal(again.postDataJSON().optimize, 'height');
  await settled(page);
  const [bySteps] = await offers(page);
  assert.ok(heightOf(bySteps) < heightOf(byLoss), `${bySteps.scheme} takes fewer steps than ${byLoss.scheme}`);
  await close();
});

test('records lost on loading are shown first wherever a percentage is', async () => {
  const { page, close } = await visitor(browser);
  const lost = '32,561 rows, 2,399 dropped for missing values, 30,162 counted';
  for (const state of [RELAXED, THREE, `${LM(THREE)}&instant=on`, `${THREE}&tab=publish`, `${THREE}&tab=trade-offs`, `${THREE}&tab=data`, `${THREE}&tab=review`]) {
    await page.goto('about:blank');
    await open(page, server.address, state);
    const text = await page.evaluate(() => document.body.innerText);
    const first = text.search(/\d %/);
    assert.ok(text.includes(lost), `${state}: what was lost is reported`);
    if (first >= 0) assert.ok(text.indexOf(lost) < first, `${state}: before any percentage`);
  }
  await close();
});

test('back and undo walk along the same line', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, RELAXED);
  await page.getByRole('button', { name: 'Accept: Lower k to 7' }).click();
  await settled(page);
  const k = page.getByRole('spinbutton', { name: 'k of k-anonymity, exact' });
  assert.equal(await k.inputValue(), '7');
  await page.goBack();
  await until(page, (all) => all.length > 3, 'back leads to the offers');
  assert.equal(await k.inputValue(), '10');
  await page.keyboard.press('Control+z');
  await settled(page);
  assert.equal(await k.inputValue(), '10', 'undo after back re-applies nothing');
  await page.keyboard.press('Control+Shift+Z');
  await settled(page);
  assert.equal(await k.inputValue(), '7');
  await close();
});

test('a number that will not do is refused in words and kept in view', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, THREE);
  const k = page.getByRole('spinbutton', { name: 'k of k-anonymity, exact' });
  for (const [typed, words] of [['1', 'K must be 2 or more'], ['2.5', 'K must be a whole number'], ['40000', 'K = 40,000 is more than the 30,162 records that there are']]) {
    await k.fill(typed);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText(words).waitFor();
    assert.equal(await k.inputValue(), typed, 'what was typed stays');
    assert.equal(await k.getAttribute('aria-invalid'), 'true');
    assert.match(await addressOf(page), /k-anonymity,k:10&/);
  }
  await k.fill('12');
  await page.keyboard.press('Enter');
  await settled(page);
  assert.equal(await page.getByRole('alert').count(), 0);
  const records = page.getByRole('spinbutton', { name: 'records', exact: true });
  await records.fill('99999');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('The limit must be a whole number from 0 to 30,162').waitFor();
  await close();
});

test('publishing without a measure says which order was used and what the least loss would save', () => {
  const out = `${process.env.TMPDIR ?? '/tmp'}/haggle-order-${process.pid}.csv`;
  const words = ['publish', 'demo:adult', '--k', '5', '--max-suppressed', '1%', '-o', out, '--force'];
  const told = JSON.parse(haggle(...words, '--json').stdout);
  assert.equal(told.chosen.order, 'height');
  const [height, least] = [[], ['--optimize', 'lm']].map((more) => JSON.parse(haggle('ask', 'demo:adult', '--k', '5', '--max-suppressed', '1%', '--json', ...more).stdout).exact);
  assert.deepEqual(told.scheme, height.scheme);
  assert.deepEqual(told.chosen.least_loss.scheme, least.scheme);
  assert.equal(told.chosen.least_loss.loss, least.loss.lm);
  assert.match(haggle(...words).stdout, /chosen by the fewest generalization steps \(lm [\d.]+\)\. The scheme of least loss, \[[\d,]+\], loses [\d.]+, \d+ % less; --optimize lm/);
  assert.equal(JSON.parse(haggle(...words, '--json', '--optimize', 'lm').stdout).chosen, undefined);
});
