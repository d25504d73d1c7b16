import { yardstickOf } from '../measure.ts';
import { numberOf, someOf } from '../option-values.ts';
import { carnet, peers } from '../peers/index.ts';
import { loginsAtOnce, type Peer, type PeerLogin } from '../peers/peer.ts';
import { measureShare, prepare, type Ready, untilWarm } from '../run-scenario.ts';
import { startTarget } from '../targets/running.ts';
import type { RunningTarget, Target } from '../targets/target.ts';
import { startYardstick } from '../targets/yardstick.ts';
import { type Contestant, peerTable, settingsTable, warmUpTable } from './peers-table.ts';
import { note, type Study } from './study.ts';

const rules = { generator: 'own' } as const;

interface Prepared extends Contestant {
  readonly login: PeerLogin;
  readonly ready: Ready;
}

const prepareOn = async (target: Target, login: PeerLogin): Promise<Prepared> => ({
  ready: await prepare(login, target),
  login,
  target,
  warmUps: [],
  rounds: [],
});

/** The share of a scenario's logins that takes so many seconds at this rate. */
const shareOf = (perSecond: number, seconds: number, { amount, connections }: PeerLogin): number =>
  Math.max(connections, perSecond * seconds) / amount;

/** Repeats rounds until three in a row save little CPU time, for at most `mostSeconds`. */
const warmUp = async ({ ready, login, warmUps }: Prepared, seconds: number, mostSeconds: number): Promise<void> => {
  const endsAt = performance.now() + mostSeconds * 1_000;
  ready.share = login.connections / login.amount;
  const round = async (): Promise<number> => {
    const { perSecond, serverCpu } = await measureShare(ready, rules, ready.share);
    ready.share = shareOf(perSecond, seconds, login);
    warmUps.push(serverCpu);
    return serverCpu;
  };
  await untilWarm(round, { gainThatMatters: 0.03, warmRounds: 3, isOver: () => performance.now() >= endsAt });
  note(`${login.name} is warm after ${warmUps.length} rounds: ${warmUps.map((cpu) => cpu.toFixed(0)).join(' ')} us`);
};

const startPeer = async (peer: Peer, workers: number): Promise<readonly Prepared[]> => {
  note(`starting ${peer.name}`);
  const target: RunningTarget = await startTarget(peer.start({ workers }));
  const all: Prepared[] = [];
  for (const login of peer.logins) all.push(await prepareOn(target, login));
  return all;
};

const names = peers.map(({ name }) => name);

/** Logins on other OpenID providers beside those on Carnet, in one run. */
export const comparePeers: Study = {
  name: 'peers',
  title: `CPU per login on Carnet and on other servers: ${names.join(', ')}`,
  options: { peers: names.join(','), workers: '2', rounds: '4', seconds: '4', warm: '60' },
  async run({ peers: chosen = '', workers = '', rounds = '', seconds = '', warm = '' }) {
    const found = someOf('peers', chosen, names).map((name) => peers.find((peer) => peer.name === name) as Peer);
    const roundSeconds = numberOf('seconds', seconds, 600);
    const yardstick = await startTarget(startYardstick());
    const unit = await prepare(yardstickOf({ connections: loginsAtOnce }), yardstick);
    const all: Prepared[] = [];
    for (const peer of [carnet, ...found]) all.push(...(await startPeer(peer, numberOf('workers', workers, 64))));
    await measureShare(unit, rules);
    for (const each of all) await warmUp(each, roundSeconds, numberOf('warm', warm, 3_600));
    const units: number[] = [];
    for (let round = 0; round < numberOf('rounds', rounds, 100); round += 1) {
      note(`round ${round + 1} of ${rounds}`);
      units.push((await measureShare(unit, rules)).serverCpu);
      // Every second round in reverse: a trend within a round cancels.
      for (const { ready, login, rounds: done } of round % 2 === 0 ? all : all.toReversed()) {
        const measured = await measureShare(ready, rules, ready.share);
        done.push(measured);
        // Shown at once, in case the run is stopped before its end.
        note(`  ${login.name}: ${measured.serverCpu.toFixed(0)} us`);
      }
    }
    return { tables: [peerTable(all, units), warmUpTable(all), settingsTable(all)] };
  },
};
