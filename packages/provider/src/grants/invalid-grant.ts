import { errors } from 'oidc-provider';

/**
 * `invalid_grant` with a reason that the client itself can know. It reveals nothing of other clients, users or grants.
 */
export const invalidGrant = (description: string, cause?: Error): Error =>
  Object.assign(new errors.InvalidGrant({ cause } as never), { error_description: description });
