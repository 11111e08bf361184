// Nothing leaves the machine, nothing is served to whoever is not signed in, nothing breaks the security policy.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { addressOf, entry, launch, open, serve, settled, THREE, until, visitor } from './haggle.mjs';

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

test('who is not signed in is served nothing', async () => {
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
  await close();
});

test('the address of the page holds no secret, and the address to enter by works once', async () => {
  const { page, close } = await visitor(browser);
  const address = await entry(server.origin);
  await page.goto(`${address}#${THREE}`);
  await settled(page);
  const url = new URL(await addressOf(page));
  assert.equal(url.pathname + url.search, '/');
  assert.ok(url.hash.includes('age'));
  assert.equal(await page.evaluate(() => document.cookie), '', 'scripts cannot read the cookie');
  await page.reload();
  await settled(page);
  const other = await visitor(browser);
  for (const used of [address, `${server.origin}/enter?code=wrong`, `${server.origin}/?token=${server.token}`]) {
    const answer = await other.page.goto(used);
    assert.equal(answer.status(), 401, used);
    assert.equal((await other.page.context().cookies()).length, 0);
  }
  await other.close();
  await close();
});

test('a server at another port gets the cookie, and can do nothing with it', async () => {
  const { page, close } = await visitor(browser);
  await open(page, server.address, THREE);
  const seen = [];
  const thief = createServer((request, answer) => answer.end(String(seen.push(request.headers))));
  await new Promise((done) => thief.listen(0, '127.0.0.1', done));
  await page.goto(`http://127.0.0.1:${thief.address().port}/`);
  const cookie = seen.map((headers) => headers.cookie).find(Boolean);
  assert.match(cookie, /haggle-\d+=\w+/, 'cookies know no ports');
  assert.equal(await page.evaluate(() => localStorage.getItem('haggle-secret')), null);
  for (const secret of [{}, { 'haggle-secret': '' }, { 'haggle-secret': '0'.repeat(48) }]) {
    const answer = await fetch(`${server.origin}/api/project`, { headers: { cookie, ...secret } });
    assert.equal(answer.status, 401);
  }
  thief.close();
  await close();
});

test('a restart keeps the page alive', async () => {
  const { page, complaints, close } = await visitor(browser);
  const first = await serve(['demo'], null);
  await open(page, first.address, THREE);
  const failed = page.waitForEvent('requestfailed');
  await first.stop();
  await failed; // the page asks for changes, and nobody is there
  const second = await serve(['demo'], null);
  assert.equal(second.origin, first.origin, 'the port is that of last time');
  await page.getByRole('spinbutton', { name: /k/ }).first().fill('11');
  await settled(page);
  await page.reload();
  await settled(page);
  const others = complaints.filter((one) => !one.includes('net::ERR_CONNECTION_REFUSED'));
  assert.deepEqual(others, [], 'nothing but that the server was away');
  await second.stop();
  await close();
});
