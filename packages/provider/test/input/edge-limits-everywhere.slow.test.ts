// Sends all cases, and not only a share of them.
import './edge-limits-everywhere.test.ts';
