/** `@carnet/issuers/config`: the sections `issuers` and `limits` of the configuration, for programs that read it from files. */
export {
  type ExaminedIssuer,
  type ExaminedIssuers,
  type ExamineOptions,
  examineIssuers,
  issuersIn,
} from './config/examine.ts';
export { issuersSchema, type Limits, type LimitsInput, limitsSchema, variablePrefixOf } from './config/schema.ts';
