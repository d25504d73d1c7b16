import { createHash } from 'node:crypto';
import type { SamlProviderOptions, UpstreamAnswer, UpstreamDependencies, UpstreamResult } from '@carnet/accounts';
import type { Profile } from '@node-saml/node-saml';
import type { MetadataSource } from '../metadata/metadata-source.ts';
import type { ProviderMetadata } from '../metadata/parse-metadata.ts';
import { createSaml, nameIdFormats, requestIdOf, skewMs } from '../request/saml.ts';
import { SamlError, type SamlReason } from '../saml-error.ts';
import { childrenOf, parseAnswerXml, type XmlElement } from '../xml/parse-xml.ts';
import { assertDecrypted } from './assert-decrypted.ts';
import { type ReadAssertion, readAssertion } from './assertion.ts';
import { type Attributes, readClaims, subjectOf } from './claims.ts';
import { assertStructure } from './document-rules.ts';
import { readAnswer, refusalOf } from './read-answer.ts';

export interface VerifyDependencies extends Pick<UpstreamDependencies, 'claim' | 'now'> {
  readonly options: SamlProviderOptions;
  readonly source: MetadataSource;
}

const failed = (reason: string): UpstreamResult => ({ outcome: 'failed', reason });

/** More than this is no profile. The sign-up carries the claims through the browser. */
const mostBytes = 8_192;
const longestSubject = 255;

/** The reasons of node-saml, which are texts with parts of the answer. */
const reasons: readonly (readonly [RegExp, SamlReason])[] = [
  [/InResponseTo/i, 'other_flow'],
  [/signature/i, 'invalid_signature'],
  [/audience/i, 'wrong_audience'],
  // Each subject confirmation is refused for its time.
  [/expired|not yet valid|subject confirmation/i, 'wrong_time'],
];

/** The profile of an answer whose signatures, audience and times are valid. */
const validate = async (
  options: SamlProviderOptions,
  metadata: ProviderMetadata,
  answer: UpstreamAnswer,
  encoded: string,
): Promise<Profile> => {
  try {
    const saml = createSaml(options, metadata, answer);
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: encoded });
    if (profile !== null) return profile;
  } catch (error) {
    const text = error instanceof Error ? error.message : '';
    throw new SamlError(reasons.find(([pattern]) => pattern.test(text))?.[1] ?? 'invalid_answer');
  }
  throw new SamlError('invalid_answer');
};

/** With the metadata as they are, or if the signature is not valid, with new ones: the provider may have changed its keys. */
const validateRenewed = async (
  { options, source }: VerifyDependencies,
  answer: UpstreamAnswer,
  encoded: string,
): Promise<{ readonly profile: Profile; readonly metadata: ProviderMetadata }> => {
  const metadata = await source.current();
  try {
    return { profile: await validate(options, metadata, answer, encoded), metadata };
  } catch (error) {
    const isKey = error instanceof SamlError && error.reason === 'invalid_signature';
    const renewed = isKey ? await source.renewed().catch(() => undefined) : undefined;
    if (renewed === undefined) throw error;
    return { profile: await validate(options, renewed, answer, encoded), metadata: renewed };
  }
};

const assertAddressed = (response: XmlElement, { callback }: UpstreamAnswer, entityId: string): void => {
  const destination = response.getAttribute('Destination');
  if (destination && destination !== callback) throw new SamlError('wrong_destination');
  const [issuer] = childrenOf(response, 'Issuer');
  if (issuer !== undefined && issuer.textContent?.trim() !== entityId) throw new SamlError('wrong_issuer');
};

const attributesOf = ({ attributes }: Profile): Attributes =>
  typeof attributes === 'object' && attributes !== null ? { ...attributes } : {};

/** The subject at the provider. Never a transient NameID, and an email address only if the configuration says so. */
const subjectIn = (options: SamlProviderOptions, profile: Profile): string | undefined => {
  if (options.subjectAttribute !== undefined) return subjectOf(options, attributesOf(profile));
  return profile.nameIDFormat === nameIdFormats[options.nameIdFormat] ? profile.nameID.trim() : undefined;
};

/** In UTF-8, halves of surrogate pairs become one character: two subjects would be equal. */
const isStorable = (subject: string): boolean =>
  subject !== '' && subject.length <= longestSubject && !subject.includes('\0') && subject.isWellFormed();

const isFresh = ({ authenticatedAt }: ReadAssertion, { loginAfter }: UpstreamAnswer): boolean =>
  loginAfter === undefined || authenticatedAt >= loginAfter - skewMs;

const isTooOld = ({ authenticatedAt }: ReadAssertion, { maxAge }: UpstreamAnswer, now: number): boolean =>
  authenticatedAt - skewMs > now || (maxAge !== undefined && authenticatedAt + maxAge * 1_000 + skewMs < now);

const acrOf = ({ contexts }: SamlProviderOptions, { context }: ReadAssertion): string | undefined =>
  Object.entries(contexts).find(([, value]) => value === context)?.[0];

/** Verifies the answer to a sign-in. @throws SamlError */
export const verifyAnswer = async (
  dependencies: VerifyDependencies,
  answer: UpstreamAnswer,
): Promise<UpstreamResult> => {
  const { options, claim, now } = dependencies;
  const { encoded, xml } = readAnswer(answer.parameters);
  const response = parseAnswerXml(xml);
  assertStructure(response, 'Response');
  const refusal = refusalOf(response);
  if (refusal !== undefined) return refusal;
  await assertDecrypted(response, options.decryptionKey);
  const { profile, metadata } = await validateRenewed(dependencies, answer, encoded);
  assertAddressed(response, answer, metadata.entityId);
  if (profile.issuer !== metadata.entityId) throw new SamlError('wrong_issuer');
  const expected = { recipient: answer.callback, requestId: requestIdOf(answer.secret), now: now() };
  const assertion = readAssertion(profile.getAssertion?.(), expected);
  if (isTooOld(assertion, answer, now())) throw new SamlError('too_old');
  const subject = subjectIn(options, profile);
  if (subject === undefined || !isStorable(subject)) return failed('no_subject');
  const read = readClaims(options, attributesOf(profile));
  if (Buffer.byteLength(JSON.stringify(read.claims)) > mostBytes) return failed('claims_too_large');
  // The last check: a valid assertion is used up. Another answer with the same assertion is a replay.
  const id = createHash('sha256').update(assertion.id).digest('base64url');
  if (!(await claim(`${options.name}:${id}`, assertion.expiresAt))) throw new SamlError('assertion_used');
  const acr = acrOf(options, assertion);
  const authTime = Math.floor(assertion.authenticatedAt / 1_000);
  const user = { subject, ...read, acr, amr: [], isFresh: isFresh(assertion, answer), authTime };
  return { outcome: 'verified', user };
};
