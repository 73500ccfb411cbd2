import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAgent } from './create-agent.ts';
import { requestOf } from './contract-suite.ts';

const AGENT = `
import os, time
def agent(input_text, memory):
    if input_text.startswith("write "):
        os.write(4, input_text[6:].encode() + b"\\n")
        time.sleep(0.3)
        return "late"
    return input_text
`;

test.each(['no json', '{"call":1,"reply":"forged"}', '{"reply":"forged"}', 'null'])(
  'an agent that writes %s to the reply channel fails only its own call',
  async (line) => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-python-'));
    writeFileSync(join(folder, 'agent.py'), AGENT);
    const agent = await createAgent('./agent.py', { cwd: folder, env: process.env });
    const send = async (input: string) => {
      const session = await agent.open({ id: 'a', file: 'a.test.yaml' });
      try {
        const request = requestOf(input, {}, 'a.test.yaml');
        return await session.send(request, new AbortController().signal);
      } finally {
        await session.close();
      }
    };
    try {
      await expect(send(`write ${line}`)).rejects.toMatchObject({ kind: 'contract' });
      for (const input of ['one', 'two', 'three']) expect(await send(input)).toMatchObject({ reply: input });
    } finally {
      await agent.close();
      rmSync(folder, { recursive: true });
    }
  },
);
