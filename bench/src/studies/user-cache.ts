import { writeFileSync } from 'node:fs';
import { type SlapdServer, startSlapd } from '@carnet/test-servers';
import { standaloneSvg } from '../charts/svg.ts';
import { type Timeline, timelineChart } from '../charts/timeline-chart.ts';
import { numberOf } from '../option-values.ts';
import { median } from '../statistics.ts';
import { type PinServerOptions, type PinUser, startPinServer } from '../targets/pin-server.ts';
import { startPrivacyIdea } from '../targets/privacyidea.ts';
import { note, type Reading, rounded, type Study } from './study.ts';

interface Scenario {
  readonly name: string;
  readonly lookup: PinServerOptions['lookup'];
  readonly hash: PinServerOptions['hash'];
  /** A run before the measured one fills the cache. */
  readonly isFilled?: boolean;
}

/** The four scenarios that privacyIDEA describes for its user cache, and the last one with a slow hash. */
const scenarios: readonly Scenario[] = [
  { name: '1 connection, bind and search for each of 3 lookups', lookup: 'connection-each', hash: 'sha256' },
  { name: '2 connections kept, no cache', lookup: 'pool', hash: 'sha256' },
  { name: '3 cache, empty at the beginning', lookup: 'cache', hash: 'sha256' },
  { name: '4 cache, filled', lookup: 'cache', hash: 'sha256', isFilled: true },
  { name: '4 with argon2id PINs', lookup: 'cache', hash: 'argon2id', isFilled: true },
];

const isAccepted = (body: unknown): boolean =>
  (body as { result?: { value?: unknown } } | undefined)?.result?.value === true;

/** Sends each user's PIN twice, first of all users, then of all again, one request at a time. Milliseconds of each. */
const checkAll = async (url: string, users: readonly PinUser[]): Promise<readonly number[]> => {
  const latencies: number[] = [];
  for (const { name, pin } of [...users, ...users]) {
    const body = new URLSearchParams({ user: name, pass: pin });
    const at = performance.now();
    const response = await fetch(`${url}/validate/check`, { method: 'POST', body });
    const answer: unknown = await response.json();
    latencies.push(performance.now() - at);
    if (!isAccepted(answer)) throw new Error(`the PIN of ${name} was refused: ${JSON.stringify(answer)}`);
  }
  return latencies;
};

const runScenario = async (
  { name, lookup, hash, isFilled }: Scenario,
  slapd: SlapdServer,
  users: readonly PinUser[],
): Promise<Timeline> => {
  note(name);
  const server = await startPinServer({ lookup, hash, slapd, users });
  try {
    // The code is compiled by requests of users whom the measured requests do not ask for.
    await checkAll(server.url, warmUpUsers(users));
    if (isFilled) await checkAll(server.url, users);
    return { name, latencies: await checkAll(server.url, measuredUsers(users)) };
  } finally {
    await server.stop();
  }
};

const warmUps = 50;
const warmUpUsers = (users: readonly PinUser[]) => users.slice(0, warmUps);
const measuredUsers = (users: readonly PinUser[]) => users.slice(warmUps);

/** Its user cache off, then filled: the scenarios 2 and 4. */
const runPrivacyIdea = async (
  venv: string,
  slapd: SlapdServer,
  users: readonly PinUser[],
): Promise<readonly Timeline[]> => {
  note(`privacyIDEA: setting up ${users.length} users`);
  const server = await startPrivacyIdea(venv, slapd, users);
  try {
    const runs: Timeline[] = [];
    for (const [name, seconds] of [
      ['2 no cache', 0],
      ['4 cache, filled', 3_600],
    ] as const) {
      note(`privacyIDEA ${server.version}, ${name}`);
      await server.setUserCache(seconds);
      await checkAll(server.url, users.slice(0, seconds === 0 ? 5 : users.length));
      runs.push({ name: `privacyIDEA ${server.version}: ${name}`, latencies: await checkAll(server.url, users) });
    }
    return runs;
  } finally {
    await server.stop();
  }
};

const rowOf = ({ name, latencies }: Timeline, first: number): readonly string[] => {
  const half = latencies.length / 2;
  const all = median(latencies);
  return [
    name,
    String(latencies.length),
    all.toFixed(2),
    median(latencies.slice(0, half)).toFixed(2),
    median(latencies.slice(half)).toFixed(2),
    `${rounded((100 * all) / first)} %`,
  ];
};

const pinUsers = (amount: number): readonly PinUser[] =>
  Array.from({ length: amount }, (_, index) => ({
    name: `user${String(index + 1).padStart(4, '0')}`,
    pin: `a-static-pin-${index}`,
  }));

const readingsOf = (ours: readonly Timeline[], theirs: readonly Timeline[]): readonly Reading[] => {
  const medians = ours.map(({ latencies }) => median(latencies));
  const [first = Number.NaN, pool = Number.NaN, , filled = Number.NaN] = medians;
  const [peerPool, peerFilled] = theirs.map(({ latencies }) => median(latencies));
  const share = (name: string, target: string, value: number | undefined, of: number): readonly Reading[] =>
    value === undefined ? [] : [{ name, target, value: (100 * value) / of }];
  return [
    ...share('connections kept', 'of a connection per lookup', pool, first),
    ...share('user cache filled', 'of a connection per lookup', filled, first),
    ...(peerPool === undefined ? [] : share('beside privacyIDEA, no cache', 'of its median', pool, peerPool)),
    ...(peerFilled === undefined ? [] : share('beside privacyIDEA, cache filled', 'of its median', filled, peerFilled)),
  ];
};

/** privacyIDEA's measurement of its user cache: static PINs of users in LDAP over TLS, one request at a time. */
export const userCache: Study = {
  name: 'user-cache',
  title: "privacyIDEA's four scenarios: a static PIN of each user, users in LDAP, one request at a time; medians",
  options: { users: '1000', privacyidea: '', peerusers: '50', chart: '' },
  async run({ users: amount = '', privacyidea: venv = '', peerusers = '', chart = '' }) {
    const users = pinUsers(numberOf('users', amount, 5_000) + warmUps);
    const slapd = await startSlapd({ users: users.length });
    try {
      const ours: Timeline[] = [];
      for (const scenario of scenarios) ours.push(await runScenario(scenario, slapd, users));
      const peers = users.slice(0, numberOf('peerusers', peerusers, 1_000));
      const theirs = venv === '' ? [] : await runPrivacyIdea(venv, slapd, peers);
      const first = median(ours[0]?.latencies ?? []);
      const head = ['ms', 'requests', 'median', 'first half', 'second half', 'of scenario 1'];
      if (chart !== '') {
        const title = `Static PINs of ${amount} users in LDAP: latency of each request`;
        writeFileSync(chart, standaloneSvg(timelineChart(title, ours.slice(0, 4))));
      }
      return {
        tables: [[head, ...[...ours, ...theirs].map((each) => rowOf(each, first))]],
        readings: readingsOf(ours, theirs),
      };
    } finally {
      await slapd.close();
    }
  },
};
