import { showRecovery, submitRecovery } from '../../recovery/recovery.tsx';
import { route } from '../../route.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(showRecovery);
export const POST = route(submitRecovery);
