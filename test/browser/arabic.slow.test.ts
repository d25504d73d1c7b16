import { vi } from 'vitest';
import { describePages } from './accessibility/pages.ts';
import { arabic } from './accessibility/wcag.ts';
import { describeAccountPages } from './accounts/accessibility.ts';

vi.setConfig({ testTimeout: 240_000 });

describePages(arabic);
describeAccountPages(arabic);
