import { showHome } from '../page/home-page.tsx';
import { route } from '../route.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(showHome);
