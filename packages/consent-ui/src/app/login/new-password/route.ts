import { startAgain } from '../../../factors/submit-factor.ts';
import { submitNewPassword } from '../../../factors/submit-new-password.ts';
import { route } from '../../../route.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(startAgain);
export const POST = route(submitNewPassword);
