import { showAccount, submitAccount } from '../../../account/account.tsx';
import { route } from '../../../route.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(showAccount);
export const POST = route(submitAccount);
