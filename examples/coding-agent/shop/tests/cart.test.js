import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../cart.js';

test('the total of several prices', () => assert.equal(total([1, 2]), 3));
