import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../base/files/make-folder.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import { isJsonObject } from '../../base/model/json.ts';
import { parseStrictJson } from '../../base/model/parse-strict-json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { JudgeReply, JudgeRequest } from '../contract/judge.ts';
import type { ModelJudgeConfig } from './judge-config.ts';

/** Replies of a judge, one file each, so that grading again asks nothing twice. */
export class JudgeCache {
  private readonly directory: string;
  private readonly judge: string;

  constructor(directory: string, config: ModelJudgeConfig) {
    this.directory = directory;
    this.judge = describeJudge(config);
  }

  /** An entry that cannot be read or used counts as missing. */
  async read(request: JudgeRequest): Promise<JudgeReply | undefined> {
    const key = this.keyOf(request);
    try {
      const entry = parseStrictJson(await readFile(this.fileOf(key), 'utf8'));
      if (!isJsonObject(entry)) return undefined;
      const { key: ownKey, model, answer } = entry;
      if (ownKey !== key || typeof model !== 'string' || answer === undefined) return undefined;
      return request.check(answer) === undefined ? { answer, model } : undefined;
    } catch {
      return undefined;
    }
  }

  /** A reader sees a whole entry or none. If the cache cannot be written, only the next call is slower. */
  write(request: JudgeRequest, { answer, model }: JudgeReply): void {
    const key = this.keyOf(request);
    try {
      makeFolder(this.directory, { mode: 0o700 });
      writeWhole(this.fileOf(key), printJson({ key, model, answer }), { mode: 0o600 });
    } catch {
      // It is asked again.
    }
  }

  private keyOf({ system, prompt, schema, sample }: JudgeRequest): string {
    return createHash('sha256')
      .update(printJson([this.judge, system, prompt, schema, sample]))
      .digest('hex');
  }

  private fileOf(key: string): string {
    return join(this.directory, `${key}.json`);
  }
}

/** What the answer depends on. Neither the key nor the headers: they decide who pays, not what is said. */
function describeJudge(config: ModelJudgeConfig): string {
  const decisive = Object.fromEntries(DECISIVE.map((field) => [field, config[field]]));
  // Answers of version 1 were kept without a look at their scores and at keys that were there twice.
  return printJson({ version: 2, ...decisive });
}

/** In this order: another one would be another key. */
const DECISIVE = [
  'name',
  'provider',
  'model',
  'base_url',
  'temperature',
  'top_p',
  'max_tokens',
  'seed',
  'api',
  'api_version',
  'structured_outputs',
  'provider_options',
  'resource_name',
  'endpoint',
  'thinking_budget',
] as const;
