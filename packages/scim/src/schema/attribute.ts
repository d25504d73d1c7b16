/** An attribute of a schema (RFC 7643, section 7). */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex';
  readonly multiValued?: true;
  readonly required?: true;
  readonly caseExact?: true;
  readonly mutability?: 'readOnly' | 'immutable';
  /** Never in a response. */
  readonly isSecret?: true;
  readonly uniqueness?: 'server';
  readonly subAttributes?: readonly Attribute[];
  readonly referenceTypes?: readonly string[];
  readonly description: string;
}

export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
}

/** A kind of resource (RFC 7643, section 6). */
export interface ResourceType {
  readonly name: 'User' | 'Group';
  /** The path below the base URL. */
  readonly endpoint: '/Users' | '/Groups';
  readonly schema: Schema;
  readonly extensions: readonly Schema[];
}

/** A resource, or a part of one, with the names of the schema. */
export type Attributes = Readonly<Record<string, unknown>>;

const described = ({ subAttributes, multiValued, isSecret, ...attribute }: Attribute): object => ({
  ...{ required: false, caseExact: false, mutability: 'readWrite', uniqueness: 'none' },
  ...attribute,
  multiValued: multiValued === true,
  returned: isSecret ? 'never' : 'default',
  ...(subAttributes && { subAttributes: subAttributes.map(described) }),
});

/** A schema as clients read it. */
export const describedSchema = ({ attributes, ...schema }: Schema, baseUrl: string): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
  ...schema,
  attributes: attributes.map(described),
  meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${schema.id}` },
});

const equals = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The attribute with this name. Names are compared without case (RFC 7643, section 2.1). */
export const attributeIn = (attributes: readonly Attribute[], name: string): Attribute | undefined =>
  attributes.find((attribute) => equals(attribute.name, name));

/** `id`, `externalId` and `meta` belong to no schema (RFC 7643, section 3.1). */
const common: readonly Attribute[] = [
  { name: 'id', type: 'string', caseExact: true, mutability: 'readOnly', description: 'The id.' },
  { name: 'externalId', type: 'string', caseExact: true, description: 'The id at the client.' },
  {
    name: 'meta',
    type: 'complex',
    mutability: 'readOnly',
    description: 'Metadata.',
    subAttributes: ['resourceType', 'created', 'lastModified', 'location', 'version'].map((name) => ({
      ...({ name, type: 'string', description: name } as const),
    })),
  },
];

/** The attributes at the top of a resource: those of the schema, and each extension by its URN. */
export const topAttributes = ({ schema, extensions }: ResourceType): readonly Attribute[] => [
  ...common,
  ...schema.attributes,
  ...extensions.map(
    ({ id, attributes, description }): Attribute => ({
      ...{ name: id, type: 'complex', description, subAttributes: attributes },
    }),
  ),
];

/** An attribute that a path names. */
export interface Located {
  /** The names from the top of the resource: `['name', 'givenName']`. */
  readonly names: readonly string[];
  readonly attribute: Attribute;
  /** The multi-valued attribute above it, or itself. */
  readonly list: Attribute | undefined;
}

/** The URN before the name of an attribute (RFC 7644, section 3.10), which `.` may separate, too. */
const withoutUrn = (path: string, { schema, extensions }: ResourceType) => {
  const rest = (id: string) => path.slice(id.length).replace(/^[:.]/, '');
  const isBelow = (id: string) => equals(path.slice(0, id.length), id) && /^(?:[:.]|$)/.test(path.slice(id.length));
  const extension = extensions.find(({ id }) => isBelow(id));
  if (extension !== undefined) return [extension.id, ...rest(extension.id).split('.')].filter((name) => name !== '');
  return (isBelow(schema.id) ? rest(schema.id) : path).split('.');
};

/** The attribute of a path without a filter, such as `name.givenName`. Undefined if there is none. */
export const locate = (path: string, resourceType: ResourceType): Located | undefined => {
  let attributes = topAttributes(resourceType);
  let found: Located | undefined;
  for (const name of withoutUrn(path, resourceType)) {
    const attribute = attributeIn(attributes, name);
    if (attribute === undefined) return undefined;
    found = {
      names: [...(found?.names ?? []), attribute.name],
      attribute,
      list: attribute.multiValued ? attribute : found?.list,
    };
    attributes = attribute.subAttributes ?? [];
  }
  return found;
};
