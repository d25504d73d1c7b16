import type { OAuth2Client } from '@carnet/provider';
import type { CheckId } from '../../messages/refusals/en.ts';
import { type Discovery, readDiscovery } from '../../server/documents.ts';
import { readAnswer } from './authorization-answer.ts';
import { allPassed, type CheckResult, type Diagnosis, failedAt, undecidedFrom } from './checks.ts';
import { type Diagnosing, findRegistered } from './diagnosing.ts';
import { checkOf, requestOrder } from './request-checks.ts';
import { requestValues } from './request-values.ts';
import { withValues } from './shown-values.ts';

/** A request as it was pasted. */
export interface PastedRequest {
  /** Undefined for a query without a URL. */
  readonly url: URL | undefined;
  readonly query: string;
}

const pushedPrefix = 'urn:ietf:params:oauth:request_uri:';
/** The server refuses longer queries before it looks at them. */
const maxQueryLength = 8_192;
/** A longer request object could make a flow that the server stores. */
const maxObjectLength = 3_000;

const verifiers = ['login_verifier', 'consent_verifier'];

const isEndpoint = ({ url }: PastedRequest, { authorization_endpoint: endpoint }: Discovery): boolean =>
  url === undefined || endpoint === undefined || `${url.origin}${url.pathname}` === endpoint;

/** Checks of the console, before a request is sent. */
const refusedHere = (pasted: PastedRequest, params: URLSearchParams, discovery: Discovery): CheckId | undefined => {
  if (!isEndpoint(pasted, discovery)) return 'endpoint';
  if (verifiers.some((name) => params.has(name))) return 'flow';
  return pasted.query.length > maxQueryLength ? 'limits' : undefined;
};

/** The parameters that are sent: with a prompt that the server knows, `none`, so that a valid request begins no flow. */
const withoutFlow = (
  params: URLSearchParams,
  { prompt_values_supported: supported = [] }: Discovery,
): URLSearchParams => {
  const values = (params.get('prompt') ?? '').split(' ').filter((value) => value !== '');
  const isKnown = values.every((value) => supported.includes(value)) && (values.length < 2 || !values.includes('none'));
  const sent = new URLSearchParams(params);
  if (isKnown && params.getAll('prompt').length < 2) sent.set('prompt', 'none');
  return sent;
};

/** With an error that is shown to the user, a request that names no redirect URI is refused before that is checked. */
const checksOf = (failed: CheckId, isToClient: boolean): readonly CheckResult[] => {
  const order = requestOrder.includes(failed) ? requestOrder : [...requestOrder, failed];
  const isBeforeReceiver = failed === 'requestSource' || failed === 'requestObject' || failed === 'pushedOnly';
  return failedAt(order, failed).map((check) =>
    isBeforeReceiver && !isToClient && (check.id === 'redirectUri' || check.id === 'once')
      ? { ...check, result: 'skipped' }
      : check,
  );
};

/** Pushed requests, and long request objects, are not sent: a request_uri would be used up, and a flow stored. */
const undecided = (clientId: string, client: OAuth2Client | undefined, unknown: CheckId): readonly CheckResult[] => {
  if (clientId === '') return failedAt(requestOrder, 'clientId');
  if (client === undefined) return failedAt(requestOrder, 'client');
  const others = requestOrder.filter((id) => id !== unknown);
  return undecidedFrom(others.toSpliced(others.indexOf('client') + 1, 0, unknown), unknown);
};

interface Known {
  readonly params: URLSearchParams;
  readonly client: OAuth2Client | undefined;
  readonly discovery: Discovery;
}

const checkRequest = async (
  { server, signal }: Diagnosing,
  pasted: PastedRequest,
  { params, client, discovery }: Known,
): Promise<Pick<Diagnosis, 'checks' | 'answer'>> => {
  const clientId = params.get('client_id') ?? '';
  const refused = refusedHere(pasted, params, discovery);
  if (refused !== undefined) return { checks: failedAt(requestOrder, refused) };
  if (params.get('request_uri')?.startsWith(pushedPrefix) && !params.has('request'))
    return { checks: undecided(clientId, client, 'pushed') };
  if ((params.get('request')?.length ?? 0) > maxObjectLength)
    return { checks: undecided(clientId, client, 'requestObject') };
  const endpoint = discovery.authorization_endpoint ?? `${server.issuer}/oauth2/auth`;
  const body = withoutFlow(params, discovery);
  const response = await server.fetch(new Request(endpoint, { method: 'POST', body, redirect: 'manual', signal }));
  const answer = await readAnswer(response, params.get('redirect_uri'));
  if (answer.type === 'unreadable') return { checks: undecided(clientId, client, 'other') };
  const isQuiet = answer.type === 'refused' && answer.error === 'login_required';
  if (answer.type === 'accepted' || isQuiet) return { checks: allPassed(requestOrder) };
  return { checks: checksOf(checkOf(answer), answer.isToClient), answer };
};

/**
 * Sends an authorization request to the server, and finds the check that refuses it.
 *
 * Without side effects because no cookie is sent, a valid request has `prompt=none`, no verifier and no pushed request is sent,
 * and a request object is too short for a flow that the server stores. By POST, so that nothing pasted is in a URL.
 */
export const diagnoseRequest = async (diagnosing: Diagnosing, pasted: PastedRequest): Promise<Diagnosis> => {
  const discovery = (await readDiscovery(diagnosing)) ?? {};
  const params = new URLSearchParams(pasted.query);
  const clientId = params.get('client_id') ?? '';
  const client = await findRegistered(diagnosing, clientId);
  const { checks, answer } = await checkRequest(diagnosing, pasted, { params, client, discovery });
  const { url } = pasted;
  const values = requestValues({ params, address: url && `${url.origin}${url.pathname}`, client, discovery });
  return { kind: 'request', ...(clientId !== '' && { clientId }), checks: withValues(checks, values), answer };
};
