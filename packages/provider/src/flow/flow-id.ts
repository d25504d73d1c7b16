import { hash } from 'node:crypto';
import { takeRandom } from '../random.ts';
import type { FlowState } from './flow-state.ts';

/** A new flow id; the time comes first so that the oldest of a browser's flows can be told. */
export const createFlowId = (now: number): string => {
  const bytes = takeRandom(16);
  bytes.writeUInt32BE(Math.floor(now / 1000));
  return bytes.toString('base64url');
};

/** Seconds since 1970. */
export const flowBegan = (id: string): number => Buffer.from(id, 'base64url').readUInt32BE();

export const isFlowId = (text: string): boolean => /^[A-Za-z0-9_-]{21}[AQgw]$/.test(text);

/**
 * Everything a flow may create derives its id from the flow's id, so that a replay can only create the same thing
 * again, and the one claim in the store decides. No key is involved: rotating secrets changes no id.
 */
const derivedHex = (what: string, id: string): string => hash('sha256', `carnet:${what}:${id}`, 'hex').slice(0, 32);
const derived = (what: string, id: string): string => Buffer.from(derivedHex(what, id), 'hex').toString('base64url');

/** A pushed request has one grant, however many flows begin with it: of all their codes one is redeemed (RFC 9126, 4). */
export const grantIdOf = ({ id, pushedId }: Pick<FlowState, 'id' | 'pushedId'>): string =>
  pushedId === undefined ? derived('grant', id) : grantIdOfPushed(pushedId);
export const grantIdOfPushed = (pushedId: string): string => derived('pushed grant', pushedId);
/** What a flow knows its pushed request by. It can't be turned back into the `request_uri`. */
export const pushedIdOf = (reference: string): string => derived('pushed', reference);
export const codeIdOf = (flowId: string): string => derived('code', flowId);
/** What a completed flow claims when it remembers anything. */
export const completionIdOf = (flowId: string): string => derived('completion', flowId);

/** The `sid` of the session a flow may create, in the form of a UUID (RFC 9562, version 8). */
export const sessionIdOf = (flowId: string): string => {
  const hex = derivedHex('session', flowId);
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
};

/** The `sid` of a flow's login: of the session it is skipped for, or of the one it may create. */
export const sidOf = ({ skipLogin, session, id }: FlowState): string =>
  skipLogin && session ? session.sid : sessionIdOf(id);

/** The `consent_request_id` of the API: 32 hexadecimal digits. */
export const consentRequestIdOf = (flow: Pick<FlowState, 'id' | 'pushedId'>): string =>
  consentRequestIdOfGrant(grantIdOf(flow));
/** It leads back to the grant: what was consented to is taken back by it, and no index is needed. */
export const consentRequestIdOfGrant = (grantId: string): string => Buffer.from(grantId, 'base64url').toString('hex');
/** Nothing for what is no `consent_request_id`. */
export const grantIdOfConsentRequest = (consentRequestId: string): string | undefined =>
  /^[0-9a-f]{32}$/.test(consentRequestId) ? Buffer.from(consentRequestId, 'hex').toString('base64url') : undefined;
/** What the consent request calls its login challenge: 32 hexadecimal digits, not the challenge itself. */
export const loginRequestIdOf = (flowId: string): string => derivedHex('login', flowId);
