import type { CheckId } from '../../messages/refusals/en.ts';

/** Where a check is specified. */
export interface Reference {
  readonly text: string;
  readonly url: string;
}

const rfc = (number: number, section: string): Reference => ({
  text: `RFC ${number}, section ${section}`,
  url: `https://www.rfc-editor.org/rfc/rfc${number}#section-${section}`,
});

const openId =
  (text: string, document: string) =>
  (section: string, anchor: string): Reference => ({
    text: `${text}, section ${section}`,
    url: `https://openid.net/specs/${document}#${anchor}`,
  });
const core = openId('OpenID Connect Core', 'openid-connect-core-1_0.html');
const backChannel = openId('Back-Channel Logout', 'openid-connect-backchannel-1_0.html');
const responseTypes = openId('Multiple Response Types', 'oauth-v2-multiple-response-types-1_0.html');

/** The reference of each check. */
export const references: Readonly<Record<CheckId, Reference>> = {
  kind: rfc(6749, '1.4'),
  endpoint: rfc(8414, '2'),
  flow: rfc(9700, '4.7'),
  limits: rfc(6749, '3.1'),
  clientId: rfc(6749, '4.1.1'),
  client: rfc(6749, '2.2'),
  redirectUri: rfc(9700, '2.1'),
  once: rfc(6749, '3.1'),
  requestSource: rfc(9101, '5'),
  requestObject: rfc(9101, '6.3'),
  pushed: rfc(9126, '4'),
  pushedOnly: rfc(9126, '6'),
  signedOnly: rfc(9101, '10.5'),
  responseTypeOffered: rfc(6749, '3.1.1'),
  responseType: rfc(6749, '3.1.1'),
  responseMode: responseTypes('2.1', 'ResponseModes'),
  registration: core('7.2.1', 'RegistrationParameter'),
  replay: core('3.2.2.1', 'ImplicitAuthRequest'),
  prompt: core('3.1.2.1', 'AuthRequest'),
  scopeSyntax: rfc(6749, '3.3'),
  openid: core('3.1.2.1', 'AuthRequest'),
  pkce: rfc(7636, '4.4.1'),
  claims: core('5.5', 'ClaimsParameter'),
  details: rfc(9396, '5'),
  resource: rfc(8707, '2'),
  hint: core('3.1.2.1', 'AuthRequest'),
  scope: rfc(6749, '3.3'),
  audience: rfc(6749, '8.2'),
  maxAge: core('3.1.2.1', 'AuthRequest'),
  other: rfc(6749, '4.1.2.1'),
  format: rfc(7515, '7.1'),
  algorithm: rfc(8725, '3.1'),
  keySource: rfc(7591, '2'),
  key: rfc(7515, '4.1.4'),
  signature: rfc(7515, '5.2'),
  issuer: rfc(7519, '4.1.1'),
  times: rfc(7519, '4.1.4'),
  tokenAudience: rfc(7519, '4.1.3'),
  typeRules: backChannel('2.6', 'Validation'),
  tokenClient: rfc(6749, '2.2'),
  active: rfc(7662, '2.2'),
  codeUse: rfc(6749, '4.1.2'),
  method: rfc(7591, '2'),
  assertionId: rfc(7523, '3'),
  assertionUse: rfc(7523, '3'),
};

export interface CheckResult {
  readonly id: CheckId;
  readonly result: 'passed' | 'failed' | 'skipped' | 'unknown';
  /** The values that were pasted, and those that the server accepts, as `shownValues` returns them. */
  readonly given?: readonly string[];
  readonly expected?: readonly string[];
}

export interface Diagnosis {
  readonly kind:
    | 'request'
    | 'accessToken'
    | 'refreshToken'
    | 'idToken'
    | 'logoutToken'
    | 'clientAssertion'
    | 'code'
    | 'unknown';
  readonly checks: readonly CheckResult[];
  /** The answer of the server. */
  readonly answer?: { readonly error: string; readonly description: string; readonly isToClient: boolean } | undefined;
  readonly clientId?: string | undefined;
  readonly subject?: string | undefined;
  /** Members of the token that say what it is for. */
  readonly content?: readonly (readonly [name: string, value: string])[] | undefined;
}

/** The checks in their order, of which one has failed. Those after it were not reached. */
export const failedAt = (order: readonly CheckId[], failed: CheckId): readonly CheckResult[] => {
  const at = order.indexOf(failed);
  return order.map((id, index) => ({ id, result: index < at ? 'passed' : index === at ? 'failed' : 'skipped' }));
};

/** The checks in their order, of which those before `from` have passed. The others cannot be decided here. */
export const undecidedFrom = (order: readonly CheckId[], from: CheckId): readonly CheckResult[] => {
  const at = order.indexOf(from);
  return order.map((id, index) => ({ id, result: index < at ? 'passed' : 'unknown' }));
};

export const allPassed = (order: readonly CheckId[]): readonly CheckResult[] =>
  order.map((id) => ({ id, result: 'passed' }));
