import { startSignIn } from '../../../demo-client.ts';
import { toResponse } from '../../../response.ts';

export const dynamic = 'force-dynamic';
export const GET = async () => toResponse(await startSignIn());
