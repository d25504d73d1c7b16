import { onTestFinished } from 'vitest';
import {
  openTestOpenIdProvider,
  type TestOpenIdProvider,
} from '../../../../test/servers/src/identity-providers/openid-provider.ts';
import { startStack } from './stack.ts';

/** Carnet with the pages, and oidc-provider as the provider `corp` of its users. */
export interface UpstreamStack {
  readonly ui: string;
  readonly upstream: TestOpenIdProvider;
}

const clientSecret = 'the-secret-of-carnet-at-the-provider';
const corp = { name: 'corp', label: 'Corp', kind: 'oidc', clientId: 'carnet', clientSecret } as const;

export const startUpstreamStack = async (members: object = {}): Promise<UpstreamStack> => {
  const opened: TestOpenIdProvider[] = [];
  const { ui } = await startStack(async (url) => {
    const redirectUri = `${url}/login/provider/corp`;
    const upstream = await openTestOpenIdProvider({ clientId: 'carnet', clientSecret, redirectUri });
    opened.push(upstream);
    return [{ ...corp, issuer: upstream.issuer, ...members }];
  });
  const [upstream] = opened;
  if (upstream === undefined) throw new Error('the provider was not opened');
  onTestFinished(() => upstream.close());
  return { ui, upstream };
};
