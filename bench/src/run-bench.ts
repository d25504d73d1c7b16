import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from './command-line.ts';
import { expectedScenarioSeconds, expectedSeconds } from './expected-seconds.ts';
import { joinVerdicts, judge } from './figures.ts';
import { openProfiler, type Profiler } from './profiles/record.ts';
import { createProgress, inMinutes } from './progress.ts';
import { keptStudies } from './report/kept-studies.ts';
import { type Results, readResults } from './report/results.ts';
import {
  busyWarning,
  describeCommit,
  describeMachine,
  describeVersions,
  measureBusyShare,
} from './report/surroundings.ts';
import { legend, outcomeLine, outcomeRows, rateRows, verdictRows } from './report/text.ts';
import { writeDocuments, writeReport } from './report/write-documents.ts';
import { type Outcome, type Rules, runScenario } from './run-scenario.ts';
import { note, say, tableOf } from './studies/study.ts';
import { startCarnetTarget } from './targets/carnet.ts';
import { startMountedTarget } from './targets/mounted.ts';
import { startTarget } from './targets/running.ts';
import type { StoreName } from './targets/stores.ts';
import type { Target } from './targets/target.ts';
import { startYardstick } from './targets/yardstick.ts';
import { UsageError } from './usage-error.ts';

interface Started {
  readonly yardstick: Target;
  readonly targets: readonly Target[];
  /** Apps in which Carnet is mounted, for the scenarios that need them. */
  readonly mounted: readonly Target[];
  readonly profiler: Profiler | undefined;
}

/** Servers that run already cannot be profiled. */
const profileWith =
  ({ record }: Profiler, foreign: readonly Target[]): Required<Rules>['profile'] =>
  async (target, { name: scenario }, round) => {
    if (!foreign.includes(target)) await record({ target, scenario }, round);
  };

const measure = async (
  command: Command,
  { yardstick, targets, mounted, profiler }: Started,
): Promise<readonly Outcome[]> => {
  const { scenarios, rounds, generator, perSecond, foreign } = command;
  const progress = createProgress({
    scenarioSeconds: scenarios.map((scenario) => expectedScenarioSeconds(scenario, command)),
    targetCount: targets.length + 1,
    rounds,
  });
  const profile = profiler && profileWith(profiler, foreign);
  note(
    `${scenarios.length === 1 ? 'one scenario' : `${scenarios.length} scenarios`}, about ${inMinutes(expectedSeconds(command))}${foreign.length > 0 ? ', if the servers of --target are as fast as Ory Hydra' : ''}`,
  );
  const onUnable = (target: Target, error: Error): void => {
    if (!(foreign as readonly Target[]).includes(target)) throw error;
    progress.note(`  ${target.name} is left out: ${error.message.slice(0, 200)}`);
  };
  const rules: Rules = { rounds, generator, perSecond, profile, onStep: progress.step, onUnable };
  const outcomes: Outcome[] = [];
  for (const scenario of scenarios) {
    progress.begin(scenario);
    try {
      const found = await runScenario(scenario, { yardstick, targets: scenario.isMounted ? mounted : targets }, rules);
      outcomes.push(...found);
      for (const outcome of found) progress.note(outcomeLine(outcome));
    } catch (error) {
      // The scenarios before it took minutes: they are reported, and the run still fails.
      if (outcomes.length === 0) throw error;
      progress.note(`  ${scenario.name} FAILED: ${(error as Error).message.slice(0, 300)}`);
      process.exitCode = 1;
    }
  }
  progress.end();
  return outcomes;
};

/** Starts the servers; the caller stops them. */
const run = async (command: Command, profiler: Profiler | undefined): Promise<Results> => {
  const { stores, foreign, workers } = command;
  // A given rate shows no capacity.
  const isRateGiven = command.perSecond !== undefined;
  const startedAt = new Date();
  const busyShare = await measureBusyShare();
  const warning = busyWarning(busyShare);
  if (warning !== undefined) note(`WARNING: ${warning}`);
  const yardstick = await startTarget(startYardstick());
  const start = (store: StoreName) =>
    startTarget(startCarnetTarget({ store, workers, nodeOptions: profiler?.nodeOptions }));
  const ours = await Promise.all(stores.map(start));
  const isMounted = command.scenarios.some((scenario) => scenario.isMounted);
  const mounted = await Promise.all(
    isMounted ? stores.map((store) => startTarget(startMountedTarget(store, profiler?.nodeOptions))) : [],
  );
  const targets = [...ours, ...foreign];
  const outcomes = await measure(command, { yardstick, targets, mounted, profiler });
  return {
    format: 2,
    startedAt: startedAt.toISOString(),
    seconds: Math.round((Date.now() - startedAt.getTime()) / 1_000),
    command: command.text,
    isQuick: command.isQuick,
    commit: describeCommit(),
    machine: { ...describeMachine(), busyShare },
    versions: describeVersions(),
    profiles: profiler?.summaries ?? [],
    studies: [],
    targets: [...targets, ...mounted].map(({ name, settings }) => ({ name, settings })),
    outcomes,
    verdicts: isRateGiven
      ? []
      : judge(
          outcomes,
          (name) => stores[(name.startsWith('mounted') ? mounted : ours).findIndex((target) => target.name === name)],
        ),
  };
};

/** Adds the results of studies in the folder. */
const withStudies = (measured: Results, folder: string): Results => {
  const studies = keptStudies(folder, measured.commit);
  const found = studies.flatMap(({ verdicts }) => verdicts);
  return { ...measured, studies, verdicts: joinVerdicts(measured.verdicts, found) };
};

const report = (measured: Results, { out, from, isForReadme, withTargets }: Command): void => {
  const folder = from ?? out;
  const results = folder === undefined ? measured : withStudies(measured, folder);
  say(tableOf(rateRows(results.outcomes), 3));
  say('\nDetails\n');
  say(tableOf(outcomeRows(results.outcomes), 2));
  say(`\n${legend}\n`);
  if (withTargets && results.verdicts.length > 0) say(tableOf(verdictRows(results.verdicts), 2));
  const warning = busyWarning(results.machine.busyShare);
  if (warning !== undefined) note(`WARNING: ${warning}`);
  const target = out ?? from;
  if (target !== undefined) {
    writeReport(results, target, withTargets);
    note(`written: ${join(target, 'results.md')}`);
  }
  if (isForReadme && process.exitCode === undefined) writeDocuments(results);
};

const readEarlier = (folder: string): Results => {
  const file = join(folder, 'results.json');
  if (!existsSync(file)) throw new UsageError(`--from ${folder}: there is no results.json; --out FOLDER writes one`);
  return readResults(readFileSync(file, 'utf8'));
};

/** Measures, or reads an earlier result, and reports it. The caller stops the servers. */
export const runBench = async (command: Command): Promise<void> => {
  const { from, out, isProfiled } = command;
  if (from !== undefined) return report(readEarlier(from), command);
  const profiler = isProfiled && out !== undefined ? openProfiler(out) : undefined;
  try {
    report(await run(command, profiler), command);
  } finally {
    profiler?.close();
  }
};
