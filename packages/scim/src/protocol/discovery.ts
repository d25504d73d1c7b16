import { describedSchema, type ResourceType } from '../schema/attribute.ts';
import { groupType, userType } from '../schema/resource-types.ts';
import { mostBodyBytes, mostBulkOperations } from './limits.ts';
import { mostCandidates } from './search.ts';

const resourceTypes = [userType, groupType];

const serviceProviderConfig = (baseUrl: string): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: 'https://github.com/carnet-oidc/carnet/blob/main/docs/guides/scim.md',
  patch: { supported: true },
  bulk: { supported: true, maxOperations: mostBulkOperations, maxPayloadSize: mostBodyBytes },
  filter: { supported: true, maxResults: mostCandidates },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    { type: 'oauthbearertoken', name: 'Bearer token', description: 'A token of the configuration.', primary: true },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
});

const describedType = ({ name, endpoint, schema, extensions }: ResourceType, baseUrl: string): object => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  id: name,
  name,
  endpoint,
  description: schema.description,
  schema: schema.id,
  schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })),
  meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` },
});

/** The documents that describe this server (RFC 7644, section 4), by path. A list is an array. */
export const createDiscovery = (baseUrl: string): Readonly<Record<string, object | readonly object[]>> => {
  const schemas = resourceTypes.flatMap(({ schema, extensions }) => [schema, ...extensions]);
  const types = resourceTypes.map((type) => describedType(type, baseUrl));
  return {
    '/ServiceProviderConfig': serviceProviderConfig(baseUrl),
    '/Schemas': schemas.map((schema) => describedSchema(schema, baseUrl)),
    ...Object.fromEntries(schemas.map((schema) => [`/Schemas/${schema.id}`, describedSchema(schema, baseUrl)])),
    '/ResourceTypes': types,
    ...Object.fromEntries(types.map((type, index) => [`/ResourceTypes/${resourceTypes[index]?.name}`, type])),
  };
};
