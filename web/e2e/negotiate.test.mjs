// Negotiating: the published figures, accepting, undo and redo, the address, the keyboard.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addressOf, launch, offers, open, serve, settled, SIX, THREE, until, visitor } from './haggle.mjs';

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

const slider = (page, name) => page.getByRole('slider', { name, exact: true });

/** Moves a slider as a person with a keyboard would. */
async function slide(page, name, steps) {
  await slider(page, name).focus();
  await page.keyboard.press('Home');
  for (let i = 0; i < steps; i++) await page.keyboard.press('ArrowRight');
}

const type = async (page, name, value) => {
  await page.getByRole('spinbutton', { name, exact: true }).fill(String(value));
  await page.keyboard.press('Enter');
};

const isExact = (scheme, suppressed) => (found) =>
  found.length === 1 && found[0].id === 'exact' && found[0].scheme === scheme && found[0].suppressed === suppressed;

test('the demo opens with the tour, which can be dismissed for good', async () => {
  const { page, complaints, close } = await visitor(browser, { tour: true });
  await open(page, server.address);
  const tour = page.getByRole('dialog', { name: 'Guided tour' });
  await tour.getByText('Every way to anonymize this table').waitFor();
  for (let i = 0; i < 4; i++) await tour.getByRole('button', { name: 'Next' }).click();
  await tour.getByRole('button', { name: 'Skip' }).click();
  await tour.waitFor({ state: 'detached' });
  await page.getByText('3,600 schemes of 6 attributes').waitFor();
  await page.reload();
  await page.locator('[data-offer=exact]').waitFor();
  assert.equal(await tour.count(), 0);
  assert.deepEqual(complaints, []);
  await close();
});

test('moving sliders gives the published figures', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, 'qi=age,race,workclass&optimize=steps');
  await page.getByText('60 schemes of 3 attributes').waitFor();
  await slide(page, 'k of k-anonymity', 8);
  await type(page, 'records', 321);
  await slide(page, 'age', 2);
  await slide(page, 'race', 1);
  await slide(page, 'workclass', 1);
  await until(page, isExact('[1,1,0]', 170), 'k = 10, limit 321, levels 2,1,1 should give [1,1,0] with 170');

  await type(page, 'records', 32);
  const found = await until(page, (all) => all.length > 3, 'limit 32 should give relaxations');
  const by = Object.fromEntries(found.map((offer) => [offer.id, offer]));
  assert.equal(by.suppression.title, 'Allow 23 more records to be dropped');
  assert.equal(by.suppression.suppressed, 55);
  assert.equal(by.height.title, 'Make age one level coarser');
  assert.match(by.height.text, /\[3,1,0\]/);
  assert.equal(by.height.suppressed, 28);
  assert.equal(by.privacy.title, 'Lower k to 7');
  assert.equal(by.privacy.suppressed, 31);
  assert.equal(by['attribute-age'].title, 'Hide age');
  assert.match(by.height.text, /36.*17-36/s, 'an example before and after');
  assert.deepEqual(complaints, []);
  await close();
});

test('accepting any relaxation moves the sliders and makes it exact', async () => {
  const { page, close } = await visitor(browser);
  const relaxed = THREE.replace('limit=321', 'limit=32');
  const expected = {
    'Allow 23 more records to be dropped': async () => assert.equal(await page.getByRole('spinbutton', { name: 'records', exact: true }).inputValue(), '55'),
    'Make age one level coarser': async () => assert.equal(await slider(page, 'age').inputValue(), '3'),
    'Lower k to 7': async () => assert.equal(await page.getByRole('spinbutton', { name: 'k of k-anonymity, exact' }).inputValue(), '7'),
    'Hide age': async () => assert.equal(await slider(page, 'age').inputValue(), '4'),
  };
  for (const [title, moved] of Object.entries(expected)) {
    await page.goto('about:blank');
    await open(page, server.address, relaxed);
    await page.getByRole('button', { name: `Accept: ${title}` }).click();
    await until(page, (all) => all.length === 1 && all[0].id === 'exact', `${title} should be exact`);
    await moved();
    await page.goBack();
    await until(page, (all) => all.length > 3, 'back should lead to the relaxations again');
  }
  await close();
});

test('undo and redo, by buttons and keys, a drag being one step', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, THREE);
  await until(page, isExact('[1,1,0]', 170), 'the first answer');
  const { x, y, width, height } = await slider(page, 'age').boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  for (const share of [0.4, 0.2, 0.03]) await page.mouse.move(x + width * share, y + height / 2, { steps: 4 });
  await page.mouse.up();
  assert.equal(await slider(page, 'age').inputValue(), '0');
  await type(page, 'records', 100);
  await page.getByRole('heading', { name: 'haggle', exact: true }).click();
  await page.keyboard.press('Control+z');
  assert.equal(await page.getByRole('spinbutton', { name: 'records', exact: true }).inputValue(), '321');
  await page.getByRole('button', { name: 'Undo' }).click();
  assert.equal(await slider(page, 'age').inputValue(), '2');
  await until(page, isExact('[1,1,0]', 170), 'undo should lead to the first answer');
  assert.ok(await page.getByRole('button', { name: 'Undo' }).isDisabled());
  await page.keyboard.press('Control+Shift+Z');
  await page.getByRole('button', { name: 'Redo' }).click();
  assert.equal(await slider(page, 'age').inputValue(), '0');
  assert.equal(await page.getByRole('spinbutton', { name: 'records', exact: true }).inputValue(), '100');
  await close();
});

