import { z } from 'zod';
import type { HttpRequest, HttpResponse, Route } from '../http/types.ts';
import { parseTrustedIssuer, type TrustedIssuer, trustedIssuerBody } from '../trust/trusted-issuer.ts';
import type { TrustedIssuers } from '../trust/trusted-issuers.ts';
import { linkHeader, type PageTokens, parsePageQuery } from './page-query.ts';

export interface TrustedIssuerDependencies {
  readonly trustedIssuers: TrustedIssuers;
  readonly pageTokens: PageTokens;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const path = '/admin/trust/grants/jwt-bearer/issuers';

const answer = z
  .strictObject({
    id: z.string(),
    issuer: z.string(),
    subject: z.string(),
    allow_any_subject: z.boolean(),
    scope: z.array(z.string()),
    public_key: z.strictObject({ set: z.string(), kid: z.string() }),
    created_at: z.string(),
    expires_at: z.string(),
  })
  .meta({ id: 'TrustedOAuth2JwtGrantIssuer' });

/** As Hydra shows it: the key by its name alone. */
const toWire = ({ id, issuer, subject, scope, jwk, createdAt, expiresAt }: TrustedIssuer): z.output<typeof answer> => ({
  id,
  issuer,
  subject,
  allow_any_subject: subject === '',
  scope: [...scope],
  public_key: { set: issuer, kid: jwk.kid },
  created_at: createdAt,
  expires_at: expiresAt,
});

const list = async ({ query }: HttpRequest, deps: TrustedIssuerDependencies): Promise<HttpResponse> => {
  const { trustedIssuers, pageTokens } = deps;
  const issuer = query.get('issuer') ?? '';
  const listing = { path, filters: { issuer } };
  const { pageSize, after } = parsePageQuery(query, pageTokens, listing);
  const { issuers, next } = await trustedIssuers.list({ limit: pageSize, after, issuer });
  const headers = { Link: linkHeader(pageTokens, { ...listing, pageSize, next }) };
  return { status: 200, headers, body: issuers.map(toWire) };
};

const create = async (request: HttpRequest, deps: TrustedIssuerDependencies): Promise<HttpResponse> => {
  const { trustedIssuers, now } = deps;
  const issuer = parseTrustedIssuer(await request.json(), now());
  await trustedIssuers.create(issuer);
  return { status: 201, headers: { Location: `${path}/${issuer.id}` }, body: toWire(issuer) };
};

const idOf = ({ params }: HttpRequest): string => params.id ?? '';

/** Whose assertions are exchanged for access tokens (RFC 7523), under Hydra's paths. */
export const trustedIssuerRoutes = (deps: TrustedIssuerDependencies): readonly Route[] => [
  {
    method: 'GET',
    path,
    description: {
      operationId: 'listTrustedOAuth2JwtGrantIssuers',
      summary: 'List the trusted issuers. The Link header has the URL of the next page.',
      query: {
        page_size: 'The maximum number of issuers on a page, 1 to 500. Default 100.',
        page_token: 'The value from the Link header of the previous page.',
        issuer: 'List only the trusted issuers with this `iss`. Pages may have fewer entries.',
      },
      answers: { 200: z.array(answer) },
    },
    handle: (request) => list(request, deps),
  },
  {
    method: 'POST',
    path,
    description: {
      operationId: 'trustOAuth2JwtGrantIssuer',
      summary:
        'Trust an issuer: accept its assertions about one subject, or about any, if they verify with the given key.',
      body: { schema: trustedIssuerBody },
      answers: { 201: answer },
    },
    handle: (request) => create(request, deps),
  },
  {
    method: 'GET',
    path: `${path}/:id`,
    description: {
      operationId: 'getTrustedOAuth2JwtGrantIssuer',
      summary: 'Get a trusted issuer.',
      answers: { 200: answer },
    },
    handle: async (request) => ({ status: 200, body: toWire(await deps.trustedIssuers.get(idOf(request))) }),
  },
  {
    method: 'DELETE',
    path: `${path}/:id`,
    description: {
      operationId: 'deleteTrustedOAuth2JwtGrantIssuer',
      summary: 'Delete a trusted issuer. Tokens that were issued for its assertions stay valid.',
      answers: { 204: null },
    },
    handle: async (request) => {
      await deps.trustedIssuers.remove(idOf(request));
      return { status: 204 };
    },
  },
];
