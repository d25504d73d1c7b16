import { createLatencies } from '../load/latencies.ts';
import { say } from '../studies/study.ts';
import { type Event, steps } from './redis-users.ts';
import type { Verified } from './redis-verify.ts';

/** The events of one fault, and its times from `performance.now()`. */
export interface Lost {
  readonly events: readonly Event[];
  readonly faultAt: number;
  readonly replacedAt: number;
  readonly backAt: number;
}

const latenciesOf = (events: readonly Event[]): string => {
  const latencies = createLatencies();
  for (const { startedAt, endedAt } of events) latencies.record(endedAt - startedAt);
  return [50, 99].map((share) => latencies.percentile(share).toFixed(0)).join(' / ');
};

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

export const reportSteps = ({ events, faultAt, replacedAt, backAt }: Lost): void => {
  say(
    `another master after ${seconds(replacedAt - faultAt)}; the lost one is its replica after ${seconds(backAt - faultAt)}`,
  );
  for (const step of steps) {
    const own = events.filter((event) => event.step === step);
    const refused = own.filter(({ outcome }) => outcome === 'refused');
    const last = Math.max(faultAt, ...refused.map(({ startedAt }) => startedAt));
    const forgotten = own.filter(({ outcome }) => outcome === 'forgotten').length;
    const done = own.filter(({ outcome }) => outcome === 'done');
    const [before, after] = [
      done.filter((each) => each.endedAt < faultAt),
      done.filter((each) => each.startedAt > last),
    ];
    say(
      `${step.padEnd(16)} ${own.length} begun, ${forgotten} of them of forgotten users, ${refused.length} refused, none that began ${seconds(last - faultAt)} after the loss or later; p50 / p99 before ${latenciesOf(before)} ms, after ${latenciesOf(after)} ms`,
    );
  }
  const failed = events.filter(({ outcome }) => outcome === 'failed');
  say(`answers other than 503 with Retry-After: ${failed.length}`);
  for (const { step, detail } of failed.slice(0, 5)) say(`  ${step}: ${detail}`);
};

export const reportState = (state: Verified): void => {
  say(`${state.loggedOut} logouts acknowledged, ${state.loggedInAgain} of these users are still logged in`);
  say(`${state.revoked} tokens revoked, ${state.activeAgain} of them active`);
  say(`${state.issued} tokens issued, ${state.tokensLost} of them lost`);
  say(`${state.remembered} logins remembered, ${state.loginsLost} of them lost, and ${state.consentsLost} consents`);
};
