import { z } from 'zod';
import type { Api } from '../api.ts';
import type { Route } from '../http/types.ts';
import { createWireNames } from '../http/wire-names.ts';
import type { PageQuery } from '../storage/page.ts';
import { type TrustedIssuer, trustIssuer } from '../trust/trusted-issuers.ts';
import { answerDone, answerPage, type Paged, pageParameters } from './answers.ts';

const wire = createWireNames();
const argumentsIn = wire.argumentsReader(trustIssuer);
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

/** An issuer as Hydra shows it: with the name of its key in place of the key. */
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

/** The issuers whose assertions are exchanged for access tokens (RFC 7523), under Hydra's paths. */
export const trustedIssuerRoutes = ({
  trustedIssuers,
  pageTokens,
}: Pick<Api, 'trustedIssuers'> & Paged): readonly Route[] => [
  {
    method: 'GET',
    path,
    operationId: 'listTrustedOAuth2JwtGrantIssuers',
    summary: 'List the trusted issuers. The Link header has the URL of the next page.',
    query: {
      ...pageParameters('issuers'),
      issuer: 'List only the trusted issuers with this `iss`. Pages may have fewer entries.',
    },
    answers: { 200: z.array(answer) },
    handle: (request) => {
      const issuer = request.query.get('issuer') ?? '';
      const list = (page: PageQuery) => trustedIssuers.list({ issuer, ...page });
      return answerPage(request, { path, filters: { issuer }, pageTokens }, list, (items) => items.map(toWire));
    },
  },
  {
    method: 'POST',
    path,
    operationId: 'trustOAuth2JwtGrantIssuer',
    summary:
      'Trust an issuer: accept its assertions about one subject, or about any, if they verify with the given key.',
    body: { schema: wire.schemaOf(trustIssuer) },
    answers: { 201: answer },
    handle: async (request) => {
      const issuer = await trustedIssuers.create(argumentsIn(await request.json()));
      return { status: 201, headers: { Location: `${path}/${issuer.id}` }, body: toWire(issuer) };
    },
  },
  {
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getTrustedOAuth2JwtGrantIssuer',
    summary: 'Get a trusted issuer.',
    answers: { 200: answer },
    handle: async ({ params: { id = '' } }) => ({ status: 200, body: toWire(await trustedIssuers.get(id)) }),
  },
  {
    method: 'DELETE',
    path: `${path}/:id`,
    operationId: 'deleteTrustedOAuth2JwtGrantIssuer',
    summary: 'Delete a trusted issuer. Tokens that were issued for its assertions stay valid.',
    answers: { 204: null },
    handle: ({ params: { id = '' } }) => answerDone(trustedIssuers.delete(id)),
  },
];
