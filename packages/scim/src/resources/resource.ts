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

/** How a kind of resource is read and changed. `ifVersion`: only in this version. */
export interface Resources {
  readonly resourceType: ResourceType;
  get(id: string, wants: Wants): Promise<Attributes>;
  create(body: unknown): Promise<Attributes>;
  replace(id: string, body: unknown, ifVersion: string | undefined): Promise<Attributes>;
  patch(id: string, body: unknown, ifVersion: string | undefined): Promise<Attributes>;
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
