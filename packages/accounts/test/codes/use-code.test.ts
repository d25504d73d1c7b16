import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { startProcess } from '../../../accounts-sql/test/process.ts';
import { engines, useDatabases } from '../open-test-accounts.ts';
import { enrolOtp } from '../second-factors/open-test-factors.ts';
import { totpCode } from '../totp-code.ts';
import { openFactors, type Round } from './open-factors.ts';

/** `CODE_ROUNDS=300` runs as many rounds. */
const rounds = Number(process.env.CODE_ROUNDS ?? 20);
const day = 86_400_000;

const { createUrl } = useDatabases();

/** Enrols a TOTP factor. Returns the code of a time. */
const enrol = async (url: string): Promise<(now: number) => string> => {
  const { limited: factors, clock, close } = await openFactors(url);
  const { secret } = await enrolOtp({ factors, clock });
  await close();
  return (now) => totpCode(secret, now);
};

const program = new URL('use-code-program.ts', import.meta.url);

const play = async (child: ChildProcess, round: Round): Promise<readonly string[]> => {
  const answer = once(child, 'message');
  child.send(round);
  return (await answer)[0];
};

it.each(engines)(
  'of twenty parallel uses of a TOTP code, in two processes on %s, one is accepted',
  { timeout: 60_000 + rounds * 1_000 },
  async (engine) => {
    const url = await createUrl(engine);
    const codeAt = await enrol(url);
    const children = [await startProcess(program, [url]), await startProcess(program, [url])];
    const accepted: number[] = [];
    for (let index = 1; index <= rounds; index += 1) {
      const now = 1_790_000_000_000 + index * day * 2;
      const round = { code: codeAt(now), now, isLimited: index % 2 === 0 };
      const outcomes = (await Promise.all(children.map((child) => play(child, round)))).flat();
      expect(outcomes).toHaveLength(20);
      accepted.push(outcomes.filter((outcome) => outcome === 'accepted').length);
    }
    for (const child of children) child.send('end');
    expect(accepted).toEqual(Array.from({ length: rounds }, () => 1));
  },
);
