import type { ResponseType } from 'oidc-provider';
import type { RegisteredMetadata } from '../../clients/client-schema.ts';
import { type CarnetError, fieldError } from '../../errors.ts';
import type { ClientFeatures } from '../clients.ts';
import type { Endpoint } from '../paths.ts';
import type { FeaturesConfig } from './config.ts';
import type { Feature, FeatureDependencies, FeatureParts } from './feature.ts';
import { features } from './index.ts';

/** All features that are on, as one. */
export interface ComposedFeatures extends ClientFeatures {
  readonly upstream: Readonly<Record<string, object>>;
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  readonly responseTypes: ReadonlySet<ResponseType>;
}

const merged = <T>(parts: readonly FeatureParts[], pick: (part: FeatureParts) => Readonly<Record<string, T>>) =>
  Object.assign({}, ...parts.map(pick)) as Readonly<Record<string, T>>;

const isOn = (config: FeaturesConfig, { name }: Feature): boolean => config[name].enabled;

export const composeFeatures = (deps: FeatureDependencies): ComposedFeatures => {
  const config = deps.options.features;
  const parts = features.filter((feature) => isOn(config, feature)).map((feature) => feature.create(deps));
  return {
    upstream: merged(parts, ({ upstream = {} }) => upstream),
    endpoints: merged(parts, ({ endpoints = {} }) => endpoints),
    grantTypes: new Set(parts.flatMap(({ grantTypes = [] }) => grantTypes)),
    responseTypes: new Set<ResponseType>(['code', ...parts.flatMap(({ responseTypes = [] }) => responseTypes)]),
    clientMetadata: (metadata) => merged(parts, ({ clientMetadata }) => clientMetadata?.(metadata) ?? {}),
    switchedOff: (metadata) => switchedOff(metadata, config),
    refuse: (metadata) => refusalOf(metadata, config),
  };
};

/** Client metadata that is not supported yet. */
const notYet: NonNullable<Feature['clientFields']> = {
  request_object_encryption_alg: Boolean,
  introspection_signed_response_alg: Boolean,
  introspection_encrypted_response_alg: Boolean,
};

const askedIn = (metadata: RegisteredMetadata, fields: NonNullable<Feature['clientFields']>): string | undefined =>
  Object.entries(fields).find(([name, isAsked]) => {
    const value = metadata[name as keyof RegisteredMetadata];
    return value !== undefined && isAsked(value, metadata);
  })?.[0];

/** The problem of a client whose metadata needs a feature that is switched off: it is neither registered nor served. */
const switchedOff = (metadata: RegisteredMetadata, config: FeaturesConfig): CarnetError | undefined => {
  for (const feature of features) {
    const field = isOn(config, feature) ? undefined : askedIn(metadata, feature.clientFields ?? {});
    if (field !== undefined)
      return fieldError(
        field,
        `requires a feature that is off: leave it out, or have the operator set features.${feature.name}.enabled to true.`,
      );
  }
  return undefined;
};

/** The problem for which a client can't be registered; undefined if there is none. */
const refusalOf = (metadata: RegisteredMetadata, config: FeaturesConfig): CarnetError | undefined => {
  const off = switchedOff(metadata, config);
  if (off !== undefined) return off;
  const refusal = features.map((feature) => isOn(config, feature) && feature.refuse?.(metadata, config)).find(Boolean);
  if (refusal) return refusal;
  const field = askedIn(metadata, notYet);
  return field === undefined
    ? undefined
    : fieldError(field, 'requires a feature that this server does not support: leave it out.');
};
