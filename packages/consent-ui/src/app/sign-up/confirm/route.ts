import { route } from '../../../route.tsx';
import { showConfirmSignUp, submitConfirmSignUp } from '../../../sign-up/confirm-sign-up.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(showConfirmSignUp);
export const POST = route(submitConfirmSignUp);
