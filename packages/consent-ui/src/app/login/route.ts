import { showLogin, submitLogin } from '../../login/login.tsx';
import { route } from '../../route.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(showLogin);
export const POST = route(submitLogin);
