import { join } from 'node:path';
import { createProvider } from '@carnet/provider';
import { folderForTests } from '@carnet/test-servers/folder-for-tests';
import { beforeAll, describe, expect, it } from 'vitest';
import { createSigningService } from '../../provider/test/signing-service.ts';
import { runCarnet } from './run-carnet.ts';

const service = createSigningService();
const folder = folderForTests();

describe('carnet keys, with keys at a service', () => {
  let env: Record<string, string>;

  const carnet = (argv: readonly string[], over: Record<string, string> = {}) => runCarnet(argv, { ...env, ...over });

  /** A process that reads the versions once. */
  const servedOnce = async (): Promise<void> => {
    const provider = await createProvider(
      {
        issuer: env.ISSUER as string,
        storage: { default: env.DATABASE_URL as string, migrate: true },
        secrets: { system: [env.SECRETS_SYSTEM as string] },
        urls: { login: env.URLS_LOGIN as string, consent: env.URLS_CONSENT as string },
        keys: { idTokenAlg: 'ES256' },
      },
      { signers: [service.signer] },
    );
    await provider.close();
  };

  beforeAll(async () => {
    env = {
      ISSUER: 'https://op.example',
      DATABASE_URL: `sqlite:${join(folder, 'carnet.db')}`,
      SECRETS_SYSTEM: 'a system secret of the tests - long enough',
      URLS_LOGIN: 'https://app.example/login',
      URLS_CONSENT: 'https://app.example/consent',
      KEYS_SOURCE: 'external',
      SIGNER: 'awskms:alias/carnet?region=eu-west-1',
      ID_TOKEN_ALG: 'ES256',
    };
    await servedOnce();
  });

  it('list shows service and handle, without a call of the service', async () => {
    const { out } = await carnet(['keys', 'list']);
    expect(out).toContain('HANDLE');
    expect(out).toMatch(/ES256 +active +test-kms +keys\/ES256\/versions\/1/);
    const [key] = JSON.parse((await carnet(['keys', 'list', '--format', 'json'])).out);
    expect(key).toMatchObject({ service: 'test-kms', handle: 'keys/ES256/versions/1', state: 'active' });
    expect(key).not.toHaveProperty('d');
  });

  it('rotate says that the version is made at the service, and --now lets an announced one sign soon', async () => {
    const refused = await carnet(['keys', 'rotate']);
    expect([refused.exitCode === 0, refused.err]).toEqual([
      false,
      expect.stringContaining('Create one at the service'),
    ]);
    service.rotate('ES256');
    await servedOnce();
    expect((await carnet(['keys', 'rotate'])).out).toContain('is announced already');
    expect((await carnet(['keys', 'rotate', '--now', '--drop'])).err).toContain(
      'Disable the version that leaked there',
    );
    expect((await carnet(['keys', 'rotate', '--now'])).out).toMatch(/^ES256: \S{43} is announced, and signs from /);
    const keys = JSON.parse((await carnet(['keys', 'list', '--format', 'json'])).out) as {
      state: string;
      until?: string;
    }[];
    const announced = keys.find(({ state }) => state === 'announced');
    // Without --now it would be two weeks.
    expect(Date.parse(announced?.until ?? '') - Date.now()).toBeLessThan(3_600_000);
  });

  it('unseal and a misspelt URL say what they need', async () => {
    expect((await carnet(['keys', 'unseal'])).err).toContain('KEYS_SEALED_BY is not set');
    expect((await carnet(['keys', 'list'], { SIGNER: 'kms:carnet' })).err).toContain('must be a URL that begins with');
  });
});
