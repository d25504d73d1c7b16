/** When a key falls due. */
export interface Due {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly key: string;
}

/**
 * Keys by the instant they expire, earliest first: a sweep without expired records reads one of them. A binary heap: the
 * children of `i` are `2i + 1` and `2i + 2`.
 */
export const createExpiryQueue = () => {
  let heap: Due[] = [];
  const at = (index: number): number => heap[index]?.at ?? Number.POSITIVE_INFINITY;

  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b] as Due, heap[a] as Due];
  };

  const rise = (start: number) => {
    for (let child = start; child > 0; ) {
      const parent = (child - 1) >> 1;
      if (at(parent) <= at(child)) return;
      swap(parent, child);
      child = parent;
    }
  };

  const sink = () => {
    for (let parent = 0; ; ) {
      const left = 2 * parent + 1;
      const child = at(left + 1) < at(left) ? left + 1 : left;
      if (at(parent) <= at(child)) return;
      swap(parent, child);
      parent = child;
    }
  };

  return {
    get size(): number {
      return heap.length;
    },
    add(due: Due): void {
      heap.push(due);
      rise(heap.length - 1);
    },
    /** Takes the earliest key if it is due at `now`. It may have been replaced since: the caller looks. */
    takeDue(now: number): Due | undefined {
      if (at(0) > now) return undefined;
      const first = heap[0];
      const last = heap.pop();
      if (last !== undefined && heap.length > 0) {
        heap[0] = last;
        sink();
      }
      return first;
    },
    /** Starts again with these: what is out of date is forgotten. */
    rebuild(dues: Iterable<Due>): void {
      // A sorted array is a heap.
      heap = [...dues].sort((a, b) => a.at - b.at);
    },
  };
};
