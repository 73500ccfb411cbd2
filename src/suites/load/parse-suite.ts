import { parseSuiteText, type ParsedSuite, type SuiteText } from '../formats/parse-suite.ts';
import { knownFormats } from './known-formats.ts';

/** Reads a suite from its text. Pure: opens no file. Bad input gives findings, never an exception. */
export function parseSuite(suite: SuiteText): ParsedSuite {
  return parseSuiteText(suite, knownFormats());
}
