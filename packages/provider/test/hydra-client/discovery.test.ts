import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { OidcApi } from '@ory/hydra-client';
import { expect, it } from 'vitest';
import { startInTest } from '../before-tests.ts';
import { discovery } from '../call.ts';
import type { StartOptions } from '../harness.ts';

const startWith = async (config: StartOptions['config']) => {
  const instance = await startInTest({ config });
  return { instance, document: await discovery(instance) };
};

/** The members that the SDK's types have; those without `?` are required. */
const sdkMembers = (): { known: string[]; required: string[] } => {
  const main = createRequire(import.meta.url).resolve('@ory/hydra-client');
  const types = readFileSync(join(dirname(main), 'api.d.ts'), 'utf8');
  const body = /export interface OidcConfiguration \{([\s\S]*?)\n\}/.exec(types)?.[1] ?? '';
  const members = [...body.matchAll(/^ {4}'(\w+)'(\??):/gm)];
  return {
    known: members.map(([, name]) => name as string),
    required: members.filter(([, , optional]) => optional === '').map(([, name]) => name as string),
  };
};

it('the document for the Go SDK has all that it requires and nothing that it does not know', async () => {
  const { known, required } = sdkMembers();
  expect(required).toContain('userinfo_signed_response_alg');
  const members = Object.keys((await startWith({ oidc: { discovery: 'hydra' } })).document);
  expect(members.filter((name) => !known.includes(name))).toEqual([]);
  expect(required.filter((name) => !members.includes(name))).toEqual([]);
});

it('the full document has what the SDK requires, too', async () => {
  const { required } = sdkMembers();
  const { instance, document } = await startWith({});
  expect(required.filter((name) => !(name in document))).toEqual([]);
  expect(document).toMatchObject({ authorization_response_iss_parameter_supported: true });
  const api = new OidcApi({ basePath: instance.issuer, isJsonMime: () => true });
  const { data } = await api.discoverOidcConfiguration();
  expect(data.id_token_signed_response_alg).toEqual(['ES256']);
});
