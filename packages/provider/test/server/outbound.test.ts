import type { LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { listen } from '@carnet/test-servers/listen';
import { afterEach, describe, expect, it } from 'vitest';
import type { Foundation } from '../../src/assembly/foundation.ts';
import { createOutbound } from '../../src/assembly/foundation.ts';
import type { Resolve } from '../../src/outbound/addresses.ts';
import { outboundSchema } from '../../src/outbound/config.ts';
import {
  createOutboundClient,
  type OutboundClient,
  type OutboundOptions,
  type OutboundOutcome,
} from '../../src/outbound/outbound-client.ts';
import { OutboundError } from '../../src/outbound/outbound-error.ts';

const pem = (name: string): string => readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), 'utf8');
const ca = pem('certificate');

const seen: string[] = [];
let isOpen = false;

const answer: RequestListener = (req, res) => {
  seen.push(`${req.method} ${req.url} ${req.headers['accept-encoding']}`);
  switch (req.url?.split('?')[0]) {
    case '/redirect':
      return res.writeHead(302, { location: `http://127.0.0.1:${portOf(plain)}/secret` }).end();
    case '/huge': {
      isOpen = true;
      res.on('close', () => {
        isOpen = false;
      });
      const write = (): void => {
        while (!res.destroyed && res.write('x'.repeat(16_384)));
      };
      res.on('drain', write);
      return write();
    }
    case '/slow': {
      // A byte now and then: no pause is ever long.
      const timer = setInterval(() => res.write('.'), 20);
      return void res.on('close', () => clearInterval(timer));
    }
    case '/silent':
      return;
    case '/echo': {
      let body = '';
      req.on('data', (chunk) => {
        body += chunk;
      });
      return void req.on('end', () => res.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] }).end(body));
    }
    default:
      return void res.end('hello');
  }
};

const plain = beforeTests(() => listen(answer));
const tls = beforeTests(() => listen(createServer({ key: pem('key'), cert: ca }, answer)));
const portOf = ({ port }: { readonly port: number }): number => port;

const clients: OutboundClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  seen.length = 0;
});

const client = (options: Partial<OutboundOptions> = {}): OutboundClient => {
  const created = createOutboundClient({ allow: [], timeoutMs: 2_000, maxBytes: 65_536, ca, ...options });
  clients.push(created);
  return created;
};

const reasonOf = (sent: Promise<unknown>): Promise<string> =>
  sent.then(
    () => 'answered',
    (error) => (error instanceof OutboundError ? error.reason : `${error}`),
  );

