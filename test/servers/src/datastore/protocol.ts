import { createRequire } from 'node:module';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';

/** The members of the messages that the adapter sends. Others are refused where they would change the answer. */
export interface Partition {
  readonly projectId: string;
  readonly databaseId: string;
  readonly namespaceId: string;
}

export interface Key {
  readonly partitionId: Partition | null;
  readonly path: readonly { readonly kind: string; readonly name?: string }[];
}

/** `valueType` names the member that is set. */
export interface Value {
  readonly valueType?: string;
  readonly stringValue?: string;
  readonly keyValue?: Key;
  readonly arrayValue?: { readonly values: readonly Value[] };
  readonly excludeFromIndexes?: boolean;
}

export interface Entity {
  readonly key: Key;
  readonly properties: Readonly<Record<string, Value>>;
}

/** The fields that each request has. An empty `databaseId` is the default database. */
export interface DatabaseRequest {
  readonly projectId: string;
  readonly databaseId: string;
}

export interface ReadRequest extends DatabaseRequest {
  readonly readOptions: { readonly consistencyType?: string; readonly transaction?: Buffer } | null;
}

export interface LookupRequest extends ReadRequest {
  readonly keys: readonly Key[];
}

export interface Filter {
  readonly compositeFilter?: { readonly op: string; readonly filters: readonly Filter[] };
  readonly propertyFilter?: {
    readonly property: { readonly name: string };
    readonly op: string;
    readonly value: Value;
  };
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
}

export interface RunQueryRequest extends ReadRequest {
  readonly partitionId: Partition | null;
  readonly query?: Query;
}

export interface CountRequest extends ReadRequest {
  readonly partitionId: Partition | null;
  readonly aggregationQuery?: {
    readonly nestedQuery?: Query;
    readonly aggregations: readonly {
      readonly count?: { readonly upTo: { readonly value: string } | null };
      readonly alias: string;
    }[];
  };
}

export interface Mutation {
  readonly operation?: string;
  readonly insert?: Entity;
  readonly upsert?: Entity;
  readonly delete?: Key;
}

export interface CommitRequest extends DatabaseRequest {
  readonly mode: string;
  readonly transactionSelector?: string;
  readonly transaction?: Buffer;
  readonly mutations: readonly Mutation[];
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
