import { listedBySubject, listedKinds, type Page, type ScanQuery } from '../port.ts';
import { placeOf } from '../scan.ts';
import { isOver, withoutExpiry } from './expiry.ts';
import { type Mutant, mutantsOf, override, withAnswers } from './mutant.ts';

/** Each page of a scan is changed. */
const changingScans =
  (change: (page: Page, query: ScanQuery) => Page): Mutant['wrap'] =>
  (adapter) =>
    override(adapter, { scan: async (query) => change(await adapter.scan(query), query) });

/** A scan leaves out some records. */
const scanningOnly = (isScanned: (found: Page['records'][number]) => boolean): Mutant['wrap'] =>
  changingScans(({ records, next }) => ({ records: records.filter(isScanned), next }));

const isListed = ({ kind }: Page['records'][number]): boolean =>
  [...listedKinds, ...listedBySubject].some((listed) => listed === kind);

export const scanMutants = mutantsOf({
  'scan-returns-every-kind': {
    'scans-listed-kinds-only': scanningOnly(isListed),
    'scans-without-the-consumed': scanningOnly(({ consumedAt }) => consumedAt === null),
    'scans-one-page': changingScans(({ records }) => ({ records: records.slice(0, 10) })),
    'scans-without-members': changingScans(({ records, next }) => ({
      records: records.map((found) => ({ ...found, members: [] })),
      next,
    })),
  },
  'scan-returns-the-places-of-a-prefix': {
    'scans-without-a-prefix': (adapter) =>
      override(adapter, { scan: (query) => adapter.scan({ ...query, prefix: undefined }) }),
    'scans-the-ids-of-a-prefix': (adapter) =>
      override(adapter, {
        scan: async ({ prefix = '', ...query }) => {
          const { records, next } = await adapter.scan(query);
          return { records: records.filter(({ id }) => id.startsWith(prefix)), next };
        },
      }),
    'scans-the-places-that-are-like-a-prefix': (adapter) =>
      override(adapter, {
        scan: async ({ prefix = '', ...query }) => {
          const { records, next } = await adapter.scan(query);
          const pattern = new RegExp(`^${prefix.replaceAll('_', '.')}`);
          return { records: records.filter((found) => pattern.test(placeOf(found))), next };
        },
      }),
  },
  'scan-leaves-out-the-expired': {
    'scans-the-expired': (adapter) => {
      const { store, expiryOf } = withoutExpiry(adapter);
      const answering = withAnswers(store, (found) => ({ ...found, expiresAt: expiryOf(found) }));
      return override(answering, {
        read: async (keys) =>
          (await answering.read(keys)).map((found) => (found && isOver(found.expiresAt) ? undefined : found)),
      });
    },
  },
  'scan-is-stable-under-changes': {
    'scans-by-offset': (adapter) =>
      override(adapter, {
        scan: async ({ limit, after, prefix }) => {
          const all: Page['records'][number][] = [];
          for (let from: string | undefined, isDone = false; !isDone; isDone = from === undefined) {
            const page = await adapter.scan({ limit: 500, prefix, after: from });
            all.push(...page.records);
            from = page.next;
          }
          const end = Number(after ?? 0) + limit;
          return { records: all.slice(end - limit, end), next: end < all.length ? String(end) : undefined };
        },
      }),
  },
});
