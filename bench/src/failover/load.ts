import { setTimeout as pause } from 'node:timers/promises';
import { RequestFailure } from './http-client.ts';
import type { JourneyName, Journeys } from './journeys.ts';
import type { Attempt } from './timeline.ts';

/** Ten logins. */
const mix: readonly JourneyName[] = [
  ...(['login', 'refresh', 'second redemption', 'login', 'revocation'] as const),
  ...(['login', 'refresh', 'logout', 'login', 'login'] as const),
];

export interface Load {
  readonly attempts: readonly Attempt[];
  /** Messages of the wrong answers. */
  readonly wrong: ReadonlyMap<string, number>;
  /** Begins no more logins, and resolves when all have ended. */
  stop(): Promise<void>;
}

/** Begins logins at a fixed rate, whether earlier logins have ended or not. */
export const startLoad = (journeys: Journeys, perSecond: number): Load => {
  const attempts: Attempt[] = [];
  const wrong = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let isOver = false;

  const runOne = async (name: JourneyName): Promise<void> => {
    const begunAt = performance.now();
    const failure = await journeys.run(name).then(
      () => undefined,
      (error: unknown) => {
        const kind = error instanceof RequestFailure ? error.kind : 'wrong';
        const message = `${name}: ${(error as Error).message}`;
        if (kind === 'wrong') wrong.set(message, (wrong.get(message) ?? 0) + 1);
        return kind;
      },
    );
    attempts.push({ begunAt, endedAt: performance.now(), failure });
  };
  const begin = async (): Promise<void> => {
    const startedAt = performance.now();
    for (let begun = 0; !isOver; begun += 1) {
      const left = startedAt + (begun * 1_000) / perSecond - performance.now();
      if (left > 0) await pause(left);
      const one: Promise<void> = runOne(mix[begun % mix.length] as JourneyName).finally(() => running.delete(one));
      running.add(one);
    }
  };
  const begun = begin();
  return {
    attempts,
    wrong,
    async stop() {
      isOver = true;
      await begun;
      await Promise.all(running);
    },
  };
};
