import type { RunningTarget } from './target.ts';

const running = new Set<RunningTarget>();

/** Starts a target; {@link stopTargets} stops it unless it was stopped before. */
export const startTarget = async (starting: Promise<RunningTarget>): Promise<RunningTarget> => {
  const target = await starting;
  running.add(target);
  return target;
};

export const stopTargets = async (): Promise<void> => {
  const all = [...running];
  running.clear();
  await Promise.all(all.map((target) => target.stop()));
};
