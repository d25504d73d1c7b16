import { showLogout, submitLogout } from '../../logout/logout.tsx';
import { route } from '../../route.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(showLogout);
export const POST = route(submitLogout);
