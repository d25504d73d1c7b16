import { randomBytes } from 'node:crypto';
import { assertHolds, assertSame } from '@carnet/adapter-contract/kit';
import { calm } from './assert.ts';
import { lawsOf, type SignerLaw, type SignerSubject } from './law.ts';
import { assertSignedBy, assertSigns, keyOfEachAlgorithm, keysOf } from './signing.ts';

const assertSignsLengths = async (subject: SignerSubject, lengths: readonly number[]): Promise<void> => {
  for (const key of await keyOfEachAlgorithm(subject))
    for (const length of lengths)
      await assertSigns(subject, key, randomBytes(length), `a signature of ${length} bytes`);
};

/** A signer signs the data of the call: all of it, and no other bytes. */
export const dataLaws: readonly SignerLaw[] = lawsOf({
  'signs-short-data': {
    says: 'Data of 1, 2 and 4,096 bytes is signed.',
    check: (subject) => assertSignsLengths(subject, [1, 2, 4_096]),
  },
  'signs-long-data': {
    says: 'Data of 4,097 bytes and of 1 MiB is signed in full.',
    check: (subject) => assertSignsLengths(subject, [4_097, 1_048_576]),
  },
  'signs-all-byte-values': {
    says: 'Data with every byte value, also as its first and its last byte, is signed as it is.',
    async check(subject) {
      const all = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
      for (const key of await keyOfEachAlgorithm(subject))
        for (const data of [all, all.toReversed(), Buffer.from([0, 0]), Buffer.from('  é\r\n\0', 'utf8')])
          await assertSigns(subject, key, data, `a signature of the bytes ${Buffer.from(data).toString('hex')}`);
    },
  },
  'signs-a-part-of-a-buffer': {
    says: 'Data that is a part of a larger buffer is signed without the rest.',
    async check(subject) {
      const whole = randomBytes(96);
      for (const key of await keyOfEachAlgorithm(subject))
        await assertSigns(
          subject,
          key,
          new Uint8Array(whole.buffer, whole.byteOffset + 32, 32),
          'a signature of a part',
        );
    },
  },
  'a-hundred-signatures-at-once': {
    says: 'A hundred calls at once, and lists between them, each get the signature of their own data.',
    async check(subject) {
      const keys = await keysOf(subject);
      const calls = Array.from({ length: 100 }, (_, index) => ({
        key: keys[index % keys.length] ?? keys[0],
        data: Buffer.from(`${index}.${randomBytes(200).toString('base64url')}`),
      }));
      const [results] = await Promise.all([
        Promise.all(calls.map(async ({ key, data }) => key && (await subject.signer.sign(key, data, calm())))),
        ...Array.from({ length: 4 }, async () =>
          assertSame((await subject.signer.keys(calm())).length, keys.length, 'the number of keys in a list between'),
        ),
      ]);
      for (const [index, { key, data }] of calls.entries()) {
        const result = results[index];
        assertHolds(key !== undefined && result !== undefined, `call ${index} of a hundred has no result`);
        await assertSignedBy(subject, key, { data, result, what: `call ${index} of a hundred` });
      }
    },
  },
});
