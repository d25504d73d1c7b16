import type { Attributes, ResourceType } from '../schema/attribute.ts';

/** The members that every resource has (RFC 7643, section 3.1). */
export const resourceOf = (
  { name, endpoint, schema, extensions }: ResourceType,
  baseUrl: string,
  {
    id,
    externalId,
    version,
    createdAt,
    updatedAt,
    attributes,
  }: {
    readonly id: string;
    readonly externalId: string | undefined;
    readonly version: string | undefined;
    readonly createdAt: Date | undefined;
    readonly updatedAt: Date | undefined;
    readonly attributes: Attributes;
  },
): Attributes => ({
  schemas: [schema.id, ...extensions.map((extension) => extension.id).filter((urn) => attributes[urn] !== undefined)],
  id,
  ...(externalId !== undefined && { externalId }),
  ...attributes,
  meta: {
    resourceType: name,
    created: createdAt?.toISOString(),
    lastModified: updatedAt?.toISOString(),
    location: `${baseUrl}${endpoint}/${encodeURIComponent(id)}`,
    version: `W/"${version ?? ''}"`,
  },
});

export interface Conditions {
  /** The resource is changed only in this version. */
  readonly ifVersion: string | undefined;
  /** The attributes of the answer. */
  readonly wants: Wants;
}

/** How a kind of resource is read and changed. */
export interface Resources {
  readonly resourceType: ResourceType;
  /** A PATCH is answered with 204, unless the client asks for attributes: the whole resource may be large. */
  readonly isLarge: boolean;
  get(id: string, wants: Wants): Promise<Attributes>;
  create(body: unknown, wants: Wants): Promise<Attributes>;
  replace(id: string, body: unknown, conditions: Conditions): Promise<Attributes>;
  patch(id: string, body: unknown, conditions: Conditions): Promise<Attributes>;
  /** `ifVersion`: only in this version. */
  remove(id: string, ifVersion: string | undefined): Promise<void>;
  list(query: ListQuery, wants: Wants): Promise<ListPage>;
}

/** Whether the response has an attribute that costs further reads. */
export type Wants = (attribute: string) => boolean;

export interface ListQuery {
  readonly filter: string | undefined;
  /** From 0. */
  readonly offset: number;
  readonly limit: number;
}

export interface ListPage {
  readonly resources: readonly Attributes[];
  readonly total: number;
}

const mostTries = 5;

/** Repeats a change that another one has overtaken, unless the client has named the version. */
export const untilUnchanged = async <T>(change: () => Promise<T>, ifVersion: string | undefined): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await change();
    } catch (error) {
      const isOvertaken = error instanceof Error && 'code' in error && error.code === 'changed';
      if (!isOvertaken || ifVersion !== undefined || tries === mostTries) throw error;
    }
  }
};
