import { describePages } from '../accessibility/pages.ts';
import { arabic } from '../accessibility/wcag.ts';

describePages(arabic);
