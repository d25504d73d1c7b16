import type { CheckId } from '../../messages/refusals/en.ts';
import { allPassed, type Diagnosis, failedAt, undecidedFrom } from './checks.ts';
import { diagnoseJwt, kindOfJwt } from './diagnose-jwt.ts';
import { diagnoseRequest } from './diagnose-request.ts';
import type { Diagnosing } from './diagnosing.ts';
import { readJwt, textIn } from './read-jwt.ts';

const opaqueOrder: readonly CheckId[] = ['format', 'active', 'tokenClient'];
const codeOrder: readonly CheckId[] = ['format', 'codeUse'];

/** The values that the server issues: `tokens/token-value.ts`. */
const tokenShape = /^carnet_(at|rt)_(?:[\w-]{22}\.)?[\w-]{43}$/;
const codeShape = /^carnet_ac_[\w-]+(?:\.[\w-]*){2,4}$/;

const diagnoseOpaque = async ({ server }: Diagnosing, text: string): Promise<Diagnosis> => {
  const kind = text.startsWith('carnet_rt_') ? 'refreshToken' : 'accessToken';
  if (!tokenShape.test(text)) return { kind, checks: failedAt(opaqueOrder, 'format') };
  const found = await server.tokens.introspect(text);
  if (!found.active) return { kind, checks: failedAt(opaqueOrder, 'active') };
  const { client_id: clientId, sub, scope, aud, exp, iat, token_type: type } = found;
  const content = Object.entries({
    ...{ scope, aud: aud.join(' '), token_type: type },
    ...{ exp: new Date(exp * 1_000).toISOString(), iat: new Date(iat * 1_000).toISOString() },
  });
  return { kind, clientId, subject: sub === clientId ? undefined : sub, content, checks: allPassed(opaqueOrder) };
};

const diagnoseCode = (text: string): Diagnosis => ({
  kind: 'code',
  checks: codeShape.test(text) ? undecidedFrom(codeOrder, 'codeUse') : failedAt(codeOrder, 'format'),
});

/** The parameters of a request: a URL, or a query. */
const requestIn = (text: string) => {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return { url, query: url.search.slice(1) };
  return /^\??[\w.~%+-]+=/.test(text) ? { url: undefined, query: text.replace(/^\?/, '') } : undefined;
};

/** Finds out what a text is, and which check of the server it fails. */
export const diagnose = async (diagnosing: Diagnosing, pasted: string): Promise<Diagnosis> => {
  const text = pasted.trim().replace(/^Bearer\s+/i, '');
  if (text.startsWith('carnet_ac_')) return diagnoseCode(text);
  if (/^carnet_[ar]t_/.test(text)) return diagnoseOpaque(diagnosing, text);
  const jwt = readJwt(text);
  if (jwt !== undefined) {
    const kind = kindOfJwt(jwt);
    if (kind !== 'request') return diagnoseJwt(diagnosing, jwt, kind);
    const clientId = textIn(jwt.claims.client_id) ?? textIn(jwt.claims.iss) ?? '';
    return diagnoseRequest(diagnosing, {
      url: undefined,
      query: new URLSearchParams({ client_id: clientId, request: text }).toString(),
    });
  }
  const request = requestIn(text);
  return request === undefined
    ? { kind: 'unknown', checks: failedAt(['kind'], 'kind') }
    : diagnoseRequest(diagnosing, request);
};
