import { type ConfigInput, createProvider } from '@carnet/provider';
import { afterEach, describe, expect, it } from 'vitest';
import { adminClients, postForm, refusal, sendJson } from '../call.ts';
import { basicOf } from '../clients.ts';
import { type Instance, start } from '../harness.ts';
import { introspect, type Json } from '../login.ts';

type Client = NonNullable<ConfigInput['clients']>[number];

const job: Client = {
  client_id: 'job',
  client_secret: 'a secret of the job',
  grant_types: ['client_credentials'],
  scope: 'orders:read',
};
const shop: Client = {
  client_id: 'shop',
  client_secret: 'a secret of the shop',
  redirect_uris: ['https://shop.test/cb'],
};

let instance: Instance;
afterEach(() => instance.stop());

const startWith = async (clients: readonly Client[], more: Parameters<typeof start>[0] = {}): Promise<Instance> => {
  instance = await start({ ...more, config: { ...more.config, clients: [...clients] } });
  return instance;
};

const tokenOf = (id: string, secret: string, how: 'basic' | 'post' = 'basic') =>
  postForm(
    `${instance.issuer}/oauth2/token`,
    {
      grant_type: 'client_credentials',
      scope: 'orders:read',
      ...(how === 'post' && { client_id: id, client_secret: secret }),
    },
    how === 'basic' ? basicOf({ id, secret }) : {},
  );

const admin = async (method: string, path: string, sent?: object) => {
  const { status, headers, body } = await adminClients(instance, method, path, sent);
  return { status, text: JSON.stringify(body), body, link: headers.get('link') ?? '' };
};
const idsIn = ({ body }: { readonly body: unknown }) => (body as Json[]).map(({ client_id }) => client_id);

const isActive = async (token: unknown) => (await introspect(instance, token)).active;
/** The instance again, on its store, with these clients. */
const restartWith = async (clients: readonly Client[]) => {
  const { adapter } = instance;
  await instance.stop();
  return startWith(clients, { adapter });
};

describe('a client of the configuration', () => {
  it('gets tokens with its secret, in the header or in the body, and with no other secret', async () => {
    await startWith([job]);
    const { status, body } = await tokenOf('job', 'a secret of the job');
    expect(status).toBe(200);
    expect(await isActive(body.access_token)).toBe(true);
    expect((await tokenOf('job', 'a secret of the job', 'post')).status).toBe(200);
    expect(await tokenOf('job', 'another secret')).toMatchObject(refusal('invalid_client', 401));
  });

  it('neither the start nor a request reads the client from a store or writes it there', async () => {
    await startWith([job]);
    await tokenOf('job', 'a secret of the job');
    const touched = [
      ...instance.calls.reads.flat(),
      ...instance.calls.commits.flat().map((write) => ('record' in write ? write.record : write)),
    ];
    expect(touched.filter((one) => (one as { kind?: string }).kind === 'client')).toEqual([]);
  });

  it('the admin API shows the client with its key, and never with its secret', async () => {
    await startWith([job, shop]);
    const { status, body, text } = await admin('GET', '/shop');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      client_id: 'shop',
      configuration_key: 'clients.1',
      redirect_uris: ['https://shop.test/cb'],
    });
    expect(text).not.toContain('a secret');
    expect(instance.log()).not.toContain('a secret of');
  });

  it.each([
    ['PUT', '/shop', { client_name: 'other' }],
    ['PATCH', '/shop', [{ op: 'replace', path: '/client_name', value: 'other' }]],
    ['DELETE', '/shop', undefined],
    ['PUT', '/shop/lifespans', {}],
    ['POST', '/shop/secrets/rotate', undefined],
    ['DELETE', '/shop/secrets/rotate', undefined],
  ])('the client cannot be changed by %s %s', async (method, path, body) => {
    await startWith([job, shop]);
    const before = await admin('GET', '/shop');
    const answer = await admin(method, path, body);
    expect(answer).toMatchObject(refusal('request_forbidden', 403));
    expect(answer.body.error_description).toMatch(/The client shop is part of the configuration .*\(clients\.1\)/);
    expect((await admin('GET', '/shop')).text).toBe(before.text);
  });

  it('keeps its id: the admin API registers no other client under it', async () => {
    await startWith([shop]);
    const answer = await admin('POST', '', { client_id: 'shop', client_secret: 'of an attacker' });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('clients.0');
  });

  it('keeps its id and its metadata from clients that register themselves', async () => {
    await startWith([shop], { config: { oidc: { dynamicClientRegistration: { enabled: true, access: 'open' } } } });
    const url = `${instance.issuer}/oauth2/register`;
    const metadata = { client_id: 'shop', redirect_uris: ['https://evil.test/cb'] };
    expect((await sendJson('POST', url, metadata)).body.client_id).not.toBe('shop');
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await sendJson(method, `${url}/shop`, method === 'GET' ? undefined : metadata, 'guess')).status).toBe(
        401,
      );
    expect((await admin('GET', '/shop')).body.redirect_uris).toEqual(['https://shop.test/cb']);
  });

  it('the client is listed before those of the store, and pages join without a gap', async () => {
    await startWith([job, shop]);
    for (const client_id of ['a', 'b', 'c']) await admin('POST', '', { client_id });
    for (const size of [1, 2, 3, 4, 5, 6]) {
      const ids: unknown[] = [];
      let next: string | undefined = `?page_size=${size}`;
      while (next !== undefined) {
        const page = await admin('GET', next);
        expect(idsIn(page).length).toBeLessThanOrEqual(size);
        ids.push(...idsIn(page));
        next = /<\/admin\/clients([^>]*)>; rel="next"/.exec(page.link)?.[1];
      }
      expect(ids.slice(0, 2), `pages of ${size}`).toEqual(['job', 'shop']);
      expect(ids.slice(2).toSorted()).toEqual(['a', 'b', 'c']);
    }
  });

  it('takes precedence over a stored client with its id, whose secret and tokens have no effect', async () => {
    await startWith([]);
    await admin('POST', '', { ...job, client_secret: 'of the store' });
    const { body } = await tokenOf('job', 'of the store');
    await restartWith([job]);
    expect((await tokenOf('job', 'of the store')).status).toBe(401);
    expect(await isActive(body.access_token)).toBe(false);
    expect(idsIn(await admin('GET', ''))).toEqual(['job']);
  });

  it('keeps its tokens when the server restarts, until its token_epoch is increased', async () => {
    await startWith([job]);
    const { access_token } = (await tokenOf('job', 'a secret of the job')).body;
    for (const [token_epoch, expected] of [
      [0, true],
      [1, false],
    ] as const) {
      await restartWith([{ ...job, token_epoch }]);
      expect(await isActive(access_token), `token_epoch ${token_epoch}`).toBe(expected);
    }
  });

  it('has no effect any more once it is removed from the configuration', async () => {
    await startWith([job]);
    const { access_token } = (await tokenOf('job', 'a secret of the job')).body;
    await restartWith([]);
    expect(await isActive(access_token)).toBe(false);
    expect((await tokenOf('job', 'a secret of the job')).status).toBe(401);
    await admin('POST', '', { client_id: 'job', client_secret: 'of the store', grant_types: ['client_credentials'] });
    expect(await isActive(access_token), 'a client that took over the id').toBe(false);
  });

  it('has the tokens revoked that the admin API revokes by value', async () => {
    await startWith([job]);
    const { access_token } = (await tokenOf('job', 'a secret of the job')).body;
    await instance.carnet.tokens.revoke(String(access_token));
    expect(await isActive(access_token)).toBe(false);
    await expect(instance.carnet.tokens.revokeAccessTokens('job')).rejects.toThrow(/increase its token_epoch/);
  });
});

