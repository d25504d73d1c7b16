import { startAgain } from '../../../factors/submit-factor.ts';
import { submitKeepAccount } from '../../../factors/submit-keep-account.ts';
import { route } from '../../../route.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(startAgain);
export const POST = route(submitKeepAccount);
