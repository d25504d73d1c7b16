import { type Kind, listedBySubject, listedKinds, type RecordKey } from '@carnet/adapter-contract';

/**
 * The keys of all records and indexes. Redis Cluster places a key by the text in its first braces: records that must
 * change together have the same text. Input is percent-encoded, so that it contains no brace or colon; a SHA-256 in
 * base64url does not change.
 *
 *     <prefix>schema                  the marker of the data set
 *     <prefix>{<place>}:<kind>:<id>   a record; its place is the id of its grant, or its own id if it has none
 *     <prefix>{<grant>}:revoke        the records of a grant (`<kind>:<id>`), by expiry
 *     <prefix>{<list>}:ids            the entries of a list, in the order of its pages
 *     <prefix>{<list>}:expiries       the same, by expiry
 *     <prefix>{<list>}:suspects       what a page found no record for, by the time of that
 */
export interface KeyLayout {
  marker: string;
  record(key: RecordKey): string;
  ofGrant(grantId: string): string;
  /** The list a record is in, without the last part of its keys; lists are of a kind, or of what a subject has of it. */
  listOf(record: { readonly kind: Kind; readonly subject?: string }): string | undefined;
  /** Matches every key but the marker, as `SCAN` has it. */
  pattern: string;
  /** Matches the keys whose place begins with the text, those of indexes included. */
  matchPlaces(start: string): string;
  /** The record of a key; undefined for the key of an index. */
  parse(key: string): RecordKey | undefined;
}

const whole: ReadonlySet<Kind> = new Set<Kind>(listedKinds);
const ofSubjects: ReadonlySet<Kind> = new Set<Kind>(listedBySubject);

export const createKeyLayout = (prefix: string): KeyLayout => ({
  marker: `${prefix}schema`,
  record: ({ kind, id, grantId }) =>
    `${prefix}{${encodeURIComponent(grantId ?? id)}}:${kind}:${encodeURIComponent(id)}`,
  ofGrant: (grantId) => `${prefix}{${encodeURIComponent(grantId)}}:revoke`,
  listOf({ kind, subject }) {
    if (whole.has(kind)) return `${prefix}{${kind}}`;
    if (subject === undefined || !ofSubjects.has(kind)) return undefined;
    return `${prefix}{${kind}:${encodeURIComponent(subject)}}`;
  },
  pattern: `${prefix}{*`,
  // Of the characters that a pattern interprets, only * is not percent-encoded.
  matchPlaces: (start) => `${prefix}{${encodeURIComponent(start).replaceAll('*', '\\*')}*`,
  parse(key) {
    const [, place = '', kind, id] = /^\{([^}]*)\}:([^:]+):([^:]+)$/.exec(key.slice(prefix.length)) ?? [];
    if (kind === undefined || id === undefined) return undefined;
    const found = { kind: kind as Kind, id: decodeURIComponent(id) };
    return place === id ? found : { ...found, grantId: decodeURIComponent(place) };
  },
});

/** The three keys of a list. */
export const keysOfList = (list: string): [ids: string, expiries: string, suspects: string] => [
  `${list}:ids`,
  `${list}:expiries`,
  `${list}:suspects`,
];

/** The entry of a record in its list: unique, and sufficient to find the record. */
export const memberOf = ({ id, grantId }: RecordKey): string =>
  grantId === undefined ? encodeURIComponent(id) : `${encodeURIComponent(id)}:${encodeURIComponent(grantId)}`;

export const keyOfMember = (kind: Kind, member: string): RecordKey => {
  const [id = '', grantId] = member.split(':').map(decodeURIComponent);
  return { kind, id, grantId };
};
