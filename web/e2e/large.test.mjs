// Large lattices: drawn, walked and negotiated without a delay that one would notice.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { EIGHT, launch, open, serve, SIX, visitor } from './haggle.mjs';

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Milliseconds from a slider's event until the lattice is drawn with the new answer, for some moves. */
const moves = (page) =>
  page.evaluate(async () => {
    const slider = document.querySelector('[aria-label="k of k-anonymity"]');
    const canvas = document.querySelector('canvas');
    const times = [];
    for (let i = 0; i < 12; i++) {
      const [start, drawn] = [performance.now(), canvas.dataset.drawn];
      slider.valueAsNumber = 3 + ((i * 7) % 20);
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      while (canvas.dataset.drawn === drawn && performance.now() - start < 5000) await new Promise(requestAnimationFrame);
      times.push(performance.now() - start);
    }
    slider.dispatchEvent(new Event('change', { bubbles: true }));
    return times.slice(2).sort((a, b) => a - b);
  });

for (const [state, schemes] of [[SIX, '3,600'], [EIGHT, '28,800']]) {
  test(`${schemes} schemes`, async (context) => {
    const { page, complaints, close } = await visitor(browser);
    await open(page, server.address, state);
    await page.getByText(`${schemes} schemes of`).waitFor({ timeout: 60_000 });
    await page.locator('[data-offer]').first().waitFor();
    const times = await moves(page);
    const middle = times[Math.floor(times.length / 2)];
    context.diagnostic(`${schemes} schemes: from slider to picture ${middle.toFixed(0)} ms in the middle, ${times.at(-1).toFixed(0)} ms at most`);
    assert.ok(middle < 1000, `${middle} ms`);
    const canvas = page.getByRole('application', { name: /Lattice/ });
    await canvas.focus();
    for (const key of ['ArrowUp', 'ArrowLeft', '+', '+', 'ArrowDown', '0']) await page.keyboard.press(key);
    assert.match(await page.locator('.box [aria-live=polite]').textContent(), /^Scheme \[/);
    assert.deepEqual(complaints, []);
    await close();
  });
}
