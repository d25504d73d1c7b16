import { assertHolds, assertSame } from '@carnet/adapter-contract/kit';
import type { RemoteKey } from '../port.ts';
import { assertUnfit, calm, handlesOf } from './assert.ts';
import { lawsOf, type SignerLaw, type SignerSubject } from './law.ts';
import { assertSigns, freshData, keyOfEachAlgorithm, keysOf } from './signing.ts';

/** Rotates a key. Returns the key that is new. */
const rotated = async (subject: SignerSubject, key: RemoteKey): Promise<RemoteKey> => {
  const before = handlesOf(await keysOf(subject));
  await subject.rotate?.(key);
  const added = (await keysOf(subject)).filter(({ handle }) => !before.includes(handle));
  assertSame(added.length, 1, 'the number of keys with a new handle after one rotation');
  return added[0] as RemoteKey;
};

/** Versions of a key: older and newer ones, disabled ones, and versions that do not exist. */
export const versionLaws: readonly SignerLaw[] = lawsOf({
  'new-versions-are-listed-last': {
    says: 'A newer version is a new key, which is listed after the older ones of its algorithm; they keep their handles.',
    needs: ['rotate'],
    async check(subject) {
      for (const key of await keyOfEachAlgorithm(subject)) {
        const before = (await keysOf(subject)).filter(({ alg }) => alg === key.alg);
        const added = await rotated(subject, key);
        const after = (await keysOf(subject)).filter(({ alg }) => alg === key.alg);
        assertSame(handlesOf(after), [...handlesOf(before), added.handle], `the ${key.alg} keys after a rotation`);
        assertHolds(
          !before.some(({ publicKey }) => JSON.stringify(publicKey) === JSON.stringify(added.publicKey)),
          'the newer version has the public key of an older one',
        );
      }
    },
  },
  'older-versions-sign': {
    says: 'A signature by an older version, made while a newer one exists, verifies with the older one.',
    needs: ['choice', 'rotate'],
    async check(subject) {
      for (const key of await keyOfEachAlgorithm(subject)) {
        const added = await rotated(subject, key);
        await assertSigns(subject, key, freshData(), 'a signature by the older version');
        await assertSigns(subject, added, freshData(), 'a signature by the newer version');
        await assertSigns(subject, key, freshData(), 'a signature by the older version after one by the newer');
      }
    },
  },
  'disabled-keys-are-not-listed': {
    says: 'A disabled key is not listed, and signing with it is a SignerUnfitError.',
    needs: ['rotate', 'disable'],
    async check(subject) {
      for (const key of await keyOfEachAlgorithm(subject)) {
        const added = await rotated(subject, key);
        await subject.disable?.(added);
        const handles = handlesOf(await keysOf(subject));
        assertHolds(!handles.includes(added.handle), 'a disabled key is listed');
        assertHolds(handles.includes(key.handle), 'a key is not listed after another one was disabled');
        if (!subject.serviceChoosesKey)
          await assertUnfit(() => subject.signer.sign(added, freshData(), calm()), 'signing with a disabled key');
        await assertSigns(subject, key, freshData(), 'a signature after another key was disabled');
      }
    },
  },
  'unknown-keys-are-unfit': {
    says: 'Signing with a key that the service does not have is a SignerUnfitError, and other keys still sign.',
    needs: ['choice'],
    async check(subject) {
      for (const key of await keyOfEachAlgorithm(subject)) {
        const unknown = { ...key, handle: `${key.handle}0` };
        await assertUnfit(() => subject.signer.sign(unknown, freshData(), calm()), 'signing with an unknown key');
        await assertSigns(subject, key, freshData(), 'a signature after a call with an unknown key');
      }
    },
  },
});
