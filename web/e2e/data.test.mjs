// The Data tab: attributes, distributions, hierarchies, and quasi-identifiers switched on and off.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open, serve, SIX, THREE, visitor } from './haggle.mjs';

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('switching a quasi-identifier re-annotates', async () => {
  const { page, complaints, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=data`);
  await page.getByText('60 schemes').waitFor();
  await page.getByRole('switch', { name: 'Negotiate sex' }).check();
  await page.getByText('120 schemes').waitFor();
  await page.getByRole('button', { name: 'Move sex up' }).click();
  await page.waitForURL(/qi=age,race,sex,workclass/);
  await page.getByRole('switch', { name: 'Negotiate race' }).uncheck();
  await page.getByText('40 schemes').waitFor();
  await page.getByRole('tab', { name: 'Negotiate' }).click();
  await page.getByText('40 schemes of 3 attributes').waitFor();
  assert.equal(await page.getByRole('slider', { name: 'sex', exact: true }).count(), 1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('120 schemes of 4 attributes').waitFor();
  assert.deepEqual(complaints, []);
  await close();
});

test('long annotation shows its progress and can be cancelled', async () => {
  const { page, close } = await visitor(browser);
  const six = SIX.replace('workclass&', 'workclass,sex&');
  await open(page, server.address, `${six}&tab=data`);
  await page.getByText('7,200 schemes').waitFor();
  await page.getByRole('switch', { name: 'Negotiate native-country' }).check();
  const building = page.getByRole('dialog', { name: 'Calculating all options' });
  await building.getByText(/\d of 28,800|\d of/).waitFor();
  await building.getByRole('button', { name: 'Cancel' }).click();
  await building.waitFor({ state: 'detached' });
  assert.equal(await page.getByRole('switch', { name: 'Negotiate native-country' }).isChecked(), false);
  await page.getByText('7,200 schemes').waitFor();
  await close();
});

test('attributes show their values and their hierarchies as trees with counts', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, `${THREE}&tab=data`);
  await page.getByRole('button', { name: 'workclass', exact: true }).click();
  const details = page.getByRole('region', { name: 'Attribute workclass' });
  await details.getByText('22,286').first().waitFor();
  await details.getByText('With-pay').waitFor();
  const branch = details.locator('summary', { hasText: 'Government' });
  await branch.waitFor();
  await branch.click();
  await details.getByText('Federal-gov 943').waitFor();
  await close();
});
