// The recording of the README: `npm run recording`. Runs the built program in a new project and draws what it prints. Build first.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { recordScenes } from './recording/scenes.ts';
import { drawScenes } from './recording/draw.ts';

const FILE = fileURLToPath(new URL('../docs/images/recording.svg', import.meta.url));

writeFileSync(FILE, drawScenes(recordScenes()));
