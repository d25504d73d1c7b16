// What provider-process.ts runs: a provider on two listeners of 127.0.0.1, told what to do by its parent.

import type { RequestListener } from 'node:http';
import { flushCompileCache } from 'node:module';
import { type ConfigInput, createProvider } from '@carnet/provider';
import { listen } from '@carnet/test-servers/listen';
import { parseConfig } from '../../src/config/parse-config.ts';
import { composeStores, storesOf } from '../../src/storage/compose.ts';
import type { GroupName } from '../../src/storage/groups.ts';
import { migrateAtStart, openStores } from '../../src/storage/open-storage.ts';
import type { Endpoints } from '../login.ts';
import { createFaultPoints, type Held } from './fault-points.ts';

export interface ProgramOptions {
  readonly config: ConfigInput;
  /** Whether requests may ask to be stopped. */
  readonly hasFaultPoints: boolean;
  /** Milliseconds. Default 0. */
  readonly aheadMs?: number;
}

/** Where it can be asked. */
export interface Addresses extends Endpoints {
  /** Another provider of the same issuer, to which a refresh token used twice is reuse at once. */
  readonly withoutGrace: Pick<Endpoints, 'issuer'>;
}

/** What the program says. */
export type Message = { readonly ready: Addresses } | { readonly held: readonly Held[] };

/** What it is told: to end itself when so many requests have come to their stops, or by how much its clock is ahead. */
export type Order = { readonly dieWith: number } | { readonly aheadMs: number };

const { config, hasFaultPoints, ...clock } = JSON.parse(process.argv[2] ?? '') as ProgramOptions;
let { aheadMs = 0 } = clock;
const now = (): number => Date.now() + aheadMs;

const tell = (message: Message): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));

const points = createFaultPoints(async (held, launch) => {
  await tell({ held });
  await launch();
  process.kill(process.pid, 'SIGKILL');
});

/** The stores of the configuration, each with fault points, put together as the provider does it. */
const openWithFaultPoints = async () => {
  const { storage } = parseConfig(config);
  await migrateAtStart(storage, true);
  const { stores } = await openStores(storage);
  const wrapped = new Map(Object.values(stores).map((store) => [store, points.store(store)]));
  const each = Object.entries(stores).map(([name, store]) => [name as GroupName, wrapped.get(store)] as const);
  return composeStores(storesOf(stores.clients, Object.fromEntries(each)));
};

const originOf = async (listener: RequestListener): Promise<string> => (await listen(listener)).origin;

// Nothing is left behind when the tests end, however they end.
process.on('disconnect', () => process.exit());
process.on('message', (order: Order) => {
  if ('dieWith' in order) points.expect(order.dieWith);
  else aheadMs = order.aheadMs;
});

const adapter = hasFaultPoints ? await openWithFaultPoints() : undefined;
const create = (tokens: ConfigInput['tokens']) =>
  createProvider(adapter ? { ...config, tokens, storage: {} } : { ...config, tokens }, { adapter, now });
const carnet = await create(config.tokens);
const issuer = await originOf(points.listener(carnet.callback()));
const admin = await originOf(carnet.adminCallback());
const withoutGrace = await originOf(points.listener((await create({ refreshGraceSeconds: 0 })).callback()));
await tell({ ready: { issuer, admin, withoutGrace: { issuer: withoutGrace } } });
// Node.js does so when a process ends, and this one will be killed.
flushCompileCache();
