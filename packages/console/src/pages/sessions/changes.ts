import type { PageContext, PageRoute } from '../../page/route.ts';
import { redirect } from '../../page/route.ts';

const subjectIn = ({ form }: PageContext): string => form.get('subject') ?? '';

interface Change {
  readonly path: string;
  readonly action: `console.${'session' | 'consent'}.${string}`;
  readonly make: (context: PageContext) => Promise<void>;
}

const changes: readonly Change[] = [
  {
    path: '/sessions/end',
    action: 'console.session.revoke',
    make: ({ server, form }) => server.sessions.revoke({ sid: form.get('sid') ?? '' }),
  },
  {
    path: '/sessions/end-all',
    action: 'console.session.revokeAll',
    make: (context) => context.server.sessions.revoke({ subject: subjectIn(context) }),
  },
  {
    path: '/sessions/consents/revoke',
    action: 'console.consent.revoke',
    make: ({ server, form }) => server.consents.revoke({ consentRequestId: form.get('id') ?? '' }),
  },
  {
    path: '/sessions/consents/revoke-all',
    action: 'console.consent.revokeAll',
    make: (context) => context.server.consents.revoke({ subject: subjectIn(context), all: true }),
  },
];

/** The end of sessions and consents. The browser returns to the list of the user. */
export const changeRoutes: readonly PageRoute[] = changes.map(({ path, action, make }) => ({
  method: 'POST',
  path,
  role: 'operator',
  async answer(context) {
    const subject = subjectIn(context);
    await make(context);
    context.audit(action, { subject });
    return redirect(context.link(path.includes('consents') ? '/sessions/consents' : '/sessions', { subject }));
  },
}));
