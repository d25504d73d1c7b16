import { showDevice, submitDevice } from '../../device/device.tsx';
import { route } from '../../route.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(showDevice);
export const POST = route(submitDevice);
