import { createPublicKey } from 'node:crypto';
import { assertHolds, assertSame } from '@carnet/adapter-contract/kit';
import { algorithmOf } from '../algorithm.ts';
import type { RemoteKey } from '../port.ts';
import { calm, handlesOf } from './assert.ts';
import { lawsOf, type SignerLaw } from './law.ts';
import { assertSigns, freshData, keysOf } from './signing.ts';

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth'] as const;

const described = (keys: readonly RemoteKey[]): unknown =>
  keys
    .map(({ handle, alg, kid, publicKey }) => {
      const { kty, crv, x, y, n, e } = publicKey;
      return { handle, alg, kid, kty, crv, x, y, n, e };
    })
    .toSorted((a, b) => (a.handle < b.handle ? -1 : 1));

/** The list of keys. */
export const keyLaws: readonly SignerLaw[] = lawsOf({
  'keys-name-their-algorithm': {
    says: 'A listed key has a handle of its own, an algorithm that Carnet signs with, and a public key that fits it.',
    async check(subject) {
      const keys = await keysOf(subject);
      assertSame(new Set(handlesOf(keys)).size, keys.length, 'the number of different handles');
      for (const { handle, alg, publicKey } of keys) {
        assertHolds(handle !== '', 'the handle of a key is empty');
        assertSame(algorithmOf(createPublicKey({ key: publicKey, format: 'jwk' })), alg, `the algorithm of ${handle}`);
      }
    },
  },
  'keys-have-no-private-members': {
    says: 'The public key of a listed key has public members only.',
    async check(subject) {
      for (const { handle, publicKey } of await keysOf(subject))
        for (const member of privateMembers)
          assertHolds(!(member in publicKey), `${handle} has the private member ${member}`);
    },
  },
  'listed-keys-sign': {
    says: 'Each listed key signs, and the signature verifies with its public key.',
    async check(subject) {
      for (const key of await keysOf(subject))
        await assertSigns(subject, key, freshData(), `a signature by ${key.handle}`);
    },
  },
  'keys-are-the-same-in-each-call': {
    says: 'A key has the same handle and the same public members in each list.',
    async check(subject) {
      const [first, second, third] = [await keysOf(subject), await keysOf(subject), await keysOf(subject)];
      assertSame(described(second), described(first), 'the keys in the second list');
      assertSame(described(third), described(first), 'the keys in the third list');
    },
  },
  'keys-are-the-same-in-each-instance': {
    says: 'Another signer on the same keys lists the same handles and public members, in the same order, and signs with them.',
    async check(subject) {
      const keys = await keysOf(subject);
      const signer = await subject.open();
      try {
        const listed = await signer.keys(calm());
        assertSame(handlesOf(listed), handlesOf(keys), 'the handles that another signer lists');
        assertSame(described(listed), described(keys), 'the keys that another signer lists');
        for (const key of keys)
          await assertSigns(
            { ...subject, signer },
            key,
            freshData(),
            `a signature by another signer with ${key.handle}`,
          );
      } finally {
        await signer.close();
      }
    },
  },
  'lists-do-not-share-objects': {
    says: 'A caller that changes a list does not change a later one.',
    async check(subject) {
      const before = described(await keysOf(subject));
      for (const key of await keysOf(subject)) {
        for (const member of ['x', 'y', 'n', 'e']) if (member in key.publicKey) key.publicKey[member] = 'AQAB';
        Object.assign(key, { handle: 'changed' });
      }
      assertSame(described(await keysOf(subject)), before, 'the keys after a caller changed an earlier list');
    },
  },
});
