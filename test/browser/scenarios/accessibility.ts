import { describePages } from '../accessibility/pages.ts';
import { english } from '../accessibility/wcag.ts';

describePages(english);
