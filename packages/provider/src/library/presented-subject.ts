import type { KoaContextWithOIDC } from 'oidc-provider';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import type { GrantPayload } from '../tokens/grant-details.ts';
import { recordOf } from './clients.ts';
import { stateOf } from './request-state.ts';

/** What the login app has forced: in the flow that is under way, or when the grant came about. */
const forcedIn = (ctx: KoaContextWithOIDC): string | undefined => {
  const { details } = (ctx.oidc.entities.Grant ?? {}) as { readonly details?: GrantPayload };
  return stateOf(ctx).flow?.login?.forcedSubject ?? details?.forcedSubject;
};

/** Whom a client sees in a request, or outside of one. */
export type PresentSubject = (ctx: KoaContextWithOIDC | undefined, client: object, subject: string) => string;

export const createPresentSubject =
  (subjects: Pick<SubjectIdentifiers, 'present'>): PresentSubject =>
  (ctx, client, subject) =>
    subjects.present(recordOf(client), subject, ctx && forcedIn(ctx));
