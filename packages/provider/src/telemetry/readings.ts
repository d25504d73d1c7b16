/** Numbers that a provider counts, read when metrics are requested. */
export interface ClientCounts {
  readonly clientReads: number;
  readonly clientParses: number;
  readonly clientInstantiations: number;
}

/** The numbers of a process that other modules count. */
export interface Readings extends ClientCounts {
  readonly sweep: { readonly removed: number; readonly left: number };
}

const none: ClientCounts = { clientReads: 0, clientParses: 0, clientInstantiations: 0 };

const sum = (one: ClientCounts, other: ClientCounts): ClientCounts => ({
  clientReads: one.clientReads + other.clientReads,
  clientParses: one.clientParses + other.clientParses,
  clientInstantiations: one.clientInstantiations + other.clientInstantiations,
});

/** Adds up the counts of the providers of a process. Those of a closed one are kept: a counter never becomes smaller. */
export const createClientCounts = () => {
  let closed = none;
  const open = new Set<() => ClientCounts | undefined>();
  return {
    total: (): ClientCounts => [...open].reduce((total, read) => sum(total, read() ?? none), closed),
    /** Reads the counts of a provider until the returned function is called. */
    add(read: () => ClientCounts | undefined): () => void {
      open.add(read);
      return () => {
        if (open.delete(read)) closed = sum(closed, read() ?? none);
      };
    },
  };
};
