/**
 * Keeps stdout for the report: what an agent or a config in this process writes to it goes to stderr instead. A child
 * process that was given our stdout itself is beyond reach.
 */
export function keepStdout(): () => void {
  const write = process.stdout.write;
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  return () => {
    process.stdout.write = write;
  };
}
