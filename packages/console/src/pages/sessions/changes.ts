import type { AuditAbout } from '../../page/audit.ts';
import type { PageContext, PageRoute } from '../../page/route.ts';
import { redirect } from '../../page/route.ts';

const fieldIn = ({ form }: PageContext, name: string): string => form.get(name) ?? '';
const subjectIn = (context: PageContext): string => fieldIn(context, 'subject');
const sidIn = (context: PageContext) => ({ sid: fieldIn(context, 'sid') });
const consentIn = (context: PageContext) => ({ consentRequestId: fieldIn(context, 'id') });

interface Change {
  readonly path: string;
  readonly action: `console.${'session' | 'consent'}.${string}`;
  readonly make: (context: PageContext) => Promise<void>;
  /** The id that the change is made by: the user whom the form names beside it is not verified. */
  readonly about: (context: PageContext) => AuditAbout;
}

const changes: readonly Change[] = [
  {
    path: '/sessions/end',
    action: 'console.session.revoke',
    make: (context) => context.server.sessions.revoke(sidIn(context)),
    about: sidIn,
  },
  {
    path: '/sessions/end-all',
    action: 'console.session.revokeAll',
    make: (context) => context.server.sessions.revoke({ subject: subjectIn(context) }),
    about: (context) => ({ subject: subjectIn(context) }),
  },
  {
    path: '/sessions/consents/revoke',
    action: 'console.consent.revoke',
    make: (context) => context.server.consents.revoke(consentIn(context)),
    about: consentIn,
  },
  {
    path: '/sessions/consents/revoke-all',
    action: 'console.consent.revokeAll',
    make: (context) => context.server.consents.revoke({ subject: subjectIn(context), all: true }),
    about: (context) => ({ subject: subjectIn(context) }),
  },
];

/** The end of sessions and consents. The browser returns to the list of the user. */
export const changeRoutes: readonly PageRoute[] = changes.map(({ path, action, make, about }) => ({
  method: 'POST',
  path,
  role: 'operator',
  async answer(context) {
    const subject = subjectIn(context);
    await make(context);
    context.audit(action, about(context));
    return redirect(context.link(path.includes('consents') ? '/sessions/consents' : '/sessions', { subject }));
  },
}));
