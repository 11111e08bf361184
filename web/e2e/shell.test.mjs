// The command palette, and the guided tour that ends in a publication; by keyboard alone.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addressOf, launch, open, problems, serve, settled, still, THREE, tooWide, until, visitor } from './haggle.mjs';

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const palette = (page) => page.getByRole('dialog', { name: 'Commands' });

async function command(page, text) {
  await page.keyboard.press('Control+k');
  await palette(page).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await palette(page).waitFor({ state: 'detached' });
}

test('commands by keyboard: open a part, set a threshold, switch an attribute, undo', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, THREE);
  await command(page, 'k 7');
  await page.waitForFunction(() => location.hash.includes('k-anonymity,k:7'));
  await command(page, 'open review');
  await page.getByRole('tab', { name: 'Review', selected: true }).waitFor();
  await command(page, 'off race');
  await page.waitForFunction(() => location.hash.includes('qi=age,workclass&'));
  await settled(page);
  await command(page, 'undo');
  await page.waitForFunction(() => location.hash.includes('qi=age,race,workclass'));
  await settled(page);
  await command(page, 'least LM');
  assert.match(await addressOf(page), /optimize=/);
  assert.deepEqual(complaints, []);
  await close();
});

test('the palette lists, moves, refuses and closes; it is accessible', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, THREE);
  const before = await addressOf(page);
  await page.getByRole('button', { name: 'Commands' }).click();
  const selected = palette(page).getByRole('option', { selected: true });
  assert.equal(await selected.textContent(), 'Open Negotiate');
  await page.keyboard.press('ArrowDown');
  assert.equal(await selected.textContent(), 'Open Trade-offs');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  assert.equal(await selected.textContent(), 'Start the guided tour');
  await still(page);
  assert.deepEqual(await problems(page), []);
  await page.keyboard.type('no such thing');
  await palette(page).getByText('Nothing is called that.').waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await palette(page).waitFor({ state: 'detached' });
  assert.equal(await addressOf(page), before);
  await close();
});

test('the tour ends in a publication', async () => {
  const { page, complaints, close } = await visitor(browser, { tour: true });
  await open(page, server.address, THREE);
  const tour = page.getByRole('dialog', { name: 'Guided tour' });
  const titles = [];
  for (;;) {
    titles.push(await tour.getByRole('heading').textContent());
    await still(page);
    assert.deepEqual(await problems(page), [], titles.at(-1));
    const next = tour.getByRole('button', { name: 'Next' });
    if (!(await next.count())) break;
    await next.press('Enter');
  }
  assert.equal(titles.at(-1), 'Publish it');
  await settled(page);
  await page.getByRole('button', { name: 'Publish', exact: true }).press('Enter');
  await tour.getByText('Proved from the written file').waitFor();
  await page.locator('[data-published]').getByText('Proved from the written file: k =').waitFor();
  await tour.getByRole('button', { name: 'Done' }).press('Enter');
  await tour.waitFor({ state: 'detached' });
  assert.deepEqual(complaints, []);
  await close();
});

test('a context sets its thresholds with one click, says where they come from, and can be changed', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=review`);
  const context = (id) => page.locator(`[data-preset=${id}]`);
  await page.getByText('The request asks for thresholds of its own.').waitFor();
  await context('public').getByRole('button').click();
  await settled(page);
  assert.match(await addressOf(page), /privacy=k-anonymity,k:11&privacy=distinct-l-diversity,l:3,on:hours-per-week/);
  assert.equal(await page.getByLabel('Count records with a risk above').inputValue(), '9.1');
  await context('public').getByText('Where the numbers come from').click();
  await context('public').getByText('Cell Size Precedents').waitFor();
  await still(page);
  assert.deepEqual(await problems(page), []);
  // What is reviewed keeps the context's threshold.
  await page.getByRole('region', { name: 'Risk' }).getByRole('button', { name: 'Calculate' }).click();
  await page.locator('[data-attacker=prosecutor]').getByText('0 records (0 %) have a risk above').waitFor();
  await context('internal').getByRole('button').press('Enter');
  await settled(page);
  await page.getByRole('tab', { name: 'Negotiate' }).click();
  await page.getByLabel('k of k-anonymity, exact').fill('4');
  await page.getByLabel('k of k-anonymity, exact').press('Enter');
  await until(page, (all) => all.length > 0, 'an answer');
  await page.getByRole('tab', { name: 'Review' }).click();
  await page.getByText('The request asks for thresholds of its own.').waitFor();
  assert.equal(await tooWide(page), 0);
  await close();
});
