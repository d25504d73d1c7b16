import { showConsent, submitConsent } from '../../consent/consent.tsx';
import { route } from '../../route.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(showConsent);
export const POST = route(submitConsent);
