import type { Round } from '../measure.ts';
import type { PeerLogin } from '../peers/peer.ts';
import { median } from '../statistics.ts';
import type { Target } from '../targets/target.ts';
import type { Table } from './study.ts';

export interface Contestant {
  readonly login: Pick<PeerLogin, 'name' | 'title' | 'password'>;
  readonly target: Pick<Target, 'name' | 'settings'>;
  /** CPU microseconds of the server per login, in each round of the warm-up. */
  readonly warmUps: number[];
  readonly rounds: Round[];
}

const whole = (value: number): string => value.toFixed(0);
const quotients = (of: Contestant, by: readonly number[]): readonly number[] =>
  of.rounds.map(({ serverCpu }, round) => serverCpu / (by[round] ?? Number.NaN));

const cpuOf = ({ rounds }: Contestant): readonly number[] => rounds.map(({ serverCpu }) => serverCpu);

/** The lowest and the highest of the quotients. */
const range = (values: readonly number[]): string =>
  `${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)}`;

/**
 * Medians of the rounds.
 *
 * @param all the first is the server with which the others are compared
 * @param units CPU microseconds of an answer of the yardstick in each round
 */
export const peerTable = (all: readonly Contestant[], units: readonly number[]): Table => {
  const [first] = all as readonly [Contestant, ...Contestant[]];
  const head = ['login', 'password', 'CPU units', 'CPU us', 'store us', 'per s', `x ${first.login.name}`, 'of rounds'];
  return [
    head,
    ...all.map((each) => {
      const relative = quotients(each, cpuOf(first));
      return [
        each.login.name,
        each.login.password,
        median(quotients(each, units)).toFixed(1),
        whole(median(cpuOf(each))),
        whole(median(each.rounds.map(({ storeCpu }) => storeCpu))),
        whole(median(each.rounds.map(({ perSecond }) => perSecond))),
        median(relative).toFixed(2),
        range(relative),
      ];
    }),
  ];
};

/** The CPU time per login in each round of the warm-up: the last ones no longer fall. */
export const warmUpTable = (all: readonly Contestant[]): Table => [
  ['warm-up', 'CPU us per login in each round'],
  ...all.map(({ login, warmUps }) => [login.name, warmUps.map(whole).join(' ')]),
];

export const settingsTable = (all: readonly Contestant[]): Table => [
  ['server', 'settings'],
  ...new Map(
    all.map(({ target: { name, settings } }) => [
      name,
      Object.entries(settings)
        .map(([key, value]) => `${key} ${value}`)
        .join('; '),
    ]),
  ),
];
