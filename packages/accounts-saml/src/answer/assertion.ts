import { z } from 'zod';
import { skewMs } from '../request/saml.ts';
import { SamlError } from '../saml-error.ts';

const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const text = z.object({ _: z.string().transform((content) => content.trim()) });
const one = <Schema extends z.ZodType>(schema: Schema) => z.tuple([schema]);

const confirmation = z.object({
  $: z.object({ Method: z.string() }),
  SubjectConfirmationData: one(
    z.object({
      $: z.object({ Recipient: z.string(), InResponseTo: z.string(), NotOnOrAfter: time, NotBefore: time.optional() }),
    }),
  ),
});

/** The signed assertion as xml2js reads it: each child is a list, `$` has the attributes, `_` the text. */
const schema = z.object({
  Assertion: z.object({
    $: z.object({ ID: z.string().min(1) }),
    Subject: one(z.object({ SubjectConfirmation: z.array(z.unknown()) })),
    Conditions: one(z.object({ $: z.object({ NotOnOrAfter: time }).optional() })),
    AuthnStatement: z
      .array(
        z.object({
          $: z.object({ AuthnInstant: time }),
          AuthnContext: one(z.object({ AuthnContextClassRef: one(text).optional() })),
        }),
      )
      .min(1),
  }),
});

export interface ReadAssertion {
  readonly id: string;
  /** When the user signed in at the provider, in milliseconds since 1970. */
  readonly authenticatedAt: number;
  readonly context: string | undefined;
  /** When it can no longer be accepted, in milliseconds since 1970. */
  readonly expiresAt: number;
}

interface Expected {
  readonly recipient: string;
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Reads the members of a verified assertion that node-saml does not check (SAML Profiles, section 4.1.4.3).
 *
 * Safe against an assertion for another service, or for another sign-in, because the confirmation within the signature
 * names our callback and the request of this browser: the answer around it need not be signed.
 */
export const readAssertion = (parsed: unknown, { recipient, requestId, now }: Expected): ReadAssertion => {
  const read = schema.safeParse(parsed);
  if (!read.success) throw new SamlError('unexpected_structure');
  const { $, Subject, AuthnStatement } = read.data.Assertion;
  const bearers = Subject[0].SubjectConfirmation.map((each) => confirmation.safeParse(each).data)
    .filter((each) => each?.$.Method === 'urn:oasis:names:tc:SAML:2.0:cm:bearer')
    .flatMap((each) => each?.SubjectConfirmationData[0].$ ?? []);
  const ours = bearers.filter(({ Recipient }) => Recipient === recipient);
  if (ours.length === 0) throw new SamlError('wrong_recipient');
  const [bearer] = ours.filter(({ InResponseTo }) => InResponseTo === requestId);
  if (bearer === undefined) throw new SamlError('other_flow');
  const isEarly = bearer.NotBefore !== undefined && bearer.NotBefore - skewMs > now;
  const expiresAt = bearer.NotOnOrAfter + skewMs;
  if (isEarly || expiresAt <= now) throw new SamlError('wrong_time');
  const [statement] = AuthnStatement;
  if (statement === undefined) throw new SamlError('no_authn_statement');
  return {
    id: $.ID,
    authenticatedAt: statement.$.AuthnInstant,
    context: statement.AuthnContext[0].AuthnContextClassRef?.[0]._,
    expiresAt,
  };
};
