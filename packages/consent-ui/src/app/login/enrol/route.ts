import { submitEnrolment } from '../../../factors/submit-enrolment.ts';
import { startAgain } from '../../../factors/submit-factor.ts';
import { route } from '../../../route.tsx';

export const dynamic = 'force-dynamic';
export const GET = route(startAgain);
export const POST = route(submitEnrolment);
