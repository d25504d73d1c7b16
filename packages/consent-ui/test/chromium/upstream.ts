import { onTestFinished } from 'vitest';
import {
  openTestOpenIdProvider,
  type TestOpenIdProvider,
} from '../../../../test/servers/src/identity-providers/openid-provider.ts';
import { type RunningStack, startStack } from './stack.ts';

/** Carnet with the pages, and oidc-provider as the provider `corp` of its users. */
export interface UpstreamStack extends RunningStack {
  readonly upstream: TestOpenIdProvider;
}

const clientSecret = 'the-secret-of-carnet-at-the-provider';
const corp = { name: 'corp', label: 'Corp', kind: 'oidc', clientId: 'carnet', clientSecret } as const;

/** `isBroker`: without users of its own. */
export const startUpstreamStack = async (
  members: object = {},
  isBroker = false,
  more: Parameters<typeof startStack>[2] = {},
): Promise<UpstreamStack> => {
  const opened: TestOpenIdProvider[] = [];
  const stack = await startStack(
    async (url) => {
      const redirectUri = `${url}/login/provider/corp`;
      const upstream = await openTestOpenIdProvider({ clientId: 'carnet', clientSecret, redirectUri });
      opened.push(upstream);
      return [{ ...corp, issuer: upstream.issuer, ...members }];
    },
    isBroker,
    more,
  );
  const [upstream] = opened;
  if (upstream === undefined) throw new Error('the provider was not opened');
  onTestFinished(() => upstream.close());
  return { ...stack, upstream };
};
