import { hash } from 'node:crypto';
import { takeRandom } from '../random.ts';
import type { FlowState } from './flow-state.ts';

/** A new flow id. It begins with the time, so that the oldest flow of a browser can be found. */
export const createFlowId = (now: number): string => {
  const bytes = takeRandom(16);
  bytes.writeUInt32BE(Math.floor(now / 1000));
  return bytes.toString('base64url');
};

/** Seconds since 1970. */
export const flowBegan = (id: string): number => Buffer.from(id, 'base64url').readUInt32BE();

export const isFlowId = (text: string): boolean => /^[A-Za-z0-9_-]{21}[AQgw]$/.test(text);

/**
 * Every record that a flow creates has an id derived from the flow's id. A replay therefore creates the same record,
 * and the single claim in the store refuses it. The derivation uses no key: rotating secrets changes no id.
 */
const derivedHex = (what: string, id: string): string => hash('sha256', `carnet:${what}:${id}`, 'hex').slice(0, 32);
const derived = (what: string, id: string): string => Buffer.from(derivedHex(what, id), 'hex').toString('base64url');

/**
 * All flows of a pushed request share one grant, so that only one of their codes can be redeemed (RFC 9126, section 4).
 */
export const grantIdOf = ({ id, pushedId }: Pick<FlowState, 'id' | 'pushedId'>): string =>
  pushedId === undefined ? derived('grant', id) : grantIdOfPushed(pushedId);
export const grantIdOfPushed = (pushedId: string): string => derived('pushed grant', pushedId);
/** Identifies the pushed request of a flow. The `request_uri` cannot be derived from it. */
export const pushedIdOf = (reference: string): string => derived('pushed', reference);
/** The id of the record that a completed flow claims if it remembers a consent or issues tokens at once. */
export const completionIdOf = (flowId: string): string => derived('completion', flowId);

/** The `sid` of the session a flow may create, in the form of a UUID (RFC 9562, version 8). */
export const sessionIdOf = (flowId: string): string => {
  const hex = derivedHex('session', flowId);
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
};

/** The `sid` of a flow's login: the session for which login is skipped, or the session that the flow may create. */
export const sidOf = ({ skipLogin, session, id }: FlowState): string =>
  skipLogin && session ? session.sid : sessionIdOf(id);

/** The `consent_request_id` of the API: 32 hexadecimal digits. */
export const consentRequestIdOf = (flow: Pick<FlowState, 'id' | 'pushedId'>): string =>
  consentRequestIdOfGrant(grantIdOf(flow));
/** The grant id can be derived back from it. A consent is therefore revoked without an index. */
export const consentRequestIdOfGrant = (grantId: string): string => Buffer.from(grantId, 'base64url').toString('hex');
/** Undefined if the text is no `consent_request_id`. */
export const grantIdOfConsentRequest = (consentRequestId: string): string | undefined =>
  /^[0-9a-f]{32}$/.test(consentRequestId) ? Buffer.from(consentRequestId, 'hex').toString('base64url') : undefined;
/** The `login_challenge` member of a consent request: 32 hexadecimal digits, not the challenge itself. */
export const loginRequestIdOf = (flowId: string): string => derivedHex('login', flowId);
