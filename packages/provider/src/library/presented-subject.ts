import type { KoaContextWithOIDC } from 'oidc-provider';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { GrantPayload } from '../tokens/grant-details.ts';
import { recordOf } from './clients.ts';
import { stateOf } from './request-state.ts';

/** The details of the grant that oidc-provider has loaded for a request; empty without a grant. */
export const grantDetailsOf = (ctx: KoaContextWithOIDC): Partial<GrantPayload> =>
  (ctx.oidc.entities.Grant as { readonly details?: GrantPayload } | undefined)?.details ?? {};

/** The subject that the login app has set for pairwise clients: in the flow of the request, or when the grant was given. */
export const forcedSubjectOf = (ctx: KoaContextWithOIDC): string | undefined =>
  stateOf(ctx).flow?.login?.forcedSubject ?? grantDetailsOf(ctx).forcedSubject;

/** The subject that a client sees, in a request or outside of one. */
export type PresentSubject = (ctx: KoaContextWithOIDC | undefined, client: object, subject: string) => string;

export const createPresentSubject =
  (subjects: Pick<SubjectIdentifiers, 'present'>): PresentSubject =>
  (ctx, client, subject) =>
    subjects.present(recordOf(client), subject, ctx && forcedSubjectOf(ctx));
