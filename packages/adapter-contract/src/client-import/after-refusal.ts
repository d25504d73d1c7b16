import type { JsonObject } from '../kit/json.ts';
import type { Importable } from './importable.ts';

/** Members that contradict others, by the reason that the server gives. */
interface Contradiction {
  readonly reason: RegExp;
  /** The members to leave out. */
  readonly members: readonly string[];
  readonly consequence: string;
}

const contradictions: readonly Contradiction[] = [
  {
    reason: /either jwks or jwks_uri must be set/,
    members: ['token_endpoint_auth_method', 'token_endpoint_auth_signing_alg'],
    consequence: 'without keys the client gets a secret',
  },
  {
    // No member names the sector of a pairwise client.
    reason: /sector_identifier_uri must be set|(?:sector_identifier_uri|jwks_uri) is mandatory/,
    members: ['subject_type'],
    consequence: 'users get other subjects, because the client gets their public sub',
  },
  {
    // Without a type, the server would still read the file of the sector.
    reason: /subject_type must be '?public/,
    members: ['subject_type', 'sector_identifier_uri'],
    consequence:
      'users get other subjects. To keep them, add pairwise to oidc.subjectIdentifiers.supportedTypes first, with the salt of the other server',
  },
  {
    reason: /sector_identifier_uri/,
    members: ['sector_identifier_uri'],
    consequence:
      'a pairwise sub is derived from the host of the first redirect URI, so that users get other subjects if that host is another',
  },
  { reason: /jwks and jwks_uri can not both be set/, members: ['jwks'], consequence: 'jwks_uri is kept' },
];

const leaveOut = (client: JsonObject, members: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(client).filter(([name]) => !members.includes(name)));

/** The tokens of a redirect are left out, so that the redirect URIs can stay. */
const withoutImplicit = (client: JsonObject): JsonObject => ({
  ...client,
  grant_types: [client.grant_types].flat().filter((grant) => grant !== 'implicit'),
  response_types: [client.response_types].flat().filter((type) => type === 'code'),
});

/** The member of the client with which a reason begins, or which it calls a field. `client_id` is never left out. */
const memberIn = (client: JsonObject, reason: string): string | undefined => {
  const named = [/\bField (\w+)/.exec(reason)?.[1], /^(\w+)\b/.exec(reason)?.[1]];
  return named.find((name) => name !== undefined && name !== 'client_id' && Object.hasOwn(client, name));
};

/**
 * The client without the members for which the server has refused it, and a note about them.
 *
 * @param reason the description of the error of the server
 * @returns undefined if the reason names no member
 */
export const afterRefusal = (client: JsonObject, reason: string): Importable | undefined => {
  if (/leave implicit out of grant_types/.test(reason) && [client.grant_types].flat().includes('implicit')) {
    const notes = [
      'left out implicit of grant_types, and all response_types but code: redirect_uris need https for it',
    ];
    return { client: withoutImplicit(client), notes };
  }
  const known = contradictions.find((one) => one.reason.test(reason) && one.members.some((name) => name in client));
  const member = memberIn(client, reason);
  const members = known?.members.filter((name) => name in client) ?? (member === undefined ? [] : [member]);
  if (members.length === 0) return undefined;
  const why = known === undefined ? reason : `${known.consequence}. The server says: ${reason}`;
  return { client: leaveOut(client, members), notes: [`left out ${members.join(' and ')}: ${why}`] };
};
