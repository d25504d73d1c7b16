import { showRecoveryPassword, submitRecoveryPassword } from '../../../recovery/recovery-password.tsx';
import { route } from '../../../route.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(showRecoveryPassword);
export const POST = route(submitRecoveryPassword);
