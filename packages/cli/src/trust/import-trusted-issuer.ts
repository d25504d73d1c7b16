import type { JsonObject } from '@carnet/adapter-contract/kit';
import { adminOptions, connectAdmin } from '../admin-api.ts';
import { type Command, exitCodes, texts } from '../command.ts';
import { explain } from '../explain.ts';
import { readJsonObjects, readSources } from '../json-sources.ts';
import { show } from '../output.ts';

const path = '/trust/grants/jwt-bearer/issuers';

/** The keys of JWKS and JWK files, by `kid`. */
const readKeys = (files: readonly string[]): ReadonlyMap<unknown, readonly JsonObject[]> =>
  Map.groupBy(
    files.flatMap(readJsonObjects).flatMap((content) => (Array.isArray(content.keys) ? content.keys : [content])),
    (jwk: JsonObject) => jwk.kid,
  );

/** Hydra's list names the key of an issuer and does not contain it. */
const jwkOf = ({ jwk, public_key: named }: JsonObject, keys: ReturnType<typeof readKeys>): unknown => {
  if (jwk !== undefined) return jwk;
  const kid = (named as JsonObject | undefined)?.kid;
  const [found, another] = keys.get(kid) ?? [];
  if (found === undefined) throw new Error(`no file of --keys has the key ${String(kid)}.`);
  if (another !== undefined)
    throw new Error(
      `--keys has several keys with the kid ${String(kid)}: import this issuer alone, with its own keys.`,
    );
  return found;
};

const bodyOf = (exported: JsonObject, keys: ReturnType<typeof readKeys>): JsonObject => {
  const { issuer, subject, allow_any_subject, scope, expires_at } = exported;
  return { issuer, subject, allow_any_subject, scope, expires_at, jwk: jwkOf(exported, keys) };
};

export const importTrustedIssuer: Command = {
  name: 'import trusted-issuer',
  aliases: ['import trusted-issuers'],
  summary:
    "Import trusted issuers of assertions from JSON files or standard input. Hydra's list needs the keys in --keys.",
  options: {
    keys: {
      type: 'string',
      value: 'file',
      multiple: true,
      summary: 'A JWKS or JWK file with the public keys that the list names by `kid`.',
    },
    ...adminOptions,
  },
  operands: '[file.json ...]',
  examples: ['carnet import trusted-issuer issuers.json --keys issuer-keys.json'],
  run: async (values, surface, operands) => {
    const exported = await readSources(operands, surface);
    const keys = readKeys(texts(values, 'keys'));
    const api = connectAdmin(values, surface);
    const imported: JsonObject[] = [];
    for (const one of exported) {
      try {
        imported.push((await api.call('POST', path, { json: bodyOf(one, keys) })).body as JsonObject);
      } catch (error) {
        surface.err(`carnet: ${String(one.issuer ?? 'an issuer without a name')}: ${explain(error)}`);
      }
    }
    if (imported.length > 0) {
      await show(values, surface, {
        body: imported,
        headers: ['ID', 'ISSUER', 'SUBJECT', 'EXPIRES'],
        rows: imported.map(({ id, issuer, subject, expires_at: end }) => [id, issuer, subject, end].map(String)),
        ids: imported.map(({ id }) => String(id)),
        isList: true,
      });
    }
    return imported.length === exported.length ? exitCodes.ok : exitCodes.failed;
  },
};
