import type { SigningAlgorithm } from '@carnet/signer-contract';
import { openKeyWrapper, openSigner } from '@carnet/signer-pkcs11';
import { startSoftHsm } from '@carnet/test-servers';
import { afterAll, describe } from 'vitest';
import { testKeyWrapperLaws, testSignerLaws } from '../../signer-contract/test/laws.ts';

const hsm = await startSoftHsm();
afterAll(() => hsm.close());

const types = { ES256: 'EC:prime256v1', RS256: 'rsa:2048', EdDSA: 'EC:edwards25519' } as const;
let keys = 0;
const newId = (): string => (++keys).toString(16).padStart(4, '0');
const addKey = (alg: SigningAlgorithm) => hsm.generate({ type: types[alg], label: 'signing', id: newId() });
const addAesKey = () => hsm.generate({ type: 'aes:32', label: 'sealing', id: newId() });

for (const alg of ['ES256', 'RS256', 'EdDSA'] as const) await addKey(alg);
await addAesKey();

const open = () => openSigner({ url: hsm.url('signing') });
const openWrapper = () => openKeyWrapper({ url: hsm.url('sealing') });

const { interrupt, stall, endSessions } = hsm;
const faults = { credentials: [hsm.pin], interrupt, stall, endSessions };

describe('the signer on PKCS #11', () =>
  testSignerLaws(async () => ({
    ...{ ...faults, signer: await open(), open },
    rotate: ({ alg }) => addKey(alg),
    disable: ({ handle }) => hsm.destroy(handle.split(':')[0] ?? '', 'privkey'),
  })));

describe('the key wrapper on PKCS #11', () =>
  testKeyWrapperLaws(async () => ({ ...faults, wrapper: await openWrapper(), open: openWrapper, rotate: addAesKey })));
