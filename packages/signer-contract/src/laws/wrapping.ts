import { randomBytes } from 'node:crypto';
import { assertHolds, assertSame } from '@carnet/adapter-contract/kit';
import { assertUnfit, calm } from './assert.ts';
import { lawsOf, type WrapperLaw, type WrapperSubject } from './law.ts';

const largestBytes = 64;

const assertRoundTrip = async ({ wrapper }: WrapperSubject, secret: Uint8Array, what: string): Promise<void> => {
  const unwrapped = await wrapper.unwrap(await wrapper.wrap(secret, calm()), calm());
  assertHolds(Buffer.from(unwrapped).equals(secret), `${what} came back changed`);
};

/** Calls that a service may limit run in groups of eight. */
const inGroups = async <Item>(items: readonly Item[], run: (item: Item) => Promise<void>): Promise<void> => {
  for (let at = 0; at < items.length; at += 8) await Promise.all(items.slice(at, at + 8).map(run));
};

/** The effect of `wrap` and `unwrap` on a secret. */
export const wrappingLaws: readonly WrapperLaw[] = lawsOf({
  'secrets-come-back': {
    says: 'Unwrapping returns the wrapped secret, for each length from 1 to 64 bytes and for every byte value.',
    async check(subject) {
      const lengths = Array.from({ length: largestBytes }, (_, index) => index + 1);
      await inGroups(lengths, (length) => assertRoundTrip(subject, randomBytes(length), `a secret of ${length} bytes`));
      for (const start of [0, 64, 128, 192]) {
        const secret = Buffer.from(Array.from({ length: 64 }, (_, index) => start + index));
        await assertRoundTrip(subject, secret, `a secret of the bytes from ${start}`);
      }
      await assertRoundTrip(subject, Buffer.alloc(32), 'a secret of zeros');
    },
  },
  'wrapped-secrets-are-hidden': {
    says: 'A wrapped secret does not contain the secret in any usual encoding.',
    async check({ wrapper }) {
      const secret = randomBytes(32);
      const wrapped = Buffer.from(await wrapper.wrap(secret, calm()));
      for (const form of ['latin1', 'hex', 'base64', 'base64url'] as const) {
        // The last characters of base64 depend on what follows.
        const visible = secret.toString(form).replaceAll('=', '').slice(0, -1);
        assertHolds(!wrapped.toString('latin1').includes(visible), `a wrapped secret contains the secret as ${form}`);
      }
    },
  },
  'wrapping-twice-differs': {
    says: 'Two wraps of the same secret differ.',
    async check({ wrapper }) {
      const secret = randomBytes(32);
      const [first, second] = [await wrapper.wrap(secret, calm()), await wrapper.wrap(secret, calm())];
      assertHolds(!Buffer.from(first).equals(second), 'two wraps of the same secret are equal');
    },
  },
  'changed-bytes-are-refused': {
    says: 'Unwrapping is a SignerUnfitError when any one byte was changed.',
    async check({ wrapper }) {
      const wrapped = await wrapper.wrap(randomBytes(32), calm());
      const positions = Array.from({ length: wrapped.length }, (_, index) => index);
      await inGroups(positions, async (position) => {
        const changed = Buffer.from(wrapped);
        changed[position] = (changed[position] ?? 0) ^ 1;
        await assertUnfit(() => wrapper.unwrap(changed, calm()), `unwrapping with byte ${position} changed`);
      });
    },
  },
  'other-lengths-are-refused': {
    says: 'Unwrapping is a SignerUnfitError when bytes are missing or were added, and for no bytes at all.',
    async check({ wrapper }) {
      const wrapped = Buffer.from(await wrapper.wrap(randomBytes(32), calm()));
      const others = [
        ['no bytes', Buffer.alloc(0)],
        ['one byte', wrapped.subarray(0, 1)],
        ['half of the bytes', wrapped.subarray(0, wrapped.length / 2)],
        ['all but the last byte', wrapped.subarray(0, -1)],
        ['all but the first byte', wrapped.subarray(1)],
        ['one byte more', Buffer.concat([wrapped, Buffer.alloc(1)])],
        ['the bytes twice', Buffer.concat([wrapped, wrapped])],
      ] as const;
      for (const [what, bytes] of others) await assertUnfit(() => wrapper.unwrap(bytes, calm()), `unwrapping ${what}`);
    },
  },
  'other-instances-unwrap': {
    says: 'Another key wrapper on the same key unwraps the secret.',
    async check({ wrapper, open }) {
      const secret = randomBytes(32);
      const wrapped = await wrapper.wrap(secret, calm());
      const other = await open();
      try {
        assertHolds(
          Buffer.from(await other.unwrap(wrapped, calm())).equals(secret),
          'another wrapper returned another secret',
        );
      } finally {
        await other.close();
      }
    },
  },
  'old-values-unwrap-after-rotation': {
    says: 'After the key is rotated, older values unwrap, and newer ones, too.',
    needs: ['rotate'],
    async check(subject) {
      const secrets = [randomBytes(32), randomBytes(32), randomBytes(32)];
      const wrapped: Uint8Array[] = [];
      for (const secret of secrets) {
        wrapped.push(await subject.wrapper.wrap(secret, calm()));
        await subject.rotate?.();
      }
      for (const [index, value] of wrapped.entries()) {
        const unwrapped = Buffer.from(await subject.wrapper.unwrap(value, calm()));
        assertSame(unwrapped.toString('hex'), secrets[index]?.toString('hex'), `secret ${index} after rotations`);
      }
    },
  },
  'round-trips-at-once': {
    says: 'Twenty round trips at once each return their own secret.',
    async check(subject) {
      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          assertRoundTrip(subject, randomBytes(32), `secret ${index} of twenty`),
        ),
      );
    },
  },
});
