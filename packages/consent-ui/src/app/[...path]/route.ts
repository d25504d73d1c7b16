import { Problem } from '../../problem.ts';
import { route } from '../../route.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(() => Promise.reject(new Problem('invalid_link')));
