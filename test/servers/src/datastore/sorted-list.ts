const maxChunk = 512;

export interface SortedEntry {
  /** Unique in the list. */
  readonly sort: string;
  readonly id: string;
  /** Set for one of several places of an entity whose property is an array. */
  readonly ofArray?: boolean;
}

/** Entries in the order of `sort`, in chunks: an insertion moves a chunk and not the list. */
export interface SortedList {
  add(entry: SortedEntry): void;
  remove(sort: string): void;
  /** The entries from `sort` on, that one included. The list must not change meanwhile. */
  from(sort: string): Generator<SortedEntry>;
}

/** The first place whose entry does not come before `sort`. */
const findPlace = (length: number, sort: string, at: (place: number) => string): number => {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle) < sort) low = middle + 1;
    else high = middle;
  }
  return low;
};

export const createSortedList = (entries: readonly SortedEntry[] = []): SortedList => {
  const sorted = entries.toSorted((one, other) => (one.sort < other.sort ? -1 : 1));
  const chunks: SortedEntry[][] = [];
  for (let at = 0; at < sorted.length; at += maxChunk / 2) chunks.push(sorted.slice(at, at + maxChunk / 2));
  if (chunks.length === 0) chunks.push([]);

  const findChunk = (sort: string) =>
    Math.min(
      findPlace(chunks.length, sort, (place) => chunks[place]?.at(-1)?.sort ?? ''),
      chunks.length - 1,
    );
  const findIn = (chunk: readonly SortedEntry[], sort: string) =>
    findPlace(chunk.length, sort, (place) => chunk[place]?.sort ?? '');

  return {
    add(entry) {
      const place = findChunk(entry.sort);
      const chunk = chunks[place] ?? [];
      chunk.splice(findIn(chunk, entry.sort), 0, entry);
      if (chunk.length > maxChunk) chunks.splice(place + 1, 0, chunk.splice(maxChunk / 2));
    },
    remove(sort) {
      const place = findChunk(sort);
      const chunk = chunks[place] ?? [];
      const at = findIn(chunk, sort);
      if (chunk[at]?.sort !== sort) return;
      chunk.splice(at, 1);
      if (chunk.length === 0 && chunks.length > 1) chunks.splice(place, 1);
    },
    *from(sort) {
      for (
        let place = findChunk(sort), at = findIn(chunks[place] ?? [], sort);
        place < chunks.length;
        place += 1, at = 0
      ) {
        const chunk = chunks[place] ?? [];
        for (; at < chunk.length; at += 1) {
          const entry = chunk[at];
          if (entry !== undefined) yield entry;
        }
      }
    },
  };
};
