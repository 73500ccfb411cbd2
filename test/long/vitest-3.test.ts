import { join } from 'node:path';
import { installGroup } from '../frameworks/install-group.ts';
import { testAssaySuite } from '../vitest/suite-cases.ts';

// The oldest version that the package allows.
testAssaySuite('vitest 3.0', async () => join(await installGroup('vitest3'), 'node_modules', 'vitest'));
