import { deadlineIn } from '@carnet/adapter-contract/kit';
import type { Address } from './address.ts';
import { createClient } from './client.ts';
import { askForTopology, type NodeName, nameNode, parseNodeName, type Topology } from './topology.ts';

/** Failures come in crowds: the nodes are asked about them once. */
const refreshEveryMilliseconds = 100;

/** Which node has what: asked for when it turns out that it has changed. */
export const createClusterMap = (address: Address, milliseconds: number) => {
  const seeds = address.hosts.map(({ host, port }) => nameNode(host, port));
  let topology: Topology = { masters: new Map(), nodes: new Set() };
  let asked: { readonly answer: Promise<void>; readonly until: number } | undefined;

  const ask = async () => {
    const names = new Set([...topology.nodes, ...seeds]);
    const clients = [...names].map((name) => createClient(address, parseNodeName(name), milliseconds));
    topology = await askForTopology(clients, deadlineIn(milliseconds));
  };

  return {
    masters: () => new Set(topology.masters.values()),
    masterOf: (slot: number) => topology.masters.get(slot),
    learn: (slot: number, node: NodeName) => {
      topology.masters.set(slot, node);
    },
    refresh(): Promise<void> {
      if (asked && performance.now() < asked.until) return asked.answer;
      const answer = ask().finally(() => {
        asked = { answer, until: deadlineIn(refreshEveryMilliseconds) };
      });
      asked = { answer, until: Number.POSITIVE_INFINITY };
      // A waiting call gets the error. Without one, the next call finds it.
      answer.catch(() => undefined);
      return answer;
    },
  };
};
