import { route } from '../../route.tsx';
import { showSignUp, submitSignUp } from '../../sign-up/sign-up.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(showSignUp);
export const POST = route(submitSignUp);
