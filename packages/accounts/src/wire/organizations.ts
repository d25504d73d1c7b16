import { z } from 'zod';
import type { OrganizationOperations } from '../api/organizations.ts';
import type { OperationsOf } from './operation.ts';
import { context, organizationName, shownOrganization, subject } from './parts.ts';

const brand = z.object({
  logo: z.string().optional(),
  color: z.string().optional(),
  colorDark: z.string().optional(),
});

/** The organizations of the configuration. */
export const organizationOperations = {
  find: {
    summary:
      'Get an organization that a login request names. Absent if there is none for the client: reject the request with `invalid_request`.',
    input: z.object({ organization: organizationName, clientId: context.shape.clientId }),
    output: shownOrganization.extend({ brand }).optional(),
  },
  ofUser: {
    summary: 'Decide for which organization a remembered login continues.',
    input: z.object({
      subject,
      clientId: context.shape.clientId,
      organization: context.shape.organization,
      chosen: organizationName.optional().describe('The name that the user has chosen.'),
      acr: z.string().max(512).optional().describe('The `acr` of the remembered login.'),
      provider: z
        .string()
        .max(64)
        .optional()
        .describe(
          'The `provider` of the sign-in whose session this remembered login is. Without it, no provider makes the user a member.',
        ),
    }),
    output: z.discriminatedUnion('state', [
      z.object({ state: z.literal('done'), organization: z.string().optional() }).describe('Accept the login.'),
      z
        .object({ state: z.literal('choose_organization'), organizations: z.array(shownOrganization) })
        .describe('The user is a member of several organizations, and the request names none.'),
      z
        .object({ state: z.literal('sign_in') })
        .describe('The remembered login is not one of a member, or not strong enough: the user must sign in again.'),
    ]),
  },
} as const satisfies OperationsOf<OrganizationOperations>;
