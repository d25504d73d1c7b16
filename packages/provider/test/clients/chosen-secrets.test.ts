import { beforeAll, describe, expect, test } from 'vitest';
import { startBeforeTests } from '../before-tests.ts';
import { adminClients, postForm, refusal } from '../call.ts';
import type { Instance } from '../harness.ts';

const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64');

type Sending = (id: string, secret: string) => { form?: Record<string, string>; credentials?: string };
const sendings: Readonly<Record<string, Sending>> = {
  'in the header, form-encoded (RFC 6749, section 2.3.1)': (id, secret) => ({
    credentials: base64(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`),
  }),
  'in the header, as it is': (id, secret) => ({ credentials: base64(`${id}:${secret}`) }),
  'in the body': (id, secret) => ({ form: { client_id: id, client_secret: secret } }),
};
const ask = ({ issuer }: Instance, { form = {}, credentials }: ReturnType<Sending>, path = '/oauth2/token') =>
  postForm(
    `${issuer}${path}`,
    { grant_type: 'client_credentials', token: 'x', ...form },
    credentials === undefined ? {} : { authorization: `Basic ${credentials}` },
  );

const secrets = {
  wide: 'ein Schlüssel 🔑 – 鍵!',
  long: 'a secret that is longer than bcrypt reads, '.repeat(20),
  'wide-and-long': 'Schlüssel '.repeat(80),
};

describe('a chosen secret', () => {
  const instance = startBeforeTests();
  beforeAll(async () => {
    for (const [id, secret] of Object.entries(secrets)) {
      const metadata = { client_id: id, client_secret: secret, grant_types: ['client_credentials'] };
      const { status, body } = await adminClients(instance, 'POST', '', metadata);
      expect([status, body.client_secret]).toEqual([201, secret]);
    }
  });

  describe.each(Object.entries(sendings))('sent %s', (_how, sending) => {
    test.each(Object.entries(secrets))(
      '%s: is right the first time and the second, and no other is',
      async (id, secret) => {
        for (const time of ['first', 'second']) {
          expect((await ask(instance, sending(id, secret))).status, time).toBe(200);
          const others = [`${secret}x`, secret.slice(0, -1), `x${secret.slice(1)}`, 'hidden', secret.slice(0, 12)];
          for (const other of others)
            expect(await ask(instance, sending(id, other)), other).toMatchObject(refusal('invalid_client', 401));
        }
      },
    );

    test('the secret is accepted at the other endpoints too', async () => {
      expect((await ask(instance, sending('wide', secrets.wide), '/oauth2/revoke')).status).toBe(200);
      expect((await ask(instance, sending('wide', 'falscher Schlüssel'), '/oauth2/revoke')).status).toBe(401);
    });
  });

  test.each([
    ['bytes that are no UTF-8', Buffer.from([0x77, 0x69, 0x64, 0x65, 0x3a, 0xff, 0xfe, 0xfd])],
    ['control characters', 'wide:Schlüssel%00%0A'],
    ['an id beyond ASCII', 'wïde:Schlüssel'],
    ['a broken escape', 'wide:Schlüssel%'],
  ])('in a header with %s is refused as malformed', async (_what, text) => {
    expect(await ask(instance, { credentials: base64(text) })).toMatchObject(refusal('invalid_request'));
  });

  test('the secret appears neither in the log nor in the store', async () => {
    const { records } = await instance.adapter.list({ kind: 'client', limit: 100 });
    for (const text of [instance.log(), ...records.map(({ payload }) => payload)])
      for (const secret of Object.values(secrets)) expect(text).not.toContain(secret.slice(0, 12));
  });
});
