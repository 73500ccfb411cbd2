import { expect, test } from 'vitest';
import { isSameTool } from './same-tool.ts';

test.each([
  ['get_weather', 'get_weather', true],
  ['mcp__weather__get_weather', 'get_weather', true],
  ['get_weather', 'mcp__weather__get_weather', true],
  ['mcp__my_server__get__weather', 'get__weather', true],
  ['mcp__a__get_weather', 'mcp__b__get_weather', false],
  ['mcp__weather__get_weather', 'weather', false],
  ['weather__get_weather', 'get_weather', false],
  ['mcp__get_weather', 'get_weather', false],
])('%s and %s', (one, other, isSame) => expect(isSameTool(one, other)).toBe(isSame));
