import type { Work } from '../scenarios/scenario.ts';
import { runAutocannon } from './autocannon.ts';
import { runClosedLoop } from './closed-loop.ts';
import { runAtRate } from './fixed-rate.ts';
import { openHttpRequests } from './http-requests.ts';
import type { Load, Measured } from './load.ts';

export const generators = ['own', 'autocannon'] as const;
/** The sender of single requests: that of this folder, or autocannon, to check it. */
export type Generator = (typeof generators)[number];

/** Does the work as often as the load says. @throws Error unless every answer is right */
export const runLoad = async (work: Work, load: Load, generator: Generator): Promise<Measured> => {
  const { amount, perSecond } = load;
  if (work.kind === 'requests' && generator === 'autocannon' && perSecond === undefined)
    return runAutocannon(work, load);
  const { run, close } =
    work.kind === 'requests'
      ? await openHttpRequests(work, load.connections)
      : { run: work.run, close: async () => {} };
  try {
    if (perSecond === undefined) return await runClosedLoop(run, load);
    return await runAtRate(run, { perSecond, isOver: (_, begun) => begun >= amount });
  } finally {
    await close();
  }
};
