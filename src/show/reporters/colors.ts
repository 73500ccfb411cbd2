import picocolors from 'picocolors';

export type Colors = Pick<
  ReturnType<typeof picocolors.createColors>,
  'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold'
>;

export const NO_COLORS: Colors = picocolors.createColors(false);

/** Colours if the terminal shows them and no setting turns them off. */
export function chooseColors({
  isTTY,
  env,
}: {
  readonly isTTY: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Colors {
  const isForced =
    env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0' && env['FORCE_COLOR'] !== '';
  const isRefused = (env['NO_COLOR'] ?? '') !== '' || env['FORCE_COLOR'] === '0' || env['TERM'] === 'dumb';
  return picocolors.createColors(isForced || (isTTY && !isRefused));
}
