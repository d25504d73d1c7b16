import { startAgain } from '../../../factors/submit-factor.ts';
import { submitPasskey } from '../../../passkeys/submit-passkey.ts';
import { route } from '../../../route.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(startAgain);
export const POST = route(submitPasskey);
