/** The messages of google.datastore.v1, as far as the adapter sends and receives them. */

export interface PathElement {
  readonly kind: string;
  readonly name: string;
}

export interface EntityKey {
  readonly partitionId: { readonly namespaceId: string; readonly databaseId: string; readonly projectId: string };
  readonly path: readonly PathElement[];
}

export interface Timestamp {
  /** Seconds since the epoch; a string in responses. */
  readonly seconds: number | string;
  readonly nanos: number;
}

export interface Value {
  readonly stringValue?: string;
  readonly timestampValue?: Timestamp;
  readonly keyValue?: EntityKey;
  readonly arrayValue?: { readonly values: readonly Value[] };
  readonly excludeFromIndexes?: boolean;
}

export interface Entity {
  readonly key: EntityKey;
  readonly properties: Readonly<Record<string, Value>>;
}

export interface EntityResult {
  readonly entity: Entity;
}

export type Mutation = { readonly insert: Entity } | { readonly upsert: Entity } | { readonly delete: EntityKey };

/** A new transaction; `previousTransaction` is the one that it repeats. */
export interface NewTransaction {
  readonly readWrite: { readonly previousTransaction?: Uint8Array };
}

/** A transaction to read in: one that exists, or one that begins with the request. */
export type ReadOptions = { readonly transaction: Uint8Array } | { readonly newTransaction: NewTransaction };

export interface LookupRequest {
  readonly keys: readonly EntityKey[];
  readonly readOptions?: ReadOptions;
}

export interface LookupResponse {
  readonly found: readonly EntityResult[];
  readonly deferred: readonly EntityKey[];
  readonly transaction: Uint8Array;
}

export interface PropertyFilter {
  readonly property: { readonly name: string };
  readonly op: 'EQUAL' | 'GREATER_THAN' | 'GREATER_THAN_OR_EQUAL' | 'LESS_THAN' | 'HAS_ANCESTOR';
  readonly value: Value;
}

export interface Query {
  readonly kind: readonly { readonly name: string }[];
  readonly filter?: {
    readonly compositeFilter: {
      readonly op: 'AND';
      readonly filters: readonly { readonly propertyFilter: PropertyFilter }[];
    };
  };
  readonly projection?: readonly { readonly property: { readonly name: '__key__' } }[];
  readonly order?: readonly { readonly property: { readonly name: string }; readonly direction: 'ASCENDING' }[];
  readonly limit?: { readonly value: number };
  readonly startCursor?: Uint8Array;
}

export interface RunQueryRequest {
  readonly partitionId: EntityKey['partitionId'];
  readonly query: Query;
  readonly readOptions?: ReadOptions;
}

export interface RunQueryResponse {
  readonly batch: {
    readonly entityResults: readonly EntityResult[];
    readonly moreResults: string;
    readonly endCursor: Uint8Array;
  };
  readonly transaction: Uint8Array;
}

export interface CountRequest {
  readonly partitionId: EntityKey['partitionId'];
  readonly aggregationQuery: {
    readonly nestedQuery: Query;
    readonly aggregations: readonly {
      readonly alias: string;
      readonly count: { readonly upTo: { readonly value: number } };
    }[];
  };
}

export interface CountResponse {
  readonly batch: {
    readonly aggregationResults: readonly {
      readonly aggregateProperties: Readonly<Record<string, { readonly integerValue?: number | string }>>;
    }[];
  };
}

export type CommitRequest = { readonly mutations: readonly Mutation[] } & (
  | { readonly mode: 'TRANSACTIONAL'; readonly transaction: Uint8Array }
  | { readonly mode: 'TRANSACTIONAL'; readonly singleUseTransaction: NewTransaction }
);

/** The calls of the service, by the names of its client. */
export interface Messages {
  readonly lookup: [LookupRequest, LookupResponse];
  readonly runQuery: [RunQueryRequest, RunQueryResponse];
  readonly runAggregationQuery: [CountRequest, CountResponse];
  readonly commit: [CommitRequest, object];
  readonly beginTransaction: [{ readonly transactionOptions: NewTransaction }, { readonly transaction: Uint8Array }];
  readonly rollback: [{ readonly transaction: Uint8Array }, object];
}

export type Method = keyof Messages;
