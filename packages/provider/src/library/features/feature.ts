import type { ResponseType } from 'oidc-provider';
import type { RegisteredMetadata } from '../../clients/client-schema.ts';
import type { Clock } from '../../clock.ts';
import type { CarnetError } from '../../errors.ts';
import type { ReadClientCertificate } from '../../http/client-certificate.ts';
import type { Endpoint } from '../paths.ts';
import type { FeaturesConfig } from './config.ts';

/** The parts that a feature adds to the provider while it is on. */
export interface FeatureParts {
  /** Entries of oidc-provider's `features`. */
  readonly upstream?: Readonly<Record<string, object>>;
  /** Endpoints, by the name oidc-provider has for them, or any other for one of our own. */
  readonly endpoints?: Readonly<Record<string, Endpoint>>;
  /** Grant types of oidc-provider that a client may be registered for. */
  readonly grantTypes?: readonly string[];
  /** Response types beside `code`, the values of each in alphabetical order. */
  readonly responseTypes?: readonly ResponseType[];
  /** Members of a client's metadata that oidc-provider gets with another value than the registered one. */
  readonly clientMetadata?: (metadata: RegisteredMetadata) => Readonly<Record<string, unknown>>;
}

export interface FeatureDependencies extends Clock {
  readonly options: {
    /** Whether the server or proxy that ends TLS has verified the certificates of clients. */
    readonly certificatesAreVerified: boolean;
    readonly features: FeaturesConfig;
  };
  readonly clientCertificate: ReadClientCertificate;
}

/** Members of client metadata: for each, whether its value needs a feature. */
export type ClientFields = Readonly<
  Partial<Record<keyof RegisteredMetadata, (value: unknown, metadata: RegisteredMetadata) => boolean>>
>;

/** A part of the provider that can be switched off as a whole. */
export interface Feature {
  /**
   * The client metadata that requires the feature. While the feature is disabled, such a client is refused at registration,
   * because ignoring the member would be less safe than what it requires.
   */
  readonly clientFields?: ClientFields;
  /** A further problem for which a client can't be registered while the feature is enabled. */
  refuse?(metadata: RegisteredMetadata, config: FeaturesConfig): CarnetError | undefined;
  /** Called once, when it is on. */
  create?(deps: FeatureDependencies): FeatureParts;
}
