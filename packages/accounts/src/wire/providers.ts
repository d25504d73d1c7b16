import { z } from 'zod';
import type { ProviderOperations } from '../api/providers.ts';
import type { OperationsOf } from './operation.ts';
import { context, factorId, language, loginName, outcome, shownIdentity, shownUser, signIn, subject } from './parts.ts';

const providerName = z.string().max(32);

const shownProvider = z.object({
  name: z.string(),
  label: z.string(),
  preset: z
    .enum(['google', 'microsoft', 'apple', 'github', 'gitlab', 'facebook', 'linkedin', 'discord'])
    .optional()
    .describe('The icon that pages show.'),
});

const circumstances = {
  ...context.shape,
  callback: z.url().describe('The URL of the page of this provider: `<login app>/login/provider/<name>`.'),
};
const { link: _link, ...withoutLink } = circumstances;

/** There is no user yet: the subject is empty. */
const newUser = shownUser.extend({ subject: z.string() });

const providerSignIn = z.discriminatedUnion('state', [
  ...signIn.options,
  z.object({ state: z.literal('denied') }).describe('The user stopped at the provider, or it refused.'),
  z
    .object({ state: z.literal('provider_failed') })
    .describe('The provider has an outage, or its answer is not valid. The log has the reason.'),
  z
    .object({ state: z.literal('sign_up'), progress: z.string(), user: newUser })
    .describe('The first sign-in of this identity. Show the user, then call `providers/sign-up`.'),
  z
    .object({ state: z.literal('link'), link: z.string(), login: z.string(), provider: shownProvider })
    .describe(
      'A user with this address exists. The user must first sign in (`sign-in/password` with `link`). Put `link` into the form of this answer only, and never take it from a URL.',
    ),
  z.object({ state: z.literal('unknown_user') }).describe('There is no user for this identity, and sign-up is off.'),
]);

/** Sign-in with other providers. */
export const providerOperations = {
  list: {
    summary: 'Get the providers that a login page offers, and the one to which it redirects at once.',
    input: z.object({
      clientId: context.shape.clientId,
      organization: context.shape.organization,
      login: loginName.optional(),
      hint: z.string().max(512).optional().describe('The `idp_hint` of the request: the name of a provider.'),
    }),
    output: z.object({
      providers: z.array(shownProvider),
      only: z.string().optional(),
      providersOnly: z.literal(true).optional(),
    }),
  },
  begin: {
    summary: 'Begin a sign-in at a provider. It stores nothing.',
    input: z.object({
      provider: providerName,
      ...withoutLink,
      loginHint: loginName.optional(),
      uiLocales: z.string().max(255).optional(),
      prompt: z.string().max(64).optional(),
      maxAge: z.int().min(0).optional(),
      remember: z.boolean().optional().describe('Whether the user wants to stay signed in.'),
      subject: subject.optional().describe('The user of the account page to whom the identity is to be linked.'),
    }),
    output: z.object({
      url: z.string().describe('Redirect the browser to it.'),
      cookie: z.string().describe('Keep it for 10 minutes in an HttpOnly cookie, for `providers/finish`.'),
    }),
  },
  metadata: {
    summary: 'Get the metadata of Carnet for a provider. Absent if its protocol has none.',
    input: z.object({ provider: providerName, callback: circumstances.callback }),
    output: z.object({ xml: z.string() }).optional(),
  },
  read: {
    summary:
      'Get the login challenge of the `state` (SAML: `RelayState`) in the answer of a provider. Absent if it is not one of this server.',
    input: z.object({ state: z.string().max(16_384) }),
    output: z.object({ binding: z.string(), remember: z.boolean() }).optional(),
  },
  finish: {
    summary: 'Verify the answer of a provider.',
    input: z.object({
      provider: providerName,
      ...circumstances,
      answer: z.string().max(65_536).describe('The query of the callback, or the body of its form.'),
      cookie: z.string().max(128),
      language,
      mustConfirm: z
        .boolean()
        .optional()
        .describe('Whether a new user must confirm, also with `signUp: automatic`: the page has terms to accept.'),
    }),
    output: providerSignIn,
  },
  signUp: {
    summary: 'Create the user of a first sign-in, after the user has confirmed it.',
    input: z.object({ progress: z.string().max(65_536), ...context.shape }),
    output: signIn,
  },
  signOut: {
    summary: 'Get the URL at which a provider signs the user out. Absent if `logout` of the provider is off.',
    input: z.object({
      provider: providerName,
      callback: circumstances.callback,
      loginHint: loginName.optional(),
      uiLocales: z.string().max(255).optional(),
    }),
    output: z.object({ url: z.string() }).optional(),
  },
  backchannelLogout: {
    summary: 'End the access of a user who has signed out at a provider, by its logout token.',
    input: z.object({
      provider: providerName,
      logoutToken: z
        .string()
        .max(16_384)
        .describe('The `logout_token` that the provider has posted to `<login app>/login/provider/<name>/logout`.'),
    }),
    output: outcome(['invalid_token'], {}),
  },
  identities: {
    summary: "List a user's identities at providers.",
    input: z.object({ subject }),
    output: z.object({
      identities: z.array(shownIdentity),
    }),
  },
  unlink: {
    summary: "Remove one of a user's identities, unless it is the last way to sign in.",
    input: z.object({ subject, id: factorId, language }),
    output: outcome(['not_found', 'last_way'], {}),
  },
} as const satisfies OperationsOf<ProviderOperations>;