describe('wrong clients of the configuration', () => {
  const config: ConfigInput = { dev: true, storage: { default: 'memory:' } };
  const problemsOf = async (clients: unknown, more: ConfigInput = {}): Promise<string> => {
    const error = await createProvider({ ...config, ...more, clients: clients as Client[] }).then(
      async (carnet) => carnet.close().then(() => new Error('it started')),
      (thrown: Error) => thrown,
    );
    return error.message;
  };

  it('are reported together, each with its place, its id and what to do', async () => {
    instance = await start();
    const problems = await problemsOf(
      [
        { client_id: 'a', redirect_uri: 'https://a.test/' },
        { client_id: 'b', redirect_uris: 'https://b.test/', scope: 7 },
        { client_id: 'c', client_secret: 'short' },
        { client_id: 'c', client_secret: 'a long enough secret', redirect_uris: ['javascript:alert(1)'] },
        { client_name: 'no id', client_secret: 'a long enough secret' },
        { client_id: 'd' },
        { client_id: 'e', token_endpoint_auth_method: 'none', client_secret: 'a long enough secret' },
        { client_id: 'f', token_endpoint_auth_method: 'private_key_jwt' },
        'g',
      ],
      { log: { level: 'none' } as never },
    );
    expect(problems).toMatch(/^The configuration has 14 problems:/);
    for (const problem of [
      'log.level: must be one of',
      'clients.0.redirect_uri of "a": is no key of the configuration. Did you mean "redirect_uris"?',
      'clients.0.client_secret of "a": is missing. Set it (the carnet command also reads the variable CLIENT_A_SECRET',
      'clients.1.redirect_uris of "b": must be an array',
      'clients.1.scope of "b": must be a string',
      'clients.1.client_secret of "b": is missing',
      'clients.2.client_secret of "c": must be at least 16 characters long',
      'clients.3.redirect_uris.0 of "c": must not use a scheme of scripts',
      'clients.3.client_id of "c": is also the id of clients.2',
      'clients.4.client_id: is missing',
      'clients.5.client_secret of "d": is missing',
      'clients.6.client_secret of "e": is not used: token_endpoint_auth_method is none',
      'clients.7 of "f": When token_endpoint_auth_method is private_key_jwt, either jwks or jwks_uri must be set.',
      'clients.8: must be a client',
    ])
      expect(problems).toContain(`  - ${problem}`);
    expect(problems).not.toContain('a long enough');
  });

  it('are reported if a feature that they need is off', async () => {
    instance = await start();
    const problems = await problemsOf([
      { ...shop, subject_type: 'pairwise' },
      { ...job, id_token_encrypted_response_alg: 'RSA-OAEP' },
    ]);
    expect(problems).toMatch(/clients\.0 of "shop": subject_type must be 'public'/);
    expect(problems).toMatch(/clients\.1 of "job": .*features\.encryption/);
  });
});
