import { z } from 'zod';
import { always, lifespans, optional } from './client-schema.ts';

/** The schema of a response member for the schema `field` of requests: without the transform that adds its default. */
const beforeTransform = (field: z.core.$ZodType): z.core.$ZodType => {
  if (!(field instanceof z.ZodPipe)) return field;
  return beforeTransform(field.in instanceof z.ZodTransform ? field.out : field.in);
};

const withoutOptional = (field: z.core.$ZodType): z.ZodType => {
  const inner = beforeTransform(field);
  return (inner instanceof z.ZodOptional ? beforeTransform(inner.unwrap()) : inner) as z.ZodType;
};

type Shape = Readonly<Record<string, z.ZodType>>;

const mapShape = (shape: Shape, answered: (field: z.ZodType) => z.ZodType): Shape =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, answered(withoutOptional(field))]));

/** Members that are `null` in the answer to a create or PUT that did not give them. */
const nullable = ['redirect_uris', 'grant_types', 'response_types', 'contacts', 'skip_logout_consent'];
/** Members that are `''` or `{}` when they are not given. */
const mayBeEmpty = ['policy_uri', 'tos_uri', 'client_uri', 'logo_uri'];

const everyMember = mapShape(always, (field) => field);
const nulls = Object.fromEntries(nullable.map((name) => [name, (everyMember[name] as z.ZodType).nullable()]));
const empties = Object.fromEntries(mayBeEmpty.map((name) => [name, z.string()]));

/** A client as the admin API answers it. */
export const clientAnswer = z
  .strictObject({
    client_id: z.string(),
    ...everyMember,
    ...nulls,
    ...empties,
    jwks: z.union([z.strictObject({}), everyMember.jwks as z.ZodType]),
    ...mapShape(lifespans, () => z.string().nullable()),
    ...mapShape(optional, (field) => field.optional()),
    client_secret: z.string().optional().describe('The secret. Only the response that creates it contains it.'),
    registration_access_token: z
      .string()
      .optional()
      .describe(
        'The token with which the client manages its registration (RFC 7592). Only the response that creates it contains it.',
      ),
    registration_client_uri: z.string().optional(),
    client_secret_expires_at: z.literal(0),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'OAuth2Client' });
