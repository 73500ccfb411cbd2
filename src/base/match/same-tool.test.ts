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
  // As Gemini CLI, opencode and Copilot write the same tool.
  ['mcp__weather__get', 'mcp_weather_get', true],
  ['mcp__weather__get', 'weather_get', true],
  ['weather-get', 'mcp__weather__get', true],
  ['mcp__weather__get', 'other_get', false],
  ['functions.get_weather', 'get_weather', true],
  ['get_weather', 'default_api.get_weather', true],
  ['functions.get_weather', 'default_api.get_weather', true],
  ['search_flights', 'flights', false],
  ['search-flights', 'flights', false],
  ['mcp_search_flights', 'flights', false],
  ['api.flights', 'flights', false],
])('%s and %s', (one, other, isSame) => expect(isSameTool(one, other)).toBe(isSame));
