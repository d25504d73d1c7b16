import type { Circumstances, ShownUser, SignIn } from '@carnet/accounts';
import { parseJson } from '@carnet/adapter-contract/kit';
import { z } from 'zod';
import { clientAddress } from '../http/client-address.ts';
import { deviceCookie } from '../login/device-cookie.ts';
import type { Open } from '../page/flow.ts';
import { type FormTarget, issueForm } from '../page/form.tsx';
import { Problem } from '../problem.ts';
import { isProviderName } from '../providers/provider-name.ts';

export type FactorKind = Extract<SignIn, { state: 'factor' }>['kinds'][number];

const kinds = z.enum(['totp', 'hotp', 'pin', 'recovery_code', 'passkey', 'email'] satisfies FactorKind[]);

/** The kind of this name, or undefined. */
export const factorKind = (name: string | null): FactorKind | undefined => kinds.safeParse(name).data;

/**
 * The part of a sign-in that travels from form to form. Only `progress` decides, and it is sealed by the server: the other
 * members are displayed.
 */
export interface SignInStep {
  readonly progress: string;
  readonly remember: boolean;
  /** The sealed proof of an identity at a provider: it is linked when the sign-in is done. */
  readonly link?: string | undefined;
  /** The provider at which the user has signed in: this browser offers it for the account. It decides nothing. */
  readonly provider?: string | undefined;
  readonly user: Pick<ShownUser, 'name' | 'detail'>;
  readonly kinds: readonly FactorKind[];
  /** Whether the user must enrol a factor. */
  readonly required: boolean;
}

/** The members that a sign-in has from its first step to its last. */
export type KeptInSignIn = Pick<SignInStep, 'remember' | 'link' | 'provider'>;

const shown = z.object({
  name: z.string(),
  detail: z.string().optional(),
  kinds: z.array(kinds),
  required: z.boolean(),
});

/** The path of a page of the sign-in, with its challenge. */
export const signInUrl = (
  challenge: string,
  page:
    | ''
    | '/factor'
    | '/enrol'
    | '/passkey'
    | '/new-password'
    | '/keep-account'
    | '/organization'
    | '/provider'
    | '/new-account'
    | '/link'
    | '/email-code' = '',
): string => `/login${page}?${new URLSearchParams({ login_challenge: challenge })}`;

const hiddenFields = ({ progress, remember, link, provider, user, kinds, required }: SignInStep) => ({
  progress,
  remember: remember ? '1' : undefined,
  link,
  provider,
  shown: JSON.stringify({ name: user.name, detail: user.detail, kinds, required }),
});

/** The members of a submitted form that the next step keeps. */
export const keptIn = (form: URLSearchParams): KeptInSignIn => {
  const provider = form.get('provider') ?? '';
  return {
    remember: form.get('remember') === '1',
    link: form.get('link') || undefined,
    provider: isProviderName(provider) ? provider : undefined,
  };
};

/** The step of a submitted form. @throws Problem `invalid_form` */
export const stepOf = (form: URLSearchParams): SignInStep => {
  const progress = form.get('progress');
  const result = shown.safeParse(parseJson(form.get('shown') ?? ''));
  if (!progress || !result.success) throw new Problem('invalid_form');
  const { name, detail, ...rest } = result.data;
  return { progress, ...keptIn(form), user: { name, detail }, ...rest };
};

/** A form of the step, and the cookie of its token. */
export const stepForm = (
  { services, request, challenge }: Open<'login'>,
  page: Parameters<typeof signInUrl>[1],
  step: SignInStep,
): { readonly target: FormTarget; readonly cookie: string } =>
  issueForm(services, request, challenge, { action: signInUrl(challenge, page), hidden: hiddenFields(step) });

/** The circumstances of the sign-in, for every operation of it. */
export const contextOf = ({ services, request, challenge, asked, organization }: Open<'login'>): Circumstances => ({
  binding: challenge,
  clientId: asked.client.client_id,
  organization,
  acrValues: asked.oidc_context?.acr_values ?? undefined,
  address: clientAddress(request, services.settings.trustedProxyHops),
  device: deviceCookie(services).read(request),
});

/** The input of an operation that continues a sign-in. */
export const inputOf = (open: Open<'login'>, { progress, link }: Pick<SignInStep, 'progress' | 'link'>) => ({
  ...contextOf(open),
  progress,
  link,
});
