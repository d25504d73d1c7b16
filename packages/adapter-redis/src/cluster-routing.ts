import { setTimeout as delay } from 'node:timers/promises';
import { type NodeName, nameNode, parseNodeName } from './topology.ts';

/** Where to send next. */
export interface Route {
  readonly node: NodeName;
  /** The slot is on its way to that node, which answers for it only if asked to. */
  readonly asking: boolean;
}

/** A cluster in which slots move answers within a few of them. */
export const maxRedirections = 16;

/** `MOVED 1234 host:port`, `ASK 1234 host:port`; without a host it is the one that answered. */
const parseTarget = (message: string, from: NodeName): NodeName => {
  const { host, port } = parseNodeName(message.split(' ')[2] ?? from);
  return nameNode(host || parseNodeName(from).host, port);
};

/**
 * The node that serves a command which another one refused; undefined if it may have run, or cannot run.
 * `learn` hears of a slot that has moved for good.
 */
export const redirect = async (
  error: unknown,
  { node, asking }: Route,
  learn: (node: NodeName) => void,
): Promise<Route | undefined> => {
  const message = error instanceof Error ? error.message : '';
  switch (message.split(' ')[0]) {
    case 'MOVED': {
      const target = parseTarget(message, node);
      learn(target);
      return { node: target, asking: false };
    }
    case 'ASK':
      return { node: parseTarget(message, node), asking: true };
    case 'TRYAGAIN':
      await delay(50);
      return { node, asking };
    default:
      return undefined;
  }
};
