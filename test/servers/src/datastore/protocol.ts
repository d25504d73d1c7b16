import { createRequire } from 'node:module';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';

export interface PathElement {
  readonly kind: string;
  readonly id?: string;
  readonly name?: string;
}

export interface Partition {
  readonly projectId: string;
  readonly databaseId: string;
  readonly namespaceId: string;
}

export interface Key {
  readonly partitionId: Partition | null;
  readonly path: readonly PathElement[];
}

export interface Timestamp {
  readonly seconds: string;
  readonly nanos: number;
}

/** `valueType` names the member that is set; undefined where the client sent none. */
export interface Value {
  readonly valueType?: string | undefined;
  readonly booleanValue?: boolean;
  readonly integerValue?: string;
  readonly doubleValue?: number;
  readonly timestampValue?: Timestamp;
  readonly keyValue?: Key;
  readonly stringValue?: string;
  readonly blobValue?: Buffer;
  readonly geoPointValue?: { readonly latitude: number; readonly longitude: number };
  readonly entityValue?: Entity;
  readonly arrayValue?: { readonly values: readonly Value[] };
  readonly nullValue?: string;
  readonly meaning?: number;
  readonly excludeFromIndexes?: boolean;
}

export interface Entity {
  readonly key: Key | null;
  readonly properties: Readonly<Record<string, Value>>;
}

export interface PropertyMask {
  readonly paths: readonly string[];
}

export interface TransactionOptions {
  readonly mode?: 'readWrite' | 'readOnly';
  readonly readOnly?: { readonly readTime: Timestamp | null };
}

export interface ReadOptions {
  readonly consistencyType?: 'readConsistency' | 'transaction' | 'newTransaction' | 'readTime';
  readonly readConsistency?: string;
  readonly transaction?: Buffer;
  readonly newTransaction?: TransactionOptions;
}

/** The fields that each request has. An empty `databaseId` is the default database. */
export interface DatabaseRequest {
  readonly projectId: string;
  readonly databaseId: string;
}

export interface Transform {
  readonly property: string;
  readonly transformType?: string;
  readonly setToServerValue?: string;
  readonly increment?: Value;
  readonly maximum?: Value;
  readonly minimum?: Value;
  readonly appendMissingElements?: { readonly values: readonly Value[] };
  readonly removeAllFromArray?: { readonly values: readonly Value[] };
}

export interface Mutation {
  readonly operation?: 'insert' | 'update' | 'upsert' | 'delete';
  readonly insert?: Entity;
  readonly update?: Entity;
  readonly upsert?: Entity;
  readonly delete?: Key;
  readonly conflictDetectionStrategy?: 'baseVersion' | 'updateTime';
  readonly baseVersion?: string;
  readonly updateTime?: Timestamp;
  readonly conflictResolutionStrategy?: string;
  readonly propertyMask?: PropertyMask | null;
  readonly propertyTransforms?: readonly Transform[];
}

export interface CommitRequest extends DatabaseRequest {
  readonly mode: string;
  readonly transactionSelector?: 'transaction' | 'singleUseTransaction';
  readonly transaction?: Buffer;
  readonly singleUseTransaction?: TransactionOptions;
  readonly mutations: readonly Mutation[];
}

export interface LookupRequest extends DatabaseRequest {
  readonly readOptions: ReadOptions | null;
  readonly keys: readonly Key[];
  readonly propertyMask: PropertyMask | null;
}

export interface PropertyFilter {
  readonly property: { readonly name: string } | null;
  readonly op: string;
  readonly value: Value | null;
}

export interface Filter {
  readonly filterType?: 'compositeFilter' | 'propertyFilter';
  readonly compositeFilter?: { readonly op: string; readonly filters: readonly Filter[] };
  readonly propertyFilter?: PropertyFilter;
}

export interface Query {
  readonly projection: readonly { readonly property: { readonly name: string } }[];
  readonly kind: readonly { readonly name: string }[];
  readonly filter: Filter | null;
  readonly order: readonly { readonly property: { readonly name: string }; readonly direction: string }[];
  readonly distinctOn: readonly unknown[];
  readonly startCursor: Buffer;
  readonly endCursor: Buffer;
  readonly offset: number;
  readonly limit: { readonly value: number } | null;
  readonly findNearest: unknown;
}

export interface QueryRequest extends DatabaseRequest {
  readonly partitionId: Partition | null;
  readonly readOptions: ReadOptions | null;
  readonly queryType?: string;
  readonly explainOptions: unknown;
}

export interface RunQueryRequest extends QueryRequest {
  readonly query?: Query;
  readonly propertyMask: PropertyMask | null;
}

export interface RunAggregationQueryRequest extends QueryRequest {
  readonly aggregationQuery?: {
    readonly nestedQuery?: Query;
    readonly aggregations: readonly {
      readonly operator?: 'count' | 'sum' | 'avg';
      readonly count?: { readonly upTo: { readonly value: string } | null };
      readonly alias: string;
    }[];
  };
}

// The descriptors are those of Google's client, so that both sides speak of one version of the API.
const fromClient = createRequire(createRequire(import.meta.url).resolve('@google-cloud/datastore'));
const descriptors = fromClient('@google-cloud/datastore-api/build/protos/protos.json');

export const definition = fromJSON(descriptors, {
  longs: String,
  enums: String,
  defaults: true,
  oneofs: true,
})['google.datastore.v1.Datastore'] as ServiceDefinition;
