import type { Target } from '../targets/target.ts';

/** One request, repeated. */
export interface RequestWork {
  readonly kind: 'requests';
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** Values of the header Authorization, sent in turn when there are several clients. */
  readonly authorizations?: readonly string[];
  /** Sent in turn when there are several. */
  readonly bodies?: readonly string[];
  /** Sent in turn with the bodies when there are several, after the URL. */
  readonly queries?: readonly string[];
  /** The expected status. Default 200. */
  readonly status?: number;
  /** Whether the body is as expected, too. */
  readonly isRight?: (body: string) => boolean;
}

/** Several requests that belong together: a login. Throws for an unexpected answer. */
export interface JourneyWork {
  readonly kind: 'journeys';
  run(): Promise<void>;
  /** Runs before each round, untimed: prepares the codes or tokens that a round of so many uses up. */
  renew?(amount: number): Promise<void>;
}

export type Work = RequestWork | JourneyWork;

export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** How often it is done in one round. */
  readonly amount: number;
  readonly connections: number;
  /** It is measured on an app in which Carnet is mounted with its pages, not on `carnet serve`. */
  readonly isMounted?: boolean;
  /** Prepares the work, untimed. @throws Error if the server cannot do it */
  prepare(target: Target): Promise<Work>;
}
