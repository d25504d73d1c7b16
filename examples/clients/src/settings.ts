import type { RequestListener } from 'node:http';

/** What an application needs to know. */
export interface Settings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The origin of the application. */
  readonly baseUrl: string;
  /** Protects the cookies of the application. */
  readonly sessionSecret: string;
}

export type CreateApp = (settings: Settings) => RequestListener | Promise<RequestListener>;
