/** Options of `LRUCache` (lru-cache): it grows as it fills. With `max`, it allocates the memory of all entries at once. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
