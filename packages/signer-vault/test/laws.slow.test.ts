import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SignerSubject, WrapperSubject } from '@carnet/signer-contract/laws';
import { startVault } from '@carnet/test-servers';
import { beforeTests } from '@carnet/test-servers/before-tests';
import { afterAll, beforeAll, beforeEach, describe, vi } from 'vitest';
import { testKeyWrapperLaws, testSignerLaws } from '../../signer-contract/test/laws.ts';
import { openKeyWrapper, openSigner } from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'carnet-vault-'));
const tokenFile = join(folder, 'token');
const vault = beforeTests(() => startVault({ namespace: 'admin/shop' }));
let count = 0;

beforeAll(async () => {
  writeFileSync(tokenFile, `${vault.token()}\n`);
});
beforeEach(() => {
  vi.stubEnv('VAULT_ADDR', vault.url);
  vi.stubEnv('VAULT_NAMESPACE', 'admin/shop/');
  vi.stubEnv('VAULT_TOKEN', '');
  vi.stubEnv('VAULT_TOKEN_FILE', tokenFile);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const faults = () => ({
  credentials: [vault.token()],
  interrupt: async () => vault.setOutage(503),
  stall: async () => vault.setOutage('hang'),
  endSessions: async () => writeFileSync(tokenFile, vault.rotateToken()),
});

describe.each(['ecdsa-p256', 'rsa-2048', 'ed25519'] as const)('the signer of a transit key of type %s', (type) => {
  const open = async (): Promise<SignerSubject> => {
    const name = `${type}-${count++}`;
    vault.addKey(name, type);
    const openAgain = () => openSigner({ url: `vault:transit/${name}` });
    return { ...faults(), signer: await openAgain(), open: openAgain, rotate: async () => vault.rotate(name) };
  };

  // Vault disables all versions below one, and no single one.
  testSignerLaws(open, ['disabled-keys-are-not-listed']);
});

describe('the key wrapper of a transit key', () => {
  const open = async (): Promise<WrapperSubject> => {
    const name = `wrapping-${count++}`;
    vault.addKey(name, 'aes256-gcm96');
    const openAgain = () => openKeyWrapper({ url: `vault:transit/${name}` });
    return { ...faults(), wrapper: await openAgain(), open: openAgain, rotate: async () => vault.rotate(name) };
  };

  testKeyWrapperLaws(open);
});
