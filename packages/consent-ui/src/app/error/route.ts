import { showError } from '../../page/error-page.tsx';
import { route } from '../../route.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(showError);
