import { keyWrapperLaws, reasonToSkip, signerLaws } from '@carnet/signer-contract/laws';
import { openKeyWrapper, openSigner } from '@carnet/signer-pkcs11';
import { startSoftHsm } from '@carnet/test-servers';
import { afterAll, describe, test } from 'vitest';

const hsm = await startSoftHsm();
afterAll(() => hsm.close());

const types = { ES256: 'EC:prime256v1', RS256: 'rsa:2048', EdDSA: 'EC:edwards25519' } as const;
let keys = 0;
const newId = (): string => (++keys).toString(16).padStart(4, '0');
const addKey = (alg: keyof typeof types) => hsm.generate({ type: types[alg], label: 'signing', id: newId() });
const addAesKey = () => hsm.generate({ type: 'aes:32', label: 'sealing', id: newId() });

for (const alg of ['ES256', 'RS256', 'EdDSA'] as const) await addKey(alg);
await addAesKey();

const open = () => openSigner({ url: hsm.url('signing') });
const openWrapper = () => openKeyWrapper({ url: hsm.url('sealing') });
const [signer, wrapper] = [await open(), await openWrapper()];
afterAll(() => Promise.all([signer.close(), wrapper.close()]));

const { interrupt, stall, endSessions } = hsm;
const faults = { credentials: [hsm.pin], interrupt, stall, endSessions };

describe('the signer on PKCS #11 keeps the laws of the signer port', () => {
  const subject = {
    ...{ ...faults, signer, open },
    rotate: ({ alg }: { alg: keyof typeof types }) => addKey(alg),
    disable: ({ handle }: { handle: string }) => hsm.destroy(handle.split(':')[0] ?? '', 'privkey'),
  };
  for (const law of signerLaws) {
    const reason = reasonToSkip(law, subject);
    test.skipIf(reason)(reason ? `${law.name} (${reason})` : law.name, () => law.check(subject));
  }
});

describe('the key wrapper on PKCS #11 keeps the laws of the signer port', () => {
  const subject = { ...faults, wrapper, open: openWrapper, rotate: addAesKey };
  for (const law of keyWrapperLaws) {
    const reason = reasonToSkip(law, subject);
    test.skipIf(reason)(reason ? `${law.name} (${reason})` : law.name, () => law.check(subject));
  }
});
