import type { KoaContextWithOIDC } from 'oidc-provider';
import type { SubjectIdentifiers } from '../clients/subject-identifiers.ts';
import { recordOf } from './clients.ts';
import { forcedSubjectOf } from './grant-of-request.ts';

/** The subject that a client sees, in a request or outside of one. */
export type PresentSubject = (ctx: KoaContextWithOIDC | undefined, client: object, subject: string) => string;

export const createPresentSubject =
  (subjects: Pick<SubjectIdentifiers, 'present'>): PresentSubject =>
  (ctx, client, subject) =>
    subjects.present(recordOf(client), subject, ctx && forcedSubjectOf(ctx));
