import { confine, CONFINEMENT_VARIABLE, type Confinement } from '../suites/load/confinement.ts';

/** Takes over what the parent process allows. Programs that this process starts know nothing of it. */
export function readConfinement(text: string): void {
  delete process.env[CONFINEMENT_VARIABLE];
  confine(JSON.parse(text) as Confinement);
}
