import type { Api } from '@carnet/provider';
import { bodyOf, type Call, done, pageOf, pageParameters, segment } from './call.ts';

type Jwk = Awaited<ReturnType<Api['keys']['get']>>;
type TrustedIssuer = Awaited<ReturnType<Api['trustedIssuers']['get']>>;

const keysIn = async (answer: Promise<Response>): Promise<readonly Jwk[]> =>
  (await bodyOf<{ readonly keys: readonly Jwk[] }>(answer)).keys;

const oneIn = async (answer: Promise<Response>): Promise<Jwk> => (await keysIn(answer))[0] as Jwk;

export const keysOf = (call: Call): Api['keys'] => {
  const at = (set: string, kid?: string): string => `/keys${segment(set)}${kid === undefined ? '' : segment(kid)}`;
  return {
    list: (set) => keysIn(call({ method: 'GET', path: at(set) })),
    get: (set, kid) => oneIn(call({ method: 'GET', path: at(set, kid) })),
    generate: (set, json) => oneIn(call({ method: 'POST', path: at(set), json })),
    put: (set, kid, json) => bodyOf(call({ method: 'PUT', path: at(set, kid), json })),
    replace: (set, keys) => keysIn(call({ method: 'PUT', path: at(set), json: { keys } })),
    delete: (set, kid) => done(call({ method: 'DELETE', path: at(set, kid) })),
    deleteSet: (set) => done(call({ method: 'DELETE', path: at(set) })),
  };
};

interface WireIssuer extends Pick<TrustedIssuer, 'id' | 'issuer' | 'subject' | 'scope'> {
  readonly public_key: { readonly kid: string };
  readonly created_at: string;
  readonly expires_at: string;
}

/** The answer has only the `kid` of the key. */
const issuerOf = ({ public_key, created_at, expires_at, id, issuer, subject, scope }: WireIssuer): TrustedIssuer => ({
  ...{ id, issuer, subject, scope },
  jwk: { kid: public_key.kid },
  createdAt: created_at,
  expiresAt: expires_at,
});

export const trustedIssuersOf = (call: Call): Api['trustedIssuers'] => {
  const path = '/trust/grants/jwt-bearer/issuers';
  return {
    list: ({ issuer, ...page } = {}) =>
      pageOf(call({ method: 'GET', path, query: { issuer, ...pageParameters(page) } }), issuerOf),
    get: async (id) => issuerOf(await bodyOf(call({ method: 'GET', path: path + segment(id) }))),
    async create({ allowAnySubject, expiresAt, ...given }) {
      const json = { ...given, allow_any_subject: allowAnySubject, expires_at: expiresAt };
      return issuerOf(await bodyOf(call({ method: 'POST', path, json })));
    },
    delete: (id) => done(call({ method: 'DELETE', path: path + segment(id) })),
  };
};
