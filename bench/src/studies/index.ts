import { parseArgs } from 'node:util';
import { judgeReadings } from '../figures.ts';
import { folderOf } from '../report/folder.ts';
import { keepVerdicts } from '../report/kept-verdicts.ts';
import { verdictRows } from '../report/text.ts';
import { eventLoop } from './event-loop.ts';
import { flowState, indexes } from './flow-state.ts';
import { matrix } from './matrix.ts';
import { memory } from './memory.ts';
import { start } from './start.ts';
import { type Study, say, tableOf } from './study.ts';

/** In the order of the help. */
export const studies: readonly Study[] = [matrix, eventLoop, memory, start, flowState, indexes];

/**
 * Runs it and says which figures are met. With `--out` these are kept, for the report of a run of the same commit.
 *
 * @throws TypeError for an option that the study does not have
 */
export const runStudy = async (study: Study, args: readonly string[]): Promise<void> => {
  const options = Object.fromEntries(
    Object.entries({ ...study.options, out: '' }).map(([name, value]) => [
      name,
      { type: 'string' as const, default: value },
    ]),
  );
  const { out = '', ...values } = parseArgs({ args: [...args], options }).values as Readonly<Record<string, string>>;
  const verdicts = judgeReadings((await study.run(values)) ?? []);
  if (verdicts.length > 0) say(`\n${tableOf(verdictRows(verdicts), 2)}`);
  if (out !== '') keepVerdicts(folderOf(out), study.name, verdicts);
};
