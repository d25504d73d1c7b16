import type { ShownProvider } from '@carnet/accounts/client';

type Preset = Pick<ShownProvider, 'preset'>;

const withChoice: ReadonlySet<string | undefined> = new Set<ShownProvider['preset']>(['google', 'microsoft', 'github']);

/**
 * The prompt for which a provider lets the user choose an account; undefined if it may refuse the whole request for that prompt, as
 * oidc-provider does.
 */
export const choicePrompt = ({ preset }: Preset): 'select_account' | undefined =>
  withChoice.has(preset) ? 'select_account' : undefined;

/** The prompt for another account than that of the session at the provider. Each OpenID Provider knows `login`. */
export const otherAccountPrompt = (provider: Preset): 'select_account' | 'login' => choicePrompt(provider) ?? 'login';

/** The prompts of the client that are for the provider, too. `create`, `consent` and `none` are about Carnet alone. */
export const passedPrompt = (provider: Preset, prompt = ''): string | undefined => {
  const requested = prompt.split(' ');
  const passed = ['login', choicePrompt(provider)].filter((each) => each !== undefined && requested.includes(each));
  return passed.join(' ') || undefined;
};
