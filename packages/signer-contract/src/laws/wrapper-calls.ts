import { randomBytes } from 'node:crypto';
import { assertHolds } from '@carnet/adapter-contract/kit';
import {
  assertAbortable,
  assertAborted,
  assertKeepsSecret,
  assertUnavailable,
  calm,
  during,
  rejectionOf,
} from './assert.ts';
import { lawsOf, type WrapperLaw } from './law.ts';

/** How the calls of a key wrapper end: aborted, closed, without a service, with an error. */
export const wrapperCallLaws: readonly WrapperLaw[] = lawsOf({
  'aborted-wrapper-calls-reject': {
    says: 'A call whose signal is aborted rejects, and later calls succeed.',
    async check({ wrapper }) {
      const wrapped = await wrapper.wrap(randomBytes(32), calm());
      await assertAborted((options) => wrapper.wrap(randomBytes(32), options), 'an aborted wrap');
      await assertAborted((options) => wrapper.unwrap(wrapped, options), 'an aborted unwrap');
      await wrapper.unwrap(wrapped, calm());
    },
  },
  'wrapper-calls-without-an-answer-are-abortable': {
    says: 'A call that waits for the service rejects soon after its signal is aborted, and later calls succeed.',
    needs: ['stall'],
    async check({ wrapper, stall }) {
      const wrapped = await wrapper.wrap(randomBytes(32), calm());
      await during(stall, async () => {
        await assertAbortable((options) => wrapper.wrap(randomBytes(32), options), 'a wrap without an answer');
        await assertAbortable((options) => wrapper.unwrap(wrapped, options), 'an unwrap without an answer');
      });
      await wrapper.unwrap(wrapped, calm());
    },
  },
  'closed-wrappers-reject': {
    says: 'After close, calls reject, another close resolves, and other key wrappers still work.',
    async check({ wrapper, open }) {
      const wrapped = await wrapper.wrap(randomBytes(32), calm());
      const other = await open();
      await other.unwrap(wrapped, calm());
      await other.close();
      await rejectionOf(() => other.wrap(randomBytes(32), calm()), 'a wrap after close');
      await rejectionOf(() => other.unwrap(wrapped, calm()), 'an unwrap after close');
      await other.close();
      await wrapper.unwrap(wrapped, calm());
    },
  },
  'wrapper-outages-are-unavailable-and-end': {
    says: 'During an outage calls reject with a SignerUnavailableError, and the first call after it succeeds.',
    needs: ['interrupt'],
    async check({ wrapper, interrupt }) {
      const secret = randomBytes(32);
      const wrapped = await wrapper.wrap(secret, calm());
      await during(interrupt, async () => {
        await assertUnavailable(() => wrapper.unwrap(wrapped, calm()), 'an unwrap in an outage');
        await assertUnavailable(() => wrapper.wrap(secret, calm()), 'a wrap in an outage');
      });
      assertHolds(Buffer.from(await wrapper.unwrap(wrapped, calm())).equals(secret), 'a secret changed in an outage');
    },
  },
  'ended-wrapper-sessions-are-renewed': {
    says: 'After the sessions end, the next call succeeds.',
    needs: ['endSessions'],
    async check({ wrapper, endSessions }) {
      const wrapped = await wrapper.wrap(randomBytes(32), calm());
      await endSessions?.();
      await wrapper.unwrap(wrapped, calm());
      await endSessions?.();
      await wrapper.wrap(randomBytes(32), calm());
    },
  },
  'wrapper-errors-keep-secrets': {
    says: 'An error contains neither the secret nor a credential, not in its causes either.',
    async check({ wrapper, interrupt, credentials = [] }) {
      const secret = randomBytes(32);
      const secrets = [secret, ...credentials];
      const aborted = { signal: AbortSignal.abort(new Error('the law aborted the call')) };
      const wrapped = Buffer.from(await wrapper.wrap(secret, calm()));
      const calls = [
        () => wrapper.wrap(secret, aborted),
        () => wrapper.unwrap(wrapped, aborted),
        () => wrapper.unwrap(wrapped.subarray(0, -1), calm()),
      ];
      for (const call of calls) assertKeepsSecret(await rejectionOf(call, 'a failing call'), secrets, 'a failing call');
      await during(interrupt, async () => {
        const error = await rejectionOf(() => wrapper.wrap(secret, calm()), 'a wrap in an outage');
        assertKeepsSecret(error, secrets, 'a wrap in an outage');
      });
    },
  },
});