test('the address reproduces the state', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, THREE);
  await until(page, isExact('[1,1,0]', 170), 'the first answer');
  await type(page, 'records', 32);
  await slide(page, 'workclass', 2);
  await settled(page);
  await page.locator('canvas').focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.getByText('pinned', { exact: true }).waitFor();
  const before = await offers(page);
  const address = await addressOf(page);

  const other = await visitor(browser);
  await open(other.page, address);
  await until(other.page, (all) => JSON.stringify(all) === JSON.stringify(before), 'a bookmark should show the same offers');
  assert.equal(await slider(other.page, 'workclass').inputValue(), '2');
  await other.page.getByText('pinned', { exact: true }).waitFor();

  await page.getByRole('tab', { name: 'Data' }).click();
  await page.goBack();
  await page.getByRole('tab', { name: 'Negotiate', selected: true }).waitFor();
  await page.goForward();
  await page.getByRole('tab', { name: 'Data', selected: true }).waitFor();
  await other.close();
  await close();
});

test('any model of the catalog can be added, asked for and removed', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, THREE);
  await until(page, isExact('[1,1,0]', 170), 'the first answer');
  await page.getByLabel('Add a privacy model').selectOption({ label: 't-closeness' });
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('spinbutton', { name: 't of t-closeness, exact' }).waitFor();
  await type(page, 't of t-closeness, exact', 0.05);
  await until(page, (all) => all.some((offer) => /of t-closeness$/.test(offer.title)), 'two models should be negotiated');
  await page.getByRole('button', { name: 'Remove t-closeness' }).click();
  await until(page, isExact('[1,1,0]', 170), 'the first answer again');
  await close();
});

test('a model that the project says too little for is greyed, with the reason', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, THREE);
  const others = page.locator('optgroup[label="Not for this table"] option');
  assert.ok((await others.count()) > 0);
  for (const other of await others.all()) {
    assert.ok(await other.isDisabled());
    assert.match(await other.textContent(), /\(.*needs .*\)$/);
  }
  await close();
});

test('the lattice is read by keys and by pointer, zoomed and pinned', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, THREE);
  const canvas = page.getByRole('application', { name: /Lattice of 60 schemes/ });
  await canvas.focus();
  const told = page.locator('.box .unseen[aria-live=polite]');
  await page.keyboard.press('ArrowUp');
  assert.match(await told.textContent(), /^Scheme \[\d,\d,\d\], height 3, [\d,]+ suppressed/);
  await page.keyboard.press('Enter');
  await page.getByText('pinned', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('pinned', { exact: true }).waitFor({ state: 'detached' });
  const { width, height } = await canvas.boundingBox();
  await canvas.hover({ position: { x: width / 2, y: height - 16 - (height - 32) / 20 } });
  await page.locator('.details .scheme', { hasText: '[0,0,0]' }).waitFor();
  await canvas.click({ position: { x: width / 2, y: height - 16 - (height - 32) / 20 } });
  await page.locator('.details').getByText('pinned').waitFor();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  assert.ok(await page.getByRole('button', { name: 'Show all' }).isEnabled());
  await page.getByRole('button', { name: 'Show all' }).click();
  await close();
});

test('what cannot be asked for is said, and the page recovers', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&privacy=distinct-l-diversity,l:3,on:nobody`);
  await page.getByRole('alert').getByText('is not a sensitive attribute').waitFor();
  await page.getByRole('button', { name: 'Remove distinct l-diversity' }).click();
  await until(page, isExact('[1,1,0]', 170), 'the answer');
  assert.equal(await page.getByRole('alert').count(), 0);
  await close();
});

test('light and dark are chosen and remembered', async () => {
  const { page, close } = await visitor(browser, { colorScheme: 'light' });
  await open(page, server.address, THREE);
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await page.getByLabel('Light or dark').selectOption('dark');
  const dark = await ground();
  assert.notEqual(light, dark);
  await page.reload();
  await page.locator('[data-offer]').first().waitFor();
  assert.equal(await ground(), dark);
  await page.getByLabel('Light or dark').selectOption('auto');
  assert.equal(await ground(), light);
  await close();
});

test('an answer that takes long shows its progress and can be cancelled', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, SIX);
  const [first, state] = [await offers(page), await addressOf(page)];
  await page.getByLabel('Optimize for').selectOption('noise-scanning');
  const preparing = page.getByRole('dialog', { name: 'Preparing the answer' });
  await preparing.getByText(/weighing by noise-scanning [\d,]+ of 3,600/).waitFor();
  await preparing.getByRole('button', { name: 'Cancel' }).click();
  await preparing.waitFor({ state: 'detached' });
  assert.deepEqual(await offers(page), first);
  assert.equal(await addressOf(page), state);
  await type(page, 'records', 3000);
  await until(page, (all) => all[0]?.id === 'exact', 'the page goes on answering');
  assert.deepEqual(complaints, []);
  await close();
});
