import { readFileSync } from 'node:fs';
import { parse, type ScalarTag } from 'yaml';

/** The CloudFormation template, in which its functions are objects with one member. */
const readTemplate = () => {
  const tag = (name: string): ScalarTag => ({ tag: `!${name}`, resolve: (text) => ({ [name]: text }) });
  const file = new URL('../../../deploy/dynamodb/cloudformation.yaml', import.meta.url);
  return parse(readFileSync(file, 'utf8'), { customTags: ['Ref', 'GetAtt', 'Sub'].map(tag) });
};

interface Settings {
  readonly table: string;
  /** The value of `Table.Arn`. */
  readonly arn: string;
  readonly hasSweepIndex: boolean;
}

const isDefined = (value: unknown): boolean => value !== undefined;

/** The functions of CloudFormation that the template uses. `AWS::NoValue` is undefined. */
const functionsFor = ({
  table,
  arn,
  hasSweepIndex,
}: Settings): Readonly<Record<string, (value: unknown) => unknown>> => ({
  Ref: (name) => (name === 'TableName' ? table : undefined),
  GetAtt: () => arn,
  Sub: (text) => `${text}`.replace(/\$\{Table\.Arn\}/, arn),
  'Fn::If': (value) => (Array.isArray(value) ? value[hasSweepIndex ? 1 : 2] : undefined),
});

/** The value of a part of the template. moto's CloudFormation needs a dozen packages more than the tests install. */
const evaluate = (part: unknown, settings: Settings): unknown => {
  if (Array.isArray(part)) return part.map((each) => evaluate(each, settings)).filter(isDefined);
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part);
  const [name, value] = entries[0] ?? [''];
  const call = functionsFor(settings)[name];
  if (call) return evaluate(call(value), settings);
  return Object.fromEntries(
    entries.map(([key, each]) => [key, evaluate(each, settings)] as const).filter(([, each]) => isDefined(each)),
  );
};

/** What the template creates, as the APIs of DynamoDB and IAM take it. */
export const readStack = (settings: Settings) => {
  const { Table, ServePolicy, MaintenancePolicy } = readTemplate().Resources;
  const {
    TimeToLiveSpecification: ttl,
    PointInTimeRecoverySpecification: _,
    ...table
  } = evaluate(Table.Properties, settings) as Record<string, unknown>;
  const policyIn = ({ Properties }: { readonly Properties: { readonly PolicyDocument: unknown } }) =>
    JSON.stringify(evaluate(Properties.PolicyDocument, settings));
  return { table, ttl, servePolicy: policyIn(ServePolicy), maintenancePolicy: policyIn(MaintenancePolicy) };
};
