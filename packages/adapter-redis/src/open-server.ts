import type { Address } from './address.ts';
import { openClusterServer } from './cluster-server.ts';
import { assertKnown, assertSettings, type Known } from './fitness.ts';
import { inspectServer } from './inspection.ts';
import type { KeyLayout } from './keys.ts';
import type { Server } from './server.ts';
import { openSingleServer } from './single-server.ts';

/**
 * Open what the address names. A server is looked at before anything else is sent over a new connection, and again and
 * again while it lasts; with `known` its data set as well.
 */
export const openServer = (address: Address, keys: KeyLayout, known?: Known): Server => {
  const open = address.mode === 'cluster' ? openClusterServer : openSingleServer;
  return open(address, async (client) => {
    const found = await inspectServer(client, keys.marker);
    assertSettings(found, address.mode);
    if (known) assertKnown(found, address, known);
  });
};
