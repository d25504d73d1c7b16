import type { RedisServer } from './redis-process.ts';

/** A line of `CLUSTER NODES`: one node as another sees it. */
export interface NodeView {
  readonly id: string;
  readonly port: number;
  readonly flags: readonly string[];
  readonly epoch: number;
  /** First and last of each range. */
  readonly slots: readonly (readonly [number, number])[];
}

const parseNode = (line: string): NodeView => {
  const [id = '', address = '', flags = '', , , , epoch = '', , ...ranges] = line.split(' ');
  const slots = ranges
    // In brackets: slots on the move.
    .filter((range) => !range.startsWith('['))
    .map((range) => range.split('-').map(Number))
    .map(([first = 0, last = first]) => [first, last] as const);
  return { id, port: Number(/:(\d+)/.exec(address)?.[1]), flags: flags.split(','), epoch: Number(epoch), slots };
};

/** The cluster as one node sees it. */
export const viewFrom = async (node: RedisServer): Promise<NodeView[]> => {
  const text = `${await node.command('CLUSTER', 'NODES')}`;
  return text.trim().split('\n').map(parseNode);
};

export const isMasterOf = ({ flags, slots }: NodeView, slot: number): boolean =>
  flags.includes('master') && slots.some(([first, last]) => first <= slot && slot <= last);
