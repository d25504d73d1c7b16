import type { OidcProviderOptions, SendUpstream } from '@carnet/accounts';
import { createRenewed } from '@carnet/adapter-contract/kit';
import {
  allowInsecureRequests,
  type ClientAuth,
  Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  getJwksCache,
  setJwksCache,
} from 'openid-client';
import { createFetch } from '../http/create-fetch.ts';
import type { Preset } from '../presets/preset.ts';

export interface ConfigurationsOptions {
  readonly options: OidcProviderOptions;
  readonly preset: Preset;
  readonly authentication: ClientAuth;
  readonly send: SendUpstream;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The metadata of a provider. */
export interface Configurations {
  /** @throws if the provider does not answer, and its metadata was never read */
  current(): Promise<Configuration>;
}

/** After an hour the metadata is read again, while the present one is used. */
const freshMs = 3_600_000;

/** After a failure the provider is not asked again for ten seconds, unless there is no metadata. */
const pauseMs = 10_000;

const openConfiguration = ({ options, preset, authentication, send }: ConfigurationsOptions) => {
  const fetch = createFetch(send);
  const { clientId } = options;
  // The signature of each ID token is verified, although TLS would be a proof (OpenID Connect Core, section 3.1.3.7).
  const execute = [enableNonRepudiationChecks];
  return async (): Promise<Configuration> => {
    const issuer = preset.issuerOf(options);
    if (issuer !== undefined) {
      // Only loopback may be http: a rule of the configuration.
      const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
      const settings = { execute: [...execute, ...insecure], [customFetch]: fetch };
      return discovery(new URL(issuer), clientId, undefined, authentication, settings);
    }
    if (preset.metadata === undefined) throw new TypeError(`The provider ${options.name} has no issuer.`);
    const configuration = new Configuration(preset.metadata, clientId, undefined, authentication);
    configuration[customFetch] = fetch;
    return configuration;
  };
};

/**
 * Reads the metadata of a provider at the first sign-in, and again in the background. An outage of the provider does not
 * disturb the start of Carnet.
 */
export const createConfigurations = (parts: ConfigurationsOptions): Configurations => {
  const { now } = parts;
  const open = openConfiguration(parts);
  const read = async (known: Configuration | undefined): Promise<Configuration> => {
    const opened = await open();
    // Keys that are known stay known: openid-client reads them again for an unknown `kid`.
    const keys = known === undefined ? undefined : getJwksCache(known);
    if (keys !== undefined && known?.serverMetadata().jwks_uri === opened.serverMetadata().jwks_uri)
      setJwksCache(opened, keys);
    return opened;
  };
  const { current } = createRenewed({ read, freshMs, pauseMs, now });
  return { current };
};
