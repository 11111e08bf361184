// Nothing leaves the machine, nothing is served without the token, nothing breaks the security policy.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, open, serve, settled, THREE, until, visitor } from './haggle.mjs';

let server, browser;
before(async () => {
  [server, browser] = await Promise.all([serve(), launch()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

test('no request leaves the machine, whatever is looked at', async () => {
  const { page, requests, complaints, close } = await visitor(browser);
  await page.addInitScript(() => {
    window.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  await open(page, server.address, THREE);
  for (const tab of ['Trade-offs', 'Data', 'Publish', 'Negotiate']) {
    await page.getByRole('tab', { name: tab }).click();
    await settled(page);
  }
  await until(page, (all) => all.length === 1, 'the answer');
  const elsewhere = requests.filter((url) => !url.startsWith(`${server.origin}/`) && !url.startsWith('blob:'));
  assert.deepEqual(elsewhere, []);
  assert.ok(requests.length > 10);
  assert.deepEqual(await page.evaluate(() => window.violations), []);
  assert.deepEqual(complaints, []);
  await close();
});

test('without the token nothing is served', async () => {
  const { page, requests, close } = await visitor(browser);
  await open(page, server.address, THREE);
  const paths = new Set(requests.map((url) => new URL(url).pathname));
  assert.ok([...paths].some((path) => path.startsWith('/assets/')));
  for (const path of [...paths, '/', '/api/openapi.json']) {
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? '{}' : undefined;
      const answer = await fetch(server.origin + path, { method, body, headers: { 'content-type': 'application/json' } });
      assert.equal(answer.status, 401, `${method} ${path}`);
    }
  }
  const other = await visitor(browser);
  const answer = await other.page.goto(`${server.origin}/?token=wrong`);
  assert.equal(answer.status(), 401);
  await other.close();
  await close();
});
