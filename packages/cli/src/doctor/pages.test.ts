import { expect, test } from 'vitest';
import { parseConfig } from '../../../provider/src/config/parse-config.ts';
import { generateKeys } from '../../../provider/src/keys/sources/generate-keys.ts';
import { pages } from './pages.ts';

const nowhere = 'http://127.0.0.1:1';

const found = async (device: { enabled: boolean }, verification?: string) => {
  const config = parseConfig({
    issuer: 'https://op.test',
    secrets: { system: ['0123456789abcdef0123456789abcdef'] },
    storage: { default: 'sqlite:carnet.db' },
    keys: { jwks: { keys: generateKeys().keys.map((key) => ({ ...key })) } },
    urls: { login: `${nowhere}/login`, consent: `${nowhere}/consent`, device: { verification } },
    features: { device },
  });
  const findings = await pages.run({ config, issuerName: undefined, now: Date.now });
  return findings.map(({ what }) => what).join('\n');
};

test('the device flow without its page is found', async () => {
  expect(await found({ enabled: true })).toContain('urls.device.verification: is not set');
  expect(await found({ enabled: false })).not.toContain('urls.device.verification');
  expect(await found({ enabled: true }, `${nowhere}/device`)).not.toContain('is not set');
});
