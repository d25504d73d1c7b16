import type { SamlProviderOptions, UpstreamDependencies, UpstreamProvider, UpstreamResult } from '@carnet/accounts';
import { openSamlProvider } from '../src/index.ts';
import { certificates } from './certificates.ts';
import {
  type AnswerParts,
  answerTo,
  assertionOf,
  entityId,
  formOf,
  responseOf,
  sign,
  ssoUrl,
} from './saml-provider.ts';

export const callback = 'https://login.example.com/login/provider/corp';
export const ourEntityId = `${callback}/metadata`;
export const secret = 'the secret of the browser';
export const state = 'the-state.of-the-flow';

export const optionsOf = (members: Partial<SamlProviderOptions> = {}): SamlProviderOptions => ({
  ...{ kind: 'saml', name: 'corp', domains: [], isAuthorityFor: [], clients: [], signUp: 'confirm', factors: 'own' },
  ...{ signed: 'assertion', nameIdFormat: 'persistent', claims: {}, contexts: {}, issuer: entityId, ssoUrl },
  certificates: [certificates.provider.cert],
  ...members,
});

const unreachable = async (): Promise<never> => Promise.reject(new Error('no request is expected'));

export interface OpenSaml {
  readonly provider: UpstreamProvider;
  /** Begins a sign-in. */
  begin(): Promise<string>;
  verify(
    parameters: URLSearchParams,
    members?: Partial<Parameters<UpstreamProvider['verify']>[0]>,
  ): Promise<UpstreamResult>;
  /** The result of an answer whose assertion the provider has signed, with these parts. */
  by(parts?: Partial<AnswerParts>): Promise<UpstreamResult>;
}

export const openSaml = async (
  members: Partial<SamlProviderOptions> = {},
  dependencies: Partial<UpstreamDependencies> = {},
): Promise<OpenSaml> => {
  const claimed = new Set<string>();
  const claim = async (id: string) => claimed.size < claimed.add(id).size;
  const all = { send: unreachable, claim, now: Date.now, ...dependencies };
  const provider = await openSamlProvider(optionsOf(members), all);
  const begin = () => provider.authorizationUrl({ callback, state, secret });
  const verify: OpenSaml['verify'] = (parameters, others) =>
    provider.verify({ callback, state, secret, parameters, ...others });
  return {
    provider,
    begin,
    verify,
    by: async (parts) => verify(formOf(signedAnswer(answerTo(await begin(), parts)))),
  };
};

/** The XML of an answer whose assertion is signed. */
export const signedAnswer = (parts: AnswerParts, signer = certificates.provider): string =>
  responseOf(parts, sign(assertionOf(parts), 'Assertion', signer));
