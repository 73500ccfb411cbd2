import { startSpareHost } from '../agents/host/spare-host.ts';
import { expectsHost } from './expects-host.ts';
import { startProgram } from './program.ts';

try {
  // Before the rest is loaded: the process of an agent takes as long to start.
  if (process.argv[2] === 'run' && expectsHost(process.argv.slice(3))) startSpareHost();
} catch {
  // The folder is gone, which the program says.
}
startProgram();
