import { startHost } from './host-main.ts';

/* What `node` runs for the host of an agent's file. */

startHost();
