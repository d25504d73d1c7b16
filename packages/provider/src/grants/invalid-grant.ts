import { errors } from 'oidc-provider';

/** `invalid_grant` that says why. For what the client itself can know: nothing of other clients, persons or grants. */
export const invalidGrant = (description: string, cause?: Error): Error =>
  Object.assign(new errors.InvalidGrant({ cause } as never), { error_description: description });
