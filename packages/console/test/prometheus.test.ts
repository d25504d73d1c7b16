import type { RequestListener } from 'node:http';
import { listen } from '@carnet/test-servers/listen';
import { expect, onTestFinished, test } from 'vitest';
import { openPrometheus } from '../src/charts/prometheus.ts';
import { startConsole } from './start-console.ts';

const originOf = async (handler: RequestListener): Promise<string> => {
  const { origin, close } = await listen(handler);
  onTestFinished(close);
  return origin;
};

test('the credentials do not follow a redirect, and an answer of another format is named', async () => {
  const received: (string | undefined)[] = [];
  const other = await originOf((request, response) => {
    received.push(request.headers.authorization);
    response.end('<html>');
  });
  const from = await originOf((_, response) =>
    response.writeHead(307, { location: `${other}/api/v1/query_range` }).end(),
  );
  const spans = (url: string) => openPrometheus({ url, token: 'the-token' }, Date.now).spans('day');
  await expect(spans(from)).rejects.toThrow(/^no connection$/);
  expect(received).toEqual([]);
  await expect(spans(other)).rejects.toThrow(/^the answer is not JSON$/);
  expect(new Set(received)).toEqual(new Set(['Bearer the-token']));
  expect(() => openPrometheus({ url: 'http://user:secret@127.0.0.1' }, Date.now)).toThrow(/has credentials/);
  expect(() => openPrometheus({ url: other, token: 'two\nlines' }, Date.now)).toThrow(/^The token for Prometheus has/);
});

test('while Prometheus has no figures, the overview says so, and asks it at most twice a minute', async () => {
  let requests = 0;
  const url = await originOf((_, response) => {
    requests += 1;
    response.writeHead(503).end();
  });
  const { carnet, get, records } = await startConsole({}, undefined, { prometheus: openPrometheus({ url }, Date.now) });
  onTestFinished(() => carnet.close());
  const pages = [await get('/'), await get('/')];
  expect(pages.map(({ status }) => status)).toEqual([200, 200]);
  expect(await pages[0]?.text()).toContain('Prometheus has no figures (HTTP 503).');
  expect(requests).toBeLessThanOrEqual(6);
  expect(records).toMatchObject([{ err: { message: 'HTTP 503' } }]);
});