const get = (from: OutboundClient, url: string) => from.send({ url, purpose: 'hook' });
const names =
  (table: Readonly<Record<string, readonly string[]>>): Resolve =>
  (hostname, callback) => {
    const known = table[hostname];
    if (known === undefined) return callback(new Error('ENOTFOUND'), []);
    callback(
      null,
      known.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };

describe('where requests may lead', () => {
  it.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://0/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[0:0:0:0:0:ffff:10.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://10.0.0.1/',
    'https://①②⑦.⓪.⓪.①/',
  ])('a request to %s is refused', async (url) => {
    expect(await reasonOf(get(client(), url))).toBe('private_address');
  });

  it.each(['http://8.8.8.8/', 'http://127.0.0.1/'])('a request over http is refused: %s', async (url) => {
    expect(await reasonOf(get(client(), url))).toBe('plain_http');
  });

  it('a request over http to a public name is refused', async () => {
    const resolve = names({ 'public.test': ['8.8.8.8'] });
    expect(await reasonOf(get(client({ resolve }), 'http://public.test/'))).toBe('plain_http');
  });

  it.each([
    'file:///etc/passwd',
    'ftp://host.test/',
    'https://user:pw@host.test/',
    'https://user@host.test/',
    'nonsense',
    '//x',
  ])('a request to %s is refused by its address', async (url) => {
    expect(await reasonOf(get(client(), url))).toBe('invalid_url');
  });

  it('a name of a private address is refused, also if it has public addresses besides', async () => {
    const resolve = names({ 'hook.test': ['127.0.0.1'], 'other.test': ['8.8.8.8', '::1'] });
    const to = client({ resolve });
    expect(await reasonOf(get(to, `https://hook.test:${portOf(tls)}/`))).toBe('private_address');
    expect(await reasonOf(get(to, `https://other.test:${portOf(tls)}/`))).toBe('private_address');
    expect(seen).toEqual([]);
  });

  it('connects to the address that was checked, however often the name changes it', async () => {
    let asked = 0;
    // The server is taken for a public one on its first address only; the name leads elsewhere ever after.
    const resolve: Resolve = (_name, callback) =>
      callback(null, [{ address: asked++ === 0 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
    const to = client({ resolve, allow: ['127.0.0.1/32'] });
    expect((await get(to, `https://hook.test:${portOf(tls)}/`)).body).toBe('hello');
    expect(asked).toBe(1);
    await to.close();
    expect(await reasonOf(get(client({ resolve, allow: ['127.0.0.1/32'] }), `https://hook.test:${portOf(tls)}/`))).toBe(
      'private_address',
    );
  });

  it('to what is allowed: by network, by host, by host and port, and to loopback in dev mode', async () => {
    const url = `http://127.0.0.1:${portOf(plain)}/`;
    for (const allow of [['127.0.0.0/8'], ['127.0.0.1'], [`127.0.0.1:${portOf(plain)}`]]) {
      expect((await get(client({ allow }), url)).body).toBe('hello');
    }
    expect((await get(client({ allowLoopback: true }), url)).body).toBe('hello');
    expect((await get(client({ allowLoopback: true }), `http://localhost:${portOf(plain)}/`)).body).toBe('hello');
  });

  it('to an allowed host by its port only', async () => {
    const to = client({ allow: ['127.0.0.1:1'] });
    expect(await reasonOf(get(to, `http://127.0.0.1:${portOf(plain)}/`))).toBe('plain_http');
  });

  it('to an allowed name wherever it leads, over http too', async () => {
    const to = client({ allow: ['Hook.test'], resolve: names({ 'hook.test': ['127.0.0.1'] }) });
    expect((await get(to, `http://hook.test:${portOf(plain)}/`)).status).toBe(200);
    expect((await get(to, `https://hook.test:${portOf(tls)}/`)).status).toBe(200);
  });

  it('a certificate that is trusted and for this name is accepted', async () => {
    const options = {
      allow: ['wrong.test', 'hook.test'],
      resolve: names({ 'wrong.test': ['127.0.0.1'], 'hook.test': ['127.0.0.1'] }),
    };
    expect(await reasonOf(get(client(options), `https://wrong.test:${portOf(tls)}/`))).toBe('unreachable');
    expect(await reasonOf(get(client({ ...options, ca: undefined }), `https://hook.test:${portOf(tls)}/`))).toBe(
      'unreachable',
    );
  });

  it('a redirect is never followed', async () => {
    const to = client({ allow: ['hook.test'], resolve: names({ 'hook.test': ['127.0.0.1'] }) });
    const { status } = await get(to, `https://hook.test:${portOf(tls)}/redirect`);
    expect(status).toBe(302);
    expect(seen).toEqual(['GET /redirect identity']);
  });

  it('the proxy that the environment names is never used', async () => {
    const before = process.env.HTTP_PROXY;
    process.env.HTTP_PROXY = `http://127.0.0.1:${portOf(plain)}`;
    try {
      expect(await reasonOf(get(client({ allow: ['127.0.0.1:1'] }), 'http://127.0.0.1:1/'))).toBe('unreachable');
    } finally {
      if (before === undefined) delete process.env.HTTP_PROXY;
      else process.env.HTTP_PROXY = before;
    }
    expect(seen).toEqual([]);
  });
});

describe('what a request may cost', () => {
  const at = (path: string): string => `http://127.0.0.1:${portOf(plain)}${path}`;
  const local = (options: Partial<OutboundOptions> = {}) => client({ allow: ['127.0.0.1'], ...options });

  it('ends a body that never does, at its limit, and hangs up', async () => {
    expect(await reasonOf(get(local(), at('/huge')))).toBe('too_large');
    await expect.poll(() => isOpen).toBe(false);
  });

  it('takes a body of exactly the limit', async () => {
    expect((await local().send({ url: at('/'), purpose: 'hook', maxBytes: 5 })).body).toBe('hello');
    expect(await reasonOf(local().send({ url: at('/'), purpose: 'hook', maxBytes: 4 }))).toBe('too_large');
  });

  it.each(['/slow', '/silent'])('gives up on %s', async (path) => {
    expect(await reasonOf(local().send({ url: at(path), purpose: 'hook', timeoutMs: 150 }))).toBe('timeout');
  });

  it('gives up on a name that does not resolve in time', async () => {
    const to = client({ resolve: () => undefined, timeoutMs: 60_000 });
    expect(await reasonOf(to.send({ url: 'https://never.test/', purpose: 'hook', timeoutMs: 100 }))).toBe('timeout');
  });

  it('stops when whoever asked does', async () => {
    const controller = new AbortController();
    const sent = local().send({ url: at('/silent'), purpose: 'hook', signal: controller.signal });
    controller.abort();
    expect(await reasonOf(sent)).toBe('aborted');
    expect(await reasonOf(local().send({ url: at('/'), purpose: 'hook', signal: controller.signal }))).toBe('aborted');
  });
});

describe('what comes of a request', () => {
  const url = () => `http://127.0.0.1:${portOf(plain)}/echo?secret=1`;

  it('posts a body, and answers with status, headers and text', async () => {
    const body = JSON.stringify({ a: 'ü' });
    const response = await client({ allow: ['127.0.0.1'] }).send({ url: url(), method: 'POST', body, purpose: 'hook' });
    expect(response).toMatchObject({ status: 200, body });
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });

  it('says whom it was for, never what was asked', async () => {
    const outcomes: OutboundOutcome[] = [];
    const to = client({ report: (outcome) => void outcomes.push(outcome) });
    const error = await get(to, 'https://10.0.0.1:8443/path?secret=1').catch((caught: unknown) => caught);
    expect(`${error}`).toBe(
      'OutboundError: hook: 10.0.0.1:8443 has an address that is not public: add its host to outbound.allow if it is your own',
    );
    expect(outcomes).toEqual([
      { purpose: 'hook', host: '10.0.0.1:8443', result: 'private_address', durationMs: expect.any(Number) },
    ]);
  });
});

describe("a hook's own URL", () => {
  const hook = () => `http://127.0.0.1:${portOf(plain)}/hook?for=tokens`;
  const to = (url: string, purpose: 'hook' | 'backchannel_logout' | 'jwks_uri' | 'sector_identifier_uri') =>
    client({ hooks: [hook()] }).send({ url, purpose });

  it('may be private and plain http', async () => {
    expect((await to(hook(), 'hook')).body).toBe('hello');
  });

  it.each(['backchannel_logout', 'jwks_uri', 'sector_identifier_uri'] as const)(
    'opens nothing to a %s',
    async (purpose) => {
      expect(await reasonOf(to(hook(), purpose))).toBe('plain_http');
    },
  );

  it('opens nothing beside it', async () => {
    expect(await reasonOf(to(`${hook()}&x`, 'hook'))).toBe('plain_http');
    expect(await reasonOf(to(hook().replace('/hook', '/secret'), 'hook'))).toBe('plain_http');
  });

  it.each([
    ['hooks.token.url', { hooks: { token: { url: 'HOOK' }, refreshToken: {} }, urls: {} }],
    ['hooks.refreshToken.url', { hooks: { token: {}, refreshToken: { url: 'HOOK' } }, urls: {} }],
    [
      'urls.backchannelAuthentication',
      { hooks: { token: {}, refreshToken: {} }, urls: { backchannelAuthentication: 'HOOK' } },
    ],
  ])('the URL of a hook overrides the default: %s', async (_key, named) => {
    const config = JSON.parse(JSON.stringify(named).replace('HOOK', hook())) as object;
    const own = createOutbound({
      config: { ...config, dev: false, outbound: outboundSchema.parse({}) },
      telemetry: { metrics: { outbound: () => undefined } },
      logger: { info: () => undefined },
    } as unknown as Foundation);
    expect((await own.send({ url: hook(), purpose: 'hook' })).body).toBe('hello');
    await own.close();
  });
});
