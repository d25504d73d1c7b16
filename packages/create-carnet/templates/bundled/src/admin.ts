//@if mounted
import { createServer } from 'node:http';
import { carnet } from './provider.ts';
import { adminPort } from './settings.ts';

/** The admin API for the pages. Every request needs ADMIN_TOKEN. */
export const adminServer = createServer(carnet.adminCallback()).listen(adminPort, '127.0.0.1');
//@end
