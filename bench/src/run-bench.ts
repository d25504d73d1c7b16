import type { Command } from './command-line.ts';
import { judge } from './figures.ts';
import { createProgress } from './progress.ts';
import { legend, outcomesTable, verdictRows } from './report/text.ts';
import { type Outcome, runScenario } from './run-scenario.ts';
import { say, tableOf } from './studies/study.ts';
import { startCarnetTarget } from './targets/carnet.ts';
import { startTarget } from './targets/running.ts';
import { startYardstick } from './targets/yardstick.ts';

/** Starts what is measured, measures it, and prints what came of it; the caller stops it. */
export const runBench = async (command: Command): Promise<void> => {
  const { scenarios, stores, foreign, workers, rounds, generator, perSecond } = command;
  const yardstick = await startTarget(startYardstick());
  const ours = await Promise.all(stores.map((store) => startTarget(startCarnetTarget({ store, workers }))));
  const targets = [...ours, ...foreign];
  const progress = createProgress({ scenarioCount: scenarios.length, targetCount: targets.length + 1, rounds });
  const outcomes: Outcome[] = [];
  for (const scenario of scenarios) {
    progress.begin(scenario);
    const rules = { rounds, generator, perSecond, onStep: progress.step };
    outcomes.push(...(await runScenario(scenario, { yardstick, targets }, rules)));
  }
  progress.end();
  const verdicts = judge(outcomes, (name) => stores[ours.findIndex((target) => target.name === name)]);
  say(outcomesTable(outcomes));
  say(`\n${legend}\n`);
  if (verdicts.length > 0) say(tableOf(verdictRows(verdicts)));
};
