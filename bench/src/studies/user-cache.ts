import { type SlapdServer, startSlapd } from '@carnet/test-servers';
import { numberOf } from '../option-values.ts';
import { form } from '../scenarios/token-type.ts';
import { median } from '../statistics.ts';
import { type PinServer, type PinServerOptions, type PinUser, startPinServer } from '../targets/pin-server.ts';
import { startPrivacyIdea } from '../targets/privacyidea.ts';
import { type HttpPool, openHttpPool } from '../users/http-pool.ts';
import { note, type Reading, rounded, type Study } from './study.ts';

type Scenario = Pick<PinServerOptions, 'lookup' | 'hash'> & { readonly name: string };

const naive: Scenario = {
  name: 'three lookups a request, each with a connection, a bind and a search',
  lookup: 'connection-each',
  hash: 'sha256',
};
const uncached: Scenario = { name: 'connections are kept', lookup: 'pool', hash: 'sha256' };
const cached: Scenario = { name: 'the user cache is filled', lookup: 'cache', hash: 'sha256' };
const argon2id: Scenario = { name: 'the same, PINs have argon2id hashes', lookup: 'cache', hash: 'argon2id' };

/** A server that checks PINs. */
interface Contestant {
  readonly name: string;
  readonly pool: HttpPool;
}

/** Checks one PIN. Returns the milliseconds. @throws Error if the PIN is refused */
const check = async ({ name: server, pool }: Contestant, { name, pin }: PinUser): Promise<number> => {
  const body = `user=${name}&pass=${pin}`;
  const at = performance.now();
  const answer = await pool.send({ method: 'POST', path: '/validate/check', headers: form, body }, 200);
  const ms = performance.now() - at;
  if (JSON.parse(answer.body).result?.value !== true) throw new Error(`${server} refused ${name}: ${answer.body}`);
  return ms;
};

/** Sends each user's PIN to all servers in turn, so that the state of the machine affects all alike. Medians in ms. */
const measure = async (contestants: readonly Contestant[], users: readonly PinUser[]): Promise<readonly number[]> => {
  const latencies = contestants.map((): number[] => []);
  for (const user of users) {
    for (const [index, contestant] of contestants.entries()) latencies[index]?.push(await check(contestant, user));
  }
  return latencies.map(median);
};

/** Measures privacyIDEA with its user cache off, then filled, in turn with Carnet. */
const besidePrivacyIdea = async (
  venv: string,
  slapd: SlapdServer,
  users: readonly PinUser[],
  ours: Readonly<Record<'uncached' | 'cached', Contestant>>,
) => {
  note(`privacyIDEA: setting up ${users.length} users`);
  const server = await startPrivacyIdea(venv, slapd, users);
  const peer: Contestant = { name: `privacyIDEA ${server.version}`, pool: openHttpPool(server.url, 1) };
  try {
    const rows: (readonly string[])[] = [['user cache', 'Carnet ms', `${peer.name} ms`, '%']];
    for (const [name, seconds, contestant] of [
      ['off', 0, ours.uncached],
      ['filled', 3_600, ours.cached],
    ] as const) {
      await server.setUserCache(seconds);
      await measure([peer], users);
      const [own = Number.NaN, theirs = Number.NaN] = await measure([contestant, peer], users);
      rows.push([name, own.toFixed(2), theirs.toFixed(2), rounded((100 * own) / theirs)]);
    }
    return [rows];
  } finally {
    peer.pool.close();
    await server.stop();
  }
};

const pinUsers = (amount: number): readonly PinUser[] =>
  Array.from({ length: amount }, (_, index) => ({
    name: `user${String(index + 1).padStart(4, '0')}`,
    pin: `a-static-pin-${index}`,
  }));

const readingsOf = (shares: readonly number[]): readonly Reading[] =>
  ['connections kept', 'user cache filled'].map((name, index) => ({
    name,
    target: 'of three connections a request',
    value: shares[index + 1] ?? Number.NaN,
  }));

/** privacyIDEA's measurement of its user cache: static PINs of users in LDAP over TLS, one request at a time. */
export const userCache: Study = {
  name: 'user-cache',
  title: 'A static PIN of each user, users in LDAP over TLS, one request at a time; medians',
  options: { users: '1000', privacyidea: '', peerusers: '50' },
  async run({ users: amount = '', privacyidea: venv = '', peerusers = '' }) {
    const users = pinUsers(numberOf('users', amount, 5_000));
    const slapd = await startSlapd({ users: users.length });
    const servers: PinServer[] = [];
    const open = async ({ name, lookup, hash }: Scenario): Promise<Contestant> => {
      const server = await startPinServer({ lookup, hash, slapd, users });
      servers.push(server);
      return { name, pool: openHttpPool(server.url, 1) };
    };
    try {
      const ours = { uncached: await open(uncached), cached: await open(cached) };
      const contestants = [await open(naive), ours.uncached, ours.cached, await open(argon2id)];
      // The first round compiles code and fills the user cache.
      note(`${2 * users.length} requests to each of ${contestants.length} servers`);
      await measure(contestants, users);
      const medians = await measure(contestants, users);
      const shares = medians.map((each) => (100 * each) / (medians[0] ?? Number.NaN));
      const rows = contestants.map(({ name }, index) => [
        name,
        ...[medians[index]?.toFixed(2) ?? '', rounded(shares[index] ?? Number.NaN)],
      ]);
      note(rows.map((row) => row.join('  ')).join('\n'));
      const peers = users.slice(0, numberOf('peerusers', peerusers, 1_000));
      const beside = venv === '' ? [] : await besidePrivacyIdea(venv, slapd, peers, ours);
      return { tables: [[['lookup of a user', 'median ms', '%'], ...rows], ...beside], readings: readingsOf(shares) };
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
      await slapd.close();
    }
  },
};
