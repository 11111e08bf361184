// Every tab, light and dark, held against the accessibility rules of axe-core; and narrow windows.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open, problems, serve, still, THREE, tooWide, visitor } from './haggle.mjs';

const RELAXED = THREE.replace('limit=321', 'limit=32');
const SETTLED = { negotiate: '[data-offer]', 'trade-offs': '[data-figure=study] circle', data: 'summary', review: '[aria-label=Risk] form', publish: 'article' };

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

for (const colorScheme of ['light', 'dark']) {
  for (const [tab, settled] of Object.entries(SETTLED)) {
    test(`${tab} is accessible, ${colorScheme}`, async () => {
      const { page, close } = await visitor(browser, { colorScheme });
      await open(page, server.address, `${RELAXED}&pin=2,1,1&tab=${tab}`);
      await page.locator(settled).first().waitFor();
      await still(page);
      assert.deepEqual(await problems(page), []);
      await close();
    });
  }
}

for (const colorScheme of ['light', 'dark']) {
  test(`an instant answer is accessible, ${colorScheme}`, async () => {
    const { page, close } = await visitor(browser, { colorScheme });
    await open(page, server.address, `${THREE.replace('optimize=steps', 'optimize=lm')}&instant=on&pin=2,1,1`);
    await page.locator('[data-offer=counted]').waitFor();
    await still(page);
    assert.deepEqual(await problems(page), []);
    await close();
  });
}

test('the tour and the exact answer are accessible', async () => {
  const { page, close } = await visitor(browser, { tour: true });
  await open(page, server.address, THREE);
  await page.getByRole('dialog', { name: 'Guided tour' }).waitFor();
  await still(page);
  assert.deepEqual(await problems(page), []);
  await page.keyboard.press('Escape');
  await page.locator('[data-offer=exact]').waitFor();
  await page.getByLabel('Light or dark').selectOption('dark');
  await still(page);
  assert.deepEqual(await problems(page), []);
  await close();
});

for (const [tab, settled] of Object.entries(SETTLED)) {
  test(`${tab} fits a narrow window`, async () => {
    const { page, close } = await visitor(browser, { viewport: { width: 390, height: 800 } });
    await open(page, server.address, `${RELAXED}&tab=${tab}`);
    await page.locator(settled).first().waitFor();
    await still(page);
    assert.equal(await tooWide(page), 0, 'pixels too wide');
    await close();
  });
}
