import { once } from 'node:events';
import { SignerUnavailableError, SignerUnfitError } from '@carnet/signer-contract';
import { describe, expect, it } from 'vitest';
import { createSigningQueue, observed, type SignerCall } from './calls.ts';

const limits = { timeoutMs: 400, concurrency: 2 };
const unavailable = () => new SignerUnavailableError('The service is busy.');

describe('a call of a signing service', () => {
  it('a call is repeated once after an outage', async () => {
    let calls = 0;
    const run = createSigningQueue({ ...limits, timeoutMs: 10_000 });
    const result = await run(async () => {
      calls += 1;
      if (calls === 1) throw unavailable();
      return 'signed';
    });
    expect([result, calls]).toEqual(['signed', 2]);
    const failing = run(async () => {
      calls += 1;
      throw unavailable();
    });
    await expect(failing).rejects.toThrow('busy');
    expect(calls).toBe(4);
  });

  it('ends at its deadline without a repetition, so that no timeout is negative', async () => {
    let calls = 0;
    const run = createSigningQueue({ ...limits, timeoutMs: 40 });
    const failing = run(async () => {
      calls += 1;
      const until = performance.now() + 60;
      while (performance.now() < until);
      throw unavailable();
    });
    await expect(failing).rejects.toThrow('The service is busy.');
    expect(calls).toBe(1);
  });

  it('a call is never repeated if an operator must act', async () => {
    let calls = 0;
    const run = createSigningQueue(limits);
    const failing = run(async () => {
      calls += 1;
      throw new SignerUnfitError('Grant the permission.');
    });
    await expect(failing).rejects.toThrow('Grant the permission.');
    expect(calls).toBe(1);
  });

  it('ends at its deadline, is aborted, and gives its place to the next, even if it never ends', async () => {
    const run = createSigningQueue(limits);
    const signals: AbortSignal[] = [];
    const stuck = Array.from({ length: 2 }, () =>
      run(({ signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      }),
    );
    const waiting = run(async () => 'its turn came');
    const results = await Promise.allSettled([...stuck, waiting]);
    expect(results.map(({ status }) => status).slice(0, 2)).toEqual(['rejected', 'rejected']);
    expect([signals.length, signals.every(({ aborted }) => aborted)]).toEqual([4, true]);
    // The one that waited had the same deadline, so it may have been given up. A new call is carried out.
    expect(await run(async () => 'signed')).toBe('signed');
  });

  it('waits for its turn, of which there are few; too many are refused at once', async () => {
    const run = createSigningQueue({ ...limits, timeoutMs: 10_000 });
    const end = new AbortController();
    let running = 0;
    let most = 0;
    const all = Array.from({ length: 10 }, () =>
      run(async () => {
        running += 1;
        most = Math.max(most, running);
        if (!end.signal.aborted) await once(end.signal, 'abort');
        running -= 1;
      }),
    );
    await expect(run(async () => undefined)).rejects.toMatchObject({ code: 'too_busy', status: 503 });
    end.abort();
    await Promise.all(all);
    expect(most).toBe(2);
  });

  it('leaves turns to clients, however many authorization requests wait', async () => {
    const run = createSigningQueue({ timeoutMs: 10_000, concurrency: 8 });
    const end = new AbortController();
    const stuck = Array.from({ length: 10 }, () =>
      run(async () => {
        if (!end.signal.aborted) await once(end.signal, 'abort');
      }, 'browsers'),
    );
    await expect(run(async () => undefined, 'browsers')).rejects.toMatchObject({ code: 'too_busy' });
    expect(await run(async () => 'signed', 'clients')).toBe('signed');
    end.abort();
    await Promise.all(stuck);
  });

  it('a call is measured by its outcome', async () => {
    const seen: SignerCall[] = [];
    const call = (work: () => Promise<unknown>) =>
      observed({ service: 'kms', operation: 'sign' }, (each) => void seen.push(each), work).catch(() => undefined);
    await call(async () => undefined);
    await call(async () => Promise.reject(unavailable()));
    await call(async () => Promise.reject(new SignerUnfitError('')));
    await call(async () => Promise.reject(new TypeError('a bug')));
    expect(seen.map(({ failure }) => failure)).toEqual([undefined, 'unavailable', 'unfit', 'other']);
    expect(seen.every(({ durationMs }) => durationMs >= 0)).toBe(true);
  });
});
