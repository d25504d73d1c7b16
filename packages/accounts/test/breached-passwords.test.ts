import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { listen } from '@carnet/test-servers/listen';
import { expect, it, onTestFinished } from 'vitest';
import { createBreachedPasswordCheck } from '../src/passwords/breached-passwords.ts';

const leaked = 'correct horse battery';
const hash = createHash('sha1').update(leaked).digest('hex').toUpperCase();
const padding = `${'0'.repeat(34)}1:0`;

/** A stand-in for `https://api.pwnedpasswords.com/range/`. */
const startService = async (answer: RequestListener) => {
  const { origin, close } = await listen(answer);
  onTestFinished(close);
  return `${origin}/range/`;
};

const answering = (body: string) => startService((_request, response) => response.end(body));

it('a leaked password is refused, and the service gets five digits of its hash, with padding', async () => {
  const asked: unknown[] = [];
  const url = await startService((request, response) => {
    asked.push([request.url, request.headers['add-padding']]);
    response.end([padding, `${hash.slice(5)}:3303`, `${'F'.repeat(35)}:1`].join('\r\n'));
  });
  const check = createBreachedPasswordCheck({ url });
  expect(await check(leaked)).toMatch(/data leak/);
  expect(await check('a password that did not leak')).toBeUndefined();
  expect(asked).toHaveLength(2);
  expect(asked[0]).toEqual([`/range/${hash.slice(0, 5)}`, 'true']);
});

it('a line with a count of zero is padding', async () => {
  const check = createBreachedPasswordCheck({ url: await answering(`${hash.slice(5)}:0\r\n`) });
  expect(await check(leaked)).toBeUndefined();
});

it.each([
  ['a page', '<html>Sign in to the Wi-Fi</html>'],
  ['an endless answer', `${padding}\r\n`.repeat(40_000)],
])('%s is no answer', async (_name, body) => {
  const check = createBreachedPasswordCheck({ url: await answering(body) });
  await expect(check(leaked)).rejects.toThrow(/answer/);
});

it('a status of 500, a redirect and silence are failures', async () => {
  const failing = await startService((_request, response) => response.writeHead(503).end());
  const redirecting = await startService((_request, response) => response.writeHead(302, { location: failing }).end());
  const silent = await startService(() => {});
  for (const url of [failing, redirecting, silent, 'http://127.0.0.1:1/'])
    await expect(createBreachedPasswordCheck({ url, timeoutMs: 200 })(leaked)).rejects.toThrow();
});

it('eight requests are sent at the same time, and further ones wait until the timeout', async () => {
  const held: (() => void)[] = [];
  const url = await startService((_request, response) => void held.push(() => response.end(padding)));
  const check = createBreachedPasswordCheck({ url });
  const results = Array.from({ length: 10 }, (_, index) => check(`password ${index}`));
  await expect.poll(() => held).toHaveLength(8);
  await setTimeout(50);
  expect(held).toHaveLength(8);
  for (const answer of held.splice(0)) answer();
  await expect.poll(() => held).toHaveLength(2);
  for (const answer of held.splice(0)) answer();
  expect(await Promise.all(results)).toEqual(Array(10).fill(undefined));

  const impatient = createBreachedPasswordCheck({ url, timeoutMs: 300 });
  const late = await Promise.allSettled(Array.from({ length: 9 }, (_, index) => impatient(`password ${index}`)));
  expect(late.map(({ status }) => status)).toEqual(Array(9).fill('rejected'));
  expect(held).toHaveLength(8);
});

it('the connection of an answer that is not ok is closed', async () => {
  const closed: Promise<unknown>[] = [];
  const url = await startService((_request, response) => {
    closed.push(once(response, 'close', { signal: AbortSignal.timeout(5_000) }));
    response.writeHead(503);
    response.write('an endless body');
  });
  await expect(createBreachedPasswordCheck({ url, timeoutMs: 60_000 })(leaked)).rejects.toThrow('answered 503');
  expect(closed).toHaveLength(1);
  await closed[0];
});
