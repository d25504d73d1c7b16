import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Configuration, MetadataApi, OAuth2Api } from '@ory/hydra-client';

const declarations = readFileSync(
  join(dirname(createRequire(import.meta.url).resolve('@ory/hydra-client')), 'api.d.ts'),
  'utf8',
);

/**
 * The members of one of the SDK's models, as its own declarations name them. Hydra's Go SDK, generated from the same
 * document, refuses an answer with any other in a login, consent or redirect response and in an introspection.
 */
export const membersOf = (model: string): ReadonlySet<string> => {
  const body = new RegExp(`export interface ${model} \\{\\n([^]*?)\\n\\}`).exec(declarations)?.[1];
  if (body === undefined) throw new Error(`the SDK has no model ${model}`);
  // Those of nested literals are indented further.
  return new Set([...body.matchAll(/^ {4}'(\w+)'\??:/gm)].map(([, name]) => String(name)));
};

/** What an answer has beyond the SDK's model. */
export const unknownMembers = (model: string, answer: object): string[] =>
  Object.keys(answer).filter((name) => !membersOf(model).has(name));

export const createSdk = ({ admin }: { readonly admin: string }) => {
  const configuration = new Configuration({ basePath: admin });
  return { oauth2: new OAuth2Api(configuration), metadata: new MetadataApi(configuration) };
};

/** What the SDK throws for an answer that is not 2xx. */
export const refusal = async (
  call: Promise<unknown>,
): Promise<{ status: number; data: { error?: string; error_description?: string; redirect_to?: string } }> => {
  const error = (await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )) as { response?: never } | undefined;
  if (error?.response === undefined) throw new Error('it was not refused', { cause: error });
  return error.response;
};
