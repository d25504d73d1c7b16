// The generated requests at their usual number: the quick project of vitest.config.ts sends a fifth of them.
import './authorization-requests.test.ts';
