import { type Kind, listedBySubject, listedKinds, type RecordKey } from '@carnet/adapter-contract';

/**
 * The key of everything that is stored. Redis Cluster places a key by what stands in its first braces: all that has to
 * change together has the same braces. What comes from outside is percent-encoded, so that none of it is a brace or a
 * colon; a SHA-256 in base64url stays as it is.
 *
 *     <prefix>schema                  the marker of the data set
 *     <prefix>{<place>}:<kind>:<id>   a record; its place is its grant or, where it has none, itself
 *     <prefix>{<grant>}:revoke        the records of a grant (`<kind>:<id>`), by expiry
 *     <prefix>{<list>}:ids            what is in a list, in the order of its pages
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
});

/** The three keys of a list. */
export const keysOfList = (list: string): [ids: string, expiries: string, suspects: string] => [
  `${list}:ids`,
  `${list}:expiries`,
  `${list}:suspects`,
];

/** How a record stands in its list: enough to find it again, and unique. */
export const memberOf = ({ id, grantId }: RecordKey): string =>
  grantId === undefined ? encodeURIComponent(id) : `${encodeURIComponent(id)}:${encodeURIComponent(grantId)}`;

export const keyOfMember = (kind: Kind, member: string): RecordKey => {
  const [id = '', grantId] = member.split(':').map(decodeURIComponent);
  return { kind, id, grantId };
};
