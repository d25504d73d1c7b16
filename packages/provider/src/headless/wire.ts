import { z } from 'zod';
import { hasOuterSpace, maxSubjectBytes, outerSpaceProblem } from '../subject.ts';

/**
 * What the headless API reads: field names and defaults are Hydra's, so that its SDKs and the login apps written for
 * it work unchanged. Unknown members are ignored. What it answers is typed in `requests.ts`.
 */

/** No control characters: what a login app says ends up in tokens, cookies and logs of clients. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters');
/** RFC 6749, section 4.1.2.1. */
const errorText = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/, 'must be printable ASCII without quotes and backslashes');
/** At most about 68 years, so that no date overflows. */
const seconds = z.int().min(0).max(2_147_483_647);
/** Apps built with Ory's SDK send `[null]` when the user ticks no box: such a list grants no scope. */
const words = z.preprocess(
  (list) => (Array.isArray(list) ? list.filter((word) => word !== null) : list),
  z.array(text(512)).max(100),
);
const claims = z.record(z.string().max(256), z.unknown()).refine((extra) => !Object.hasOwn(extra, 'constructor'), {
  error: 'must not have a member named constructor',
});

const isExact = (name: string): boolean => !hasOuterSpace(name);
const subject = text(maxSubjectBytes)
  .refine((name) => Buffer.byteLength(name) <= maxSubjectBytes, `must not be longer than ${maxSubjectBytes} bytes`)
  .refine(isExact, outerSpaceProblem);

export const acceptLoginBody = z.object({
  subject: subject.default(''),
  remember: z.boolean().default(false),
  remember_for: seconds.default(0),
  extend_session_lifespan: z.boolean().default(false),
  acr: text(256).optional(),
  amr: z.array(text(64)).max(20).nullish(),
  identity_provider_session_id: text(512).optional(),
  force_subject_identifier: text(1_024).refine(isExact, outerSpaceProblem).optional(),
  context: z.unknown().optional(),
});

export const acceptConsentBody = z.object({
  grant_scope: words.nullish(),
  grant_access_token_audience: words.nullish(),
  grant_authorization_details: z
    .array(z.looseObject({ type: text(256) }))
    .max(20)
    .nullish(),
  session: z.object({ access_token: claims.nullish(), id_token: claims.nullish() }).nullish(),
  remember: z.boolean().default(false),
  remember_for: seconds.default(0),
  context: z.unknown().optional(),
});

export const acceptBackchannelBody = acceptLoginBody
  .pick({ subject: true, acr: true, amr: true })
  .extend(acceptConsentBody.pick({ grant_scope: true, grant_access_token_audience: true, session: true }).shape);

export const acceptUserCodeBody = z.object({ user_code: z.string().max(256).default('') });

export const rejectBody = z.object({
  error: errorText(256).optional(),
  error_description: errorText(1_024).optional(),
  error_hint: errorText(1_024).optional(),
  error_debug: z.string().max(4_096).optional(),
  status_code: z.int().optional(),
});
