import type { Scenario } from './scenarios/scenario.ts';

/** Warming up takes about so many steps, each a quarter as long as a round. */
const usualWarmUps = 3;

export const inMinutes = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`;

/** The remaining seconds, if the rest is as fast as the part that is done. */
export const secondsLeft = (elapsedSeconds: number, doneShare: number): number | undefined =>
  doneShare === 0 ? undefined : (elapsedSeconds * (1 - doneShare)) / doneShare;

export interface Progress {
  begin(scenario: Scenario): void;
  step(target: string, step: string): void;
  /** Prints a line. */
  note(text: string): void;
  end(): void;
}

export interface ProgressPlan {
  /** The expected seconds of each scenario: its share of the run. */
  readonly scenarioSeconds: readonly number[];
  /** Targets and yardstick. */
  readonly targetCount: number;
  readonly rounds: number;
}

/** Shows the progress on stderr: one changing line on a terminal, a line per scenario elsewhere. */
export const createProgress = ({ scenarioSeconds, targetCount, rounds }: ProgressPlan): Progress => {
  const startedAt = performance.now();
  const scenarioCount = scenarioSeconds.length;
  const totalSeconds = scenarioSeconds.reduce((sum, seconds) => sum + seconds, 0);
  const stepsOfOne = targetCount * (rounds + usualWarmUps);
  const isTerminal = process.stderr.isTTY === true;
  let begun = 0;
  let steps = 0;
  let name = '';
  const left = (): string => {
    const before = scenarioSeconds.slice(0, begun - 1).reduce((sum, seconds) => sum + seconds, 0);
    const current = (scenarioSeconds[begun - 1] ?? 0) * Math.min(1, steps / stepsOfOne);
    const share = (before + current) / totalSeconds;
    const seconds = secondsLeft((performance.now() - startedAt) / 1_000, share);
    return seconds === undefined ? '' : `, about ${inMinutes(seconds)} left`;
  };
  const write = (text: string): void => void process.stderr.write(isTerminal ? `\r\u001b[2K${text}` : `${text}\n`);
  return {
    begin(scenario) {
      begun += 1;
      steps = 0;
      name = scenario.name;
      if (!isTerminal) write(`${begun} of ${scenarioCount}: ${name}${left()}`);
    },
    step(target, step) {
      if (step !== 'making ready') steps += 1;
      if (isTerminal) write(`${begun} of ${scenarioCount}: ${name} on ${target}, ${step}${left()}`);
    },
    note(text) {
      write(isTerminal ? `${text}\n` : text);
    },
    end() {
      if (isTerminal) write('');
    },
  };
};
