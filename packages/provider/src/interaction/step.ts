import type { ClientRecord } from '../clients/client-record.ts';
import type { ScopeStrategy } from '../clients/scope-match.ts';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { Clock } from '../clock.ts';
import type { CookieJar } from '../flow/cookies.ts';
import type { Envelope } from '../flow/envelope.ts';
import type { FinishedFlows } from '../flow/finished-flows.ts';
import type { FlowState } from '../flow/flow-state.ts';
import type { FlowTokens } from '../flow/flow-tokens.ts';
import type { UserCodeAlphabet } from '../flow/user-code.ts';
import type { BrowserMessage, BrowserPlace } from '../http/browser-place.ts';
import type { HttpResponse } from '../http/types.ts';
import type { Deliveries } from '../sessions/deliveries.ts';
import type { UndoneBy } from '../storage/compose.ts';
import type { Audit } from '../telemetry/audit.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { IdTokens } from '../tokens/id-token.ts';
import type { IssueAccessToken } from '../tokens/issue-access-token.ts';
import type { Lifetimes } from '../tokens/lifetimes.ts';
import type { Resources } from '../tokens/resources.ts';
import type { Respond, ResponseModes } from './authorization-response.ts';
import type { Browser } from './browser.ts';

/** The dependencies of all steps and endings. */
export interface FlowDependencies extends Clock {
  readonly options: {
    readonly issuer: string;
    readonly urls: {
      readonly login: string;
      readonly registration?: string;
      readonly consent: string;
      readonly error?: string;
      readonly device: { readonly verification?: string; readonly success?: string };
    };
    /** Seconds. */
    readonly ttl: Pick<Lifetimes, 'authenticationSession' | 'authCode' | 'accessToken'> & {
      readonly loginConsentRequest: number;
    };
    readonly scopeStrategy: ScopeStrategy;
    /** The authentication classes that the login app can reach, weakest first. */
    readonly supportedAcrValues: readonly string[];
    /** By client id: the classes of a remembered login that are sufficient. Absent: all. */
    readonly sufficientAcrs: ReadonlyMap<string, readonly string[]>;
    readonly features: {
      readonly fapi: { readonly enabled: boolean };
      readonly device: { readonly userCode: UserCodeAlphabet };
    };
  };
  readonly jar: CookieJar;
  readonly tokens: Pick<FlowTokens, 'seal' | 'open'>;
  readonly envelope: Envelope;
  readonly finished: FinishedFlows;
  readonly clients: { find(id: string): Promise<ClientRecord | undefined> };
  readonly subjects: Pick<SubjectIdentifiers, 'present'>;
  readonly deliveries: Pick<Deliveries, 'announce'>;
  readonly placeOf: (message: BrowserMessage) => BrowserPlace;
  readonly undoneBy: UndoneBy;
  readonly logger: Pick<Logger, 'info'>;
  readonly audit: Audit;
  readonly resources: Resources;
  readonly issueAccessToken: IssueAccessToken;
  readonly idTokens: IdTokens;
  readonly responseModes: Pick<ResponseModes, 'of'>;
  readonly respond: Respond;
  /** The client of a flow that ends with a code, if it still exists and may still receive the answer. */
  readonly receiverOf: Ending['receiverOf'];
}

/** The end of one kind of flow: a code for the client, or a decision for a device. */
export interface Ending {
  /** The flow ends with a decision for which another client polls. */
  readonly isPolled: boolean;
  /** The client of a flow, if it still exists and may still receive the answer. */
  receiverOf(params: FlowState['params']): Promise<ClientRecord | undefined>;
  /** Ends a flow that is decided or rejected, and commits it. */
  finish(flow: FlowState, client: ClientRecord, browser: Browser): Promise<HttpResponse>;
}

/** One step of a flow, in the browser that began it. */
export type Step = (flow: FlowState, client: ClientRecord, browser: Browser, ending: Ending) => Promise<HttpResponse>;
