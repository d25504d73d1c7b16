import { checkWritable, readKey } from './keys.ts';
import { allocateId, isStored } from './mutate.ts';
import { encodeKey } from './order.ts';
import type { DatabaseRequest, Key } from './protocol.ts';
import type { Store } from './store.ts';

interface KeysRequest extends DatabaseRequest {
  readonly keys: readonly Key[];
}

/** Ids are random: one that was handed out or reserved is not handed out again, until the server restarts. */
export const createIdAllocator = (store: Store) => {
  const reserved = new Set<string>();
  const isTaken = (key: Key) => isStored(store)(key) || reserved.has(encodeKey(key));

  return {
    isTaken,
    allocateIds(request: KeysRequest) {
      const keys = request.keys.map((key) => {
        const incomplete = readKey(key, request, 'incomplete');
        checkWritable(incomplete);
        const complete = allocateId(isTaken, incomplete);
        reserved.add(encodeKey(complete));
        return complete;
      });
      return { keys };
    },
    reserveIds(request: KeysRequest) {
      for (const key of request.keys) reserved.add(encodeKey(readKey(key, request, 'complete')));
      return {};
    },
  };
};
