import { z } from 'zod';
import { privateJwkMembers } from '../jwk.ts';
import { itemsOf, membersOf, schemaAt } from './schema-keys.ts';
import { isTree, type Tree } from './settings.ts';

const mask = '***';

const privateMembers = new Set<string>(privateJwkMembers);

/** Masks the password and the credentials in the query of a URL. */
export const redactUrl = (url: string): string =>
  url
    .replace(/^([\w+-]+:\/\/[^:/?#@]*):.*@/, `$1:${mask}@`)
    .replaceAll(/([?&][^=&]*=[\w+-]+:\/\/[^:/?#@&]*):[^&]*@/g, `$1:${mask}@`)
    .replaceAll(/([?&][^=&]*(?:pass|secret|token|key|pin-value)[^=&]*=)[^&]*/gi, `$1${mask}`);

const redactJwk = (jwk: Tree): Tree =>
  Object.fromEntries(Object.entries(jwk).map(([name, value]) => [name, privateMembers.has(name) ? mask : value]));

/** How values are masked, by `.meta({ secret: ... })` of the schema of their key. */
const redactors = {
  text: (value: unknown) => (Array.isArray(value) ? value.map(() => mask) : mask),
  url: (value: unknown) => (Array.isArray(value) ? value.map(String).map(redactUrl) : redactUrl(String(value))),
  jwks: (value: unknown) => ({ keys: (value as { readonly keys: readonly Tree[] }).keys.map(redactJwk) }),
};

const secretOf = (schema: z.core.$ZodType): unknown => z.globalRegistry.get(schema)?.secret;

/** A schema with `secret: 'members'` has none: each of its members declares for itself whether it is a secret. */
const redactorOf = (schema: z.core.$ZodType): ((value: unknown) => unknown) | undefined => {
  const secret = secretOf(schema) as keyof typeof redactors | undefined;
  return secret && redactors[secret];
};

/** Whether the value of a key is, or may contain, a secret. Only the schema declares this. */
export const isSecretKey = (config: z.core.$ZodType, key: string): boolean => {
  const schema = schemaAt(config, key.split('.'));
  return schema !== undefined && secretOf(schema) !== undefined;
};

const redactBy = (schema: z.core.$ZodType, value: unknown): unknown => {
  if (value === undefined) return undefined;
  const redactor = redactorOf(schema);
  if (redactor !== undefined) return redactor(value);
  const items = itemsOf(schema);
  if (items !== undefined && Array.isArray(value)) return value.map((item) => redactBy(items, item));
  const members = membersOf(schema);
  if (members === undefined || !isTree(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, members[name] ? redactBy(members[name], member) : member]),
  );
};

/** The configuration with every secret masked: safe to show. */
export const redact = <Value>(schema: z.ZodType<Value>, config: Value): Value => redactBy(schema, config) as Value;
