/** The messages of DynamoDB's API (AWS JSON 1.0) that the adapter sends and receives, as far as it uses them. */

/** A value of an attribute: a text, a number as text, or a set of texts. */
export interface AttributeValue {
  readonly S?: string;
  readonly N?: string;
  readonly SS?: readonly string[];
}

export type Attributes = Readonly<Record<string, AttributeValue>>;

/** The primary key of an item. */
export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/** An expression's names (`#name`) and values (`:value`). DynamoDB refuses those that no expression of the call uses. */
interface Bindings {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Attributes;
}

interface Conditional extends Bindings {
  readonly TableName: string;
  readonly ConditionExpression?: string;
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD';
}

export interface PutAction extends Conditional {
  readonly Item: Attributes;
}

export interface KeyAction extends Conditional {
  readonly Key: Attributes;
}

export interface UpdateAction extends KeyAction {
  readonly UpdateExpression: string;
}

/** One action of a transaction, about one item. */
export type TransactItem =
  | { readonly Put: PutAction }
  | { readonly Update: UpdateAction }
  | { readonly Delete: KeyAction }
  | { readonly ConditionCheck: KeyAction };

interface ScanInput extends Bindings {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
  readonly Limit?: number;
  readonly ExclusiveStartKey?: Attributes;
}

export interface QueryInput extends ScanInput {
  readonly KeyConditionExpression: string;
  readonly Select?: 'COUNT';
}

export interface Found {
  readonly Items?: readonly Attributes[];
  readonly Count: number;
  /** The place at which a further call resumes. Absent at the end. */
  readonly LastEvaluatedKey?: Attributes;
}

export interface BatchKeys {
  readonly Keys: readonly Attributes[];
  readonly ConsistentRead: true;
}

/** The reason why an action has cancelled its transaction. */
export interface CancellationReason {
  readonly Code: string;
  /** The item, if its condition failed. Absent if there is none. */
  readonly Item?: Attributes;
}

interface TableOf {
  readonly TableName: string;
}

export interface TableDescription {
  readonly TableStatus: string;
  /** Seconds since the epoch. */
  readonly CreationDateTime: number;
  readonly KeySchema: readonly { readonly AttributeName: string; readonly KeyType: string }[];
  readonly GlobalSecondaryIndexes?: readonly { readonly IndexName: string; readonly IndexStatus: string }[];
}

/** The request and the response of each operation. */
export interface Messages {
  readonly TransactWriteItems: readonly [
    { readonly TransactItems: readonly TransactItem[]; readonly ClientRequestToken: string },
    object,
  ];
  readonly BatchGetItem: readonly [
    { readonly RequestItems: Readonly<Record<string, BatchKeys>> },
    {
      readonly Responses?: Readonly<Record<string, readonly Attributes[]>>;
      readonly UnprocessedKeys?: Readonly<Record<string, BatchKeys>>;
    },
  ];
  readonly Query: readonly [QueryInput, Found];
  readonly Scan: readonly [ScanInput, Found];
  readonly PutItem: readonly [PutAction, object];
  readonly DeleteItem: readonly [KeyAction, object];
  readonly DescribeTable: readonly [TableOf, { readonly Table: TableDescription }];
  readonly CreateTable: readonly [TableOf & Readonly<Record<string, unknown>>, object];
  readonly DeleteTable: readonly [TableOf, object];
  readonly DescribeTimeToLive: readonly [
    TableOf,
    { readonly TimeToLiveDescription: { readonly TimeToLiveStatus: string } },
  ];
  readonly UpdateTimeToLive: readonly [
    TableOf & {
      readonly TimeToLiveSpecification: { readonly AttributeName: string; readonly Enabled: boolean };
    },
    object,
  ];
}

export type Operation = keyof Messages;
