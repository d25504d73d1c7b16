import { isDeepStrictEqual } from 'node:util';

/** The members of a type of `authorization_details` besides `type` (RFC 9396, section 2). */
export interface DetailType {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /** Which `actions` there are; absent: any. */
  readonly actions?: readonly string[];
}

export type DetailTypes = Readonly<Record<string, DetailType>>;
export type AuthorizationDetail = Readonly<Record<string, unknown>> & { readonly type: string };

/** Members whose values are lists of strings (section 2.2). */
const lists = ['locations', 'actions', 'datatypes', 'privileges'] as const;
const isList = (name: string): boolean => (lists as readonly string[]).includes(name);
const maxDetails = 20;

const isWords = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '');

const isDetail = (value: unknown): value is AuthorizationDetail =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

const problemOfMembers = (detail: AuthorizationDetail, type: DetailType): string | undefined => {
  const names = Object.keys(detail).filter((name) => name !== 'type');
  const known = new Set([...type.required, ...type.optional]);
  const missing = type.required.find((name) => !Object.hasOwn(detail, name));
  if (missing !== undefined) return `lacks the required member ${missing}`;
  // Unknown members are refused, because the user would otherwise consent to something else (section 5).
  if (names.some((name) => !known.has(name))) return 'has a member that its type does not define';
  const wrong = names.find((name) => isList(name) && !isWords(detail[name]));
  if (wrong !== undefined) return `has a member ${wrong} that is not a list of strings`;
  const { actions = [] } = detail as { readonly actions?: readonly string[] };
  return type.actions && actions.some((action) => !type.actions?.includes(action))
    ? 'requests an action that its type does not define'
    : undefined;
};

/** The first problem of the details, without quoting them. Undefined: none. */
export const problemOfDetails = (
  details: unknown,
  types: DetailTypes,
  registered: readonly string[] | undefined,
): string | undefined => {
  if (!Array.isArray(details) || details.length > maxDetails) return `must be a list of at most ${maxDetails}`;
  for (const [index, detail] of details.entries()) {
    if (!isDetail(detail)) return `number ${index + 1} is not an object with a type`;
    if (!Object.hasOwn(types, detail.type)) return `number ${index + 1} is of an unknown type`;
    if (registered && !registered.includes(detail.type))
      return `number ${index + 1} is of a type that the client is not registered for`;
    const problem = problemOfMembers(detail, types[detail.type] as DetailType);
    if (problem !== undefined) return `number ${index + 1} ${problem}`;
  }
  return undefined;
};

const isMemberWithin = (name: string, granted: unknown, requested: unknown): boolean =>
  isList(name) && isWords(granted) && isWords(requested)
    ? granted.every((word) => requested.includes(word))
    : isDeepStrictEqual(granted, requested);

/**
 * Whether a granted detail is within a requested one: its lists are subsets, and other requested members are equal. A
 * list that the request omits must be omitted. Other members may be added, because the user may choose a value that the
 * client does not know, such as an account (section 7.1).
 */
const isWithin = (granted: AuthorizationDetail, requested: AuthorizationDetail): boolean => {
  if (Object.keys(granted).some((name) => isList(name) && !Object.hasOwn(requested, name))) return false;
  return Object.entries(requested).every(([name, value]) => isMemberWithin(name, granted[name], value));
};

/**
 * Whether each granted detail is within a requested one of its own. A detail that was requested once is not granted twice: that
 * would be two payments. This is a bipartite matching, because a granted detail may be within several requested ones.
 */
export const areWithin = (
  granted: readonly AuthorizationDetail[],
  requested: readonly AuthorizationDetail[],
): boolean => {
  const takenBy = new Map<AuthorizationDetail, AuthorizationDetail>();
  const place = (detail: AuthorizationDetail, tried: Set<AuthorizationDetail>): boolean =>
    requested.some((one) => {
      if (tried.has(one) || !isWithin(detail, one)) return false;
      tried.add(one);
      const other = takenBy.get(one);
      if (other !== undefined && !place(other, tried)) return false;
      takenBy.set(one, detail);
      return true;
    });
  return granted.every((detail) => place(detail, new Set()));
};

/** The details of a request. They were validated with the request. */
export const detailsIn = (text: string | undefined): readonly AuthorizationDetail[] =>
  text === undefined ? [] : (JSON.parse(text) as AuthorizationDetail[]);
