import { execFileSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';

/*
 * Tests start thousands of programs. What a machine adds to each start, and no test is about, is taken out of the environment
 * before the tests get it.
 */
export function startFast(): void {
  // Node reads these certificates at each start, which takes twice as long as the start. Only installing needs them.
  const { NODE_EXTRA_CA_CERTS: certificates, PATH = '' } = process.env;
  if (certificates !== undefined) process.env['TEST_CA_CERTS'] = certificates;
  delete process.env['NODE_EXTRA_CA_CERTS'];
  const python = folderOfPython();
  if (python !== undefined && !PATH.split(delimiter).includes(python))
    process.env['PATH'] = `${python}${delimiter}${PATH}`;
}

/** `python3` may be a shell script that looks for Python, such as that of pyenv. */
function folderOfPython(): string | undefined {
  try {
    const code = 'import sys; print(sys.executable)';
    return dirname(execFileSync('python3', ['-c', code], { encoding: 'utf8', stdio: 'pipe' }).trim());
  } catch {
    // There is none, and the tests say so.
    return undefined;
  }
}
