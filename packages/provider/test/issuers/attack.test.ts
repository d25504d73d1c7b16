import { openMemoryAdapter } from '@carnet/adapter-memory';
import { attackIssuers } from './attack.ts';

attackIssuers('the memory store', async () => openMemoryAdapter());
