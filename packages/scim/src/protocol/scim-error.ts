/** The `scimType` of an error (RFC 7644, section 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive';

/** A refusal that the client gets. */
export class ScimError extends Error {
  override readonly name = 'ScimError';
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

/** A refusal of a value, a path or a filter. */
export const badRequest = (scimType: ScimType, detail: string): ScimError => new ScimError(400, detail, scimType);

export const notFound = (): ScimError => new ScimError(404, 'There is no such resource.');

/** The failures of the management of users and groups, by the code of their error. */
const byCode: Readonly<Record<string, readonly [status: number, scimType?: ScimType]>> = {
  invalid_request: [400, 'invalidValue'],
  not_found: [404],
  not_supported: [404],
  conflict: [409, 'uniqueness'],
  changed: [412, 'invalidVers'],
  payload_too_large: [413],
  accounts_unavailable: [503],
  storage_unavailable: [503],
};

/** The refusal that the client gets for a failure. Undefined for a failure that is a bug. */
export const scimErrorOf = (error: unknown): ScimError | undefined => {
  if (error instanceof ScimError) return error;
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const [status, scimType] = byCode[String(error.code)] ?? [];
  if (status === undefined) return undefined;
  // The message of an outage names servers: it is for the operator.
  const detail = status === 503 ? 'The users are not available. Repeat the request.' : error.message;
  return new ScimError(status, detail, scimType);
};

export const errorBody = ({ status, scimType, message }: ScimError): object => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
  status: String(status),
  ...(scimType !== undefined && { scimType }),
  detail: message,
});
