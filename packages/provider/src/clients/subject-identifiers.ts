import { hash } from 'node:crypto';
import { parseJson } from '@carnet/adapter-contract/kit';
import { type CarnetError, fieldError } from '../errors.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import { OutboundError } from '../outbound/outbound-error.ts';
import type { ClientRecord, OAuth2Client } from './client-record.ts';

interface SubjectIdentifiersDependencies {
  readonly supportedTypes: readonly ('public' | 'pairwise')[];
  readonly pairwise: { readonly salt?: string };
  readonly outbound: Pick<OutboundClient, 'send'>;
}

/** The subject identifiers that clients receive (OpenID Connect Core 1.0, section 8). */
export interface SubjectIdentifiers {
  /**
   * The `sub` that a client sees. For pairwise clients the one that the login app has forced, or
   * SHA-256(sector host, subject, salt) in hex, as Hydra has it.
   */
  present(client: Pick<ClientRecord, 'metadata'>, subject: string, forced?: string): string;
  /** @throws CarnetError `invalid_client_metadata` if the client can't have its `subject_type` */
  assertSupported(metadata: OAuth2Client): void;
  /** @throws CarnetError `invalid_client_metadata`, also if the sector file does not list the redirect URIs */
  validate(metadata: OAuth2Client): Promise<void>;
}

type SectorMetadata = Pick<OAuth2Client, 'sector_identifier_uri' | 'redirect_uris' | 'jwks_uri'>;

const refuseSector = (problem: string, options?: ErrorOptions): CarnetError =>
  fieldError('sector_identifier_uri', problem, options);

/** Only http and https URLs: a URI with the scheme of a native app can have any host. */
export const hostOf = (uri: string | undefined): string => {
  const url = uri === undefined ? null : URL.parse(uri);
  return url !== null && /^https?:$/.test(url.protocol) ? url.host : '';
};

/** The host that all clients of one sector share. */
export const sectorOf = ({ sector_identifier_uri, redirect_uris, jwks_uri }: SectorMetadata): string =>
  hostOf(sector_identifier_uri ?? redirect_uris[0] ?? jwks_uri);

const assertOneSector = (metadata: SectorMetadata): void => {
  if (metadata.sector_identifier_uri !== undefined) return;
  const hosts = new Set(metadata.redirect_uris.map(hostOf));
  if (hosts.size > 1) throw refuseSector('must be set: redirect_uris have more than one host.');
  if (sectorOf(metadata) === '') throw refuseSector('must be set: redirect_uris name no host.');
};

const fetchSector = async (outbound: Pick<OutboundClient, 'send'>, url: string): Promise<readonly unknown[]> => {
  const answer = await outbound
    .send({ url, purpose: 'sector_identifier_uri', headers: { accept: 'application/json' } })
    .catch((cause: unknown) => {
      if (!(cause instanceof OutboundError)) throw cause;
      throw refuseSector(`: ${cause.message}.`, { cause });
    });
  if (answer.status !== 200) throw refuseSector(`: the status of the response is ${answer.status}, not 200.`);
  const uris = parseJson(answer.body);
  if (!Array.isArray(uris)) throw refuseSector(': the document is not a JSON array.');
  return uris;
};

/** OpenID Connect Registration 1.0, section 5: the sector's own file lists every redirect URI of its clients. */
const assertListed = async (outbound: Pick<OutboundClient, 'send'>, metadata: SectorMetadata): Promise<void> => {
  const { sector_identifier_uri: url, redirect_uris } = metadata;
  if (url === undefined) return;
  const listed = new Set(await fetchSector(outbound, url));
  if (redirect_uris.every((uri) => listed.has(uri))) return;
  throw refuseSector(': the document does not list all redirect_uris.');
};

export const createSubjectIdentifiers = ({
  supportedTypes,
  pairwise: { salt = '' },
  outbound,
}: SubjectIdentifiersDependencies): SubjectIdentifiers => {
  const assertSupported = (metadata: OAuth2Client): void => {
    if (!supportedTypes.includes(metadata.subject_type)) {
      throw fieldError('subject_type', `must be ${supportedTypes.join(' or ')}: oidc.subjectIdentifiers has no other.`);
    }
    if (metadata.subject_type === 'pairwise') assertOneSector(metadata);
  };
  return {
    present: ({ metadata }, subject, forced) => {
      if (metadata.subject_type !== 'pairwise') return subject;
      return forced ?? hash('sha256', sectorOf(metadata) + subject + salt);
    },
    assertSupported,
    validate: async (metadata) => {
      assertSupported(metadata);
      await assertListed(outbound, metadata);
    },
  };
};
