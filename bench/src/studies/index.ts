import { parseArgs } from 'node:util';
import { eventLoop } from './event-loop.ts';
import { matrix } from './matrix.ts';
import { memory } from './memory.ts';
import { start } from './start.ts';
import type { Study } from './study.ts';

/** In the order of the help. */
export const studies: readonly Study[] = [matrix, eventLoop, memory, start];

/** @throws TypeError for an option that the study does not have */
export const runStudy = (study: Study, args: readonly string[]): Promise<void> => {
  const options = Object.fromEntries(
    Object.entries(study.options).map(([name, value]) => [name, { type: 'string' as const, default: value }]),
  );
  const { values } = parseArgs({ args: [...args], options });
  return study.run(values as Readonly<Record<string, string>>);
};
