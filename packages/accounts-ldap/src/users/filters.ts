import { AndFilter, EqualityFilter, type Filter, FilterParser, NotFilter, OrFilter, PresenceFilter } from 'ldapts';

const placeholder = '{login}';

/** The filters by which users are found. Values are put into filter objects, never into text. */
export interface UserFilters {
  forLogin(login: string): Filter;
  forId(id: Buffer | string): Filter;
  /** The filter for a user with any login. */
  forAny(): Filter;
  /** The attributes that a login is compared with. */
  readonly loginAttributes: readonly string[];
  /** The value that an attribute of `loginAttributes` must have for this login. */
  expected(attribute: string, login: string): string;
}

/** `\c3\a9` -> `é`: ldapts reads each escaped byte as a character of its own. */
const decodeEscapedText = (filter: string): string =>
  filter.replaceAll(/(?:\\[89a-f][0-9a-f])+/gi, (bytes) => Buffer.from(bytes.replaceAll('\\', ''), 'hex').toString());

const parse = (filter: string): Filter => {
  try {
    return FilterParser.parseString(decodeEscapedText(filter));
  } catch (error) {
    throw new TypeError(`filter: not a filter of RFC 4515: ${filter}`, { cause: error });
  }
};

const isTemplate = (filter: Filter): filter is EqualityFilter & { readonly value: string } =>
  filter instanceof EqualityFilter && typeof filter.value === 'string' && filter.value.includes(placeholder);

const rebuild = (filter: Filter, replace: (leaf: Filter) => Filter): Filter => {
  if (filter instanceof AndFilter)
    return new AndFilter({ filters: filter.filters.map((each) => rebuild(each, replace)) });
  if (filter instanceof OrFilter)
    return new OrFilter({ filters: filter.filters.map((each) => rebuild(each, replace)) });
  if (filter instanceof NotFilter) return new NotFilter({ filter: rebuild(filter.filter, replace) });
  return replace(filter);
};

/** The equalities with `{login}`. Refuses `{login}` in a negated equality or in another kind of filter. */
const templatesIn = (filter: Filter): readonly (EqualityFilter & { readonly value: string })[] => {
  if (filter instanceof AndFilter || filter instanceof OrFilter) return filter.filters.flatMap(templatesIn);
  if (isTemplate(filter)) return [filter];
  if (filter.toString().includes(placeholder))
    throw new TypeError(`filter: {login} must be in an equality that is not negated, such as (mail={login})`);
  return [];
};

const both = (...filters: readonly Filter[]): Filter => new AndFilter({ filters: [...filters] });

/** `filter` is parsed here, once. @throws TypeError if it does not parse or uses `{login}` where it must not */
export const createUserFilters = (
  filter: string,
  loginAttributes: readonly string[],
  idAttribute: string,
): UserFilters => {
  const configured = parse(filter);
  const defaults = new OrFilter({
    filters: loginAttributes.map((attribute) => new EqualityFilter({ attribute, value: placeholder })),
  });
  const tree = templatesIn(configured).length > 0 ? configured : both(configured, defaults);
  const templates = templatesIn(tree);
  // The replacement is a function, so that `$&` in a login stays text.
  const fill = (value: string, login: string): string => value.replaceAll(placeholder, () => login);
  const anyLogin = rebuild(tree, (leaf) =>
    isTemplate(leaf) ? new PresenceFilter({ attribute: leaf.attribute }) : leaf,
  );
  return {
    forLogin: (login) =>
      rebuild(tree, (leaf) =>
        isTemplate(leaf) ? new EqualityFilter({ attribute: leaf.attribute, value: fill(leaf.value, login) }) : leaf,
      ),
    forId: (value) => both(new EqualityFilter({ attribute: idAttribute, value }), anyLogin),
    forAny: () => anyLogin,
    loginAttributes: [...new Set(templates.map(({ attribute }) => attribute))],
    expected: (attribute, login) =>
      fill(templates.find((each) => each.attribute === attribute)?.value ?? placeholder, login),
  };
};
