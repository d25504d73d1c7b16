import type { Target } from '../targets/target.ts';

/** One request, sent again and again. */
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
  /** The one status that is right. Default 200. */
  readonly status?: number;
  /** Whether the body is a right answer too. */
  readonly isRight?: (body: string) => boolean;
}

/** Several requests that belong together: a login. Throws for any answer but the right one. */
export interface JourneyWork {
  readonly kind: 'journeys';
  run(): Promise<void>;
  /** Makes ready, before each round and not timed, what a round of so many uses up. */
  renew?(amount: number): Promise<void>;
}

export type Work = RequestWork | JourneyWork;

export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** How often it is done, or sent, in one round. */
  readonly amount: number;
  readonly connections: number;
  /** Makes ready what is to be measured; nothing of this is timed. */
  prepare(target: Target): Promise<Work>;
}
