import { fileURLToPath } from 'node:url';
import { testAssaySuite } from './suite-cases.ts';

testAssaySuite('vitest 4', () => fileURLToPath(new URL('../../node_modules/vitest', import.meta.url)));
