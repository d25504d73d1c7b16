import { assertSame } from '@carnet/adapter-contract/kit';
import {
  assertAbortable,
  assertAborted,
  assertKeepsSecret,
  assertUnavailable,
  calm,
  during,
  handlesOf,
  rejectionOf,
} from './assert.ts';
import { lawsOf, type SignerLaw } from './law.ts';
import { assertSigns, freshData, keyOfEachAlgorithm, keysOf } from './signing.ts';

/** How calls end: aborted, closed, without a service, with an error. */
export const callLaws: readonly SignerLaw[] = lawsOf({
  'aborted-calls-reject': {
    says: 'A call whose signal is aborted rejects, and later calls succeed.',
    async check(subject) {
      for (const key of await keyOfEachAlgorithm(subject)) {
        await assertAborted((options) => subject.signer.keys(options), 'a list with an aborted signal');
        await assertAborted((options) => subject.signer.sign(key, freshData(), options), 'an aborted signature');
        await assertSigns(subject, key, freshData(), 'a signature after an aborted one');
      }
    },
  },
  'calls-without-an-answer-are-abortable': {
    says: 'A call that waits for the service rejects soon after its signal is aborted, and later calls succeed.',
    needs: ['stall'],
    async check(subject) {
      const [key] = await keysOf(subject);
      await during(subject.stall, async () => {
        if (key)
          await assertAbortable(
            (options) => subject.signer.sign(key, freshData(), options),
            'a signature without an answer',
          );
        await assertAbortable((options) => subject.signer.keys(options), 'a list without an answer');
      });
      if (key) await assertSigns(subject, key, freshData(), 'a signature after calls without an answer');
    },
  },
  'closed-signers-reject': {
    says: 'After close, calls reject, and another close resolves.',
    async check(subject) {
      const [key] = await keysOf(subject);
      const signer = await subject.open();
      await signer.keys(calm());
      await signer.close();
      await rejectionOf(() => signer.keys(calm()), 'a list after close');
      if (key) await rejectionOf(() => signer.sign(key, freshData(), calm()), 'a signature after close');
      await signer.close();
    },
  },
  'closing-one-signer-leaves-the-others': {
    says: 'After one signer is closed, other signers on the same keys list and sign without an error.',
    async check(subject) {
      const [key] = await keysOf(subject);
      const [first, second] = [await subject.open(), await subject.open()];
      try {
        await Promise.all([first.keys(calm()), second.keys(calm())]);
        await first.close();
        for (const signer of [second, subject.signer]) {
          await signer.keys(calm());
          if (key)
            await assertSigns({ ...subject, signer }, key, freshData(), 'a signature after another signer closed');
        }
      } finally {
        await first.close();
        await second.close();
      }
    },
  },
  'outages-are-unavailable-and-end': {
    says: 'During an outage calls reject with a SignerUnavailableError, and the first call after it succeeds.',
    needs: ['interrupt'],
    async check(subject) {
      const keys = await keysOf(subject);
      const [key] = keys;
      await during(subject.interrupt, async () => {
        if (key) await assertUnavailable(() => subject.signer.sign(key, freshData(), calm()), 'signing in an outage');
        await assertUnavailable(() => subject.signer.keys(calm()), 'a list in an outage');
      });
      if (key) await assertSigns(subject, key, freshData(), 'the first signature after an outage');
      assertSame(handlesOf(await keysOf(subject)), handlesOf(keys), 'the keys after an outage');
    },
  },
  'ended-sessions-are-renewed': {
    says: 'After the sessions end, the next calls succeed, also a hundred at once, and with the same handles.',
    needs: ['endSessions'],
    async check(subject) {
      const keys = await keysOf(subject);
      const [key] = keys;
      await subject.endSessions?.();
      if (key) await assertSigns(subject, key, freshData(), 'the first signature after the sessions ended');
      await subject.endSessions?.();
      assertSame(handlesOf(await keysOf(subject)), handlesOf(keys), 'the keys after the sessions ended');
      await subject.endSessions?.();
      const sign = async () => key && (await assertSigns(subject, key, freshData(), 'one of a hundred signatures'));
      await Promise.all(Array.from({ length: 100 }, sign));
    },
  },
  'errors-keep-secrets': {
    says: 'An error contains neither the data nor a credential, not in its causes either.',
    async check(subject) {
      const [key] = await keysOf(subject);
      if (!key) return;
      const data = freshData();
      const secrets = [data, ...(subject.credentials ?? [])];
      const aborted = { signal: AbortSignal.abort(new Error('the law aborted the call')) };
      const calls = [() => subject.signer.sign(key, data, aborted)];
      if (!subject.serviceChoosesKey)
        calls.push(() => subject.signer.sign({ ...key, handle: `${key.handle}0` }, data, calm()));
      for (const call of calls) assertKeepsSecret(await rejectionOf(call, 'a failing call'), secrets, 'a failing call');
      await during(subject.interrupt, async () => {
        const error = await rejectionOf(() => subject.signer.sign(key, data, calm()), 'signing in an outage');
        assertKeepsSecret(error, secrets, 'signing in an outage');
      });
    },
  },
});
