import type { FleetStatus } from './reporter.ts';

/** `4 workers, 60 of 64 in flight, 130 waiting, 2 dispatched again`. */
export function fleetLine({ workers, slots, in_flight, waiting, retries, problem }: FleetStatus): string {
  const parts = [
    problem ?? `${workers} ${workers === 1 ? 'worker' : 'workers'}`,
    workers === 0 ? '' : `${in_flight} of ${slots} in flight`,
    waiting > 0 ? `${waiting} waiting` : '',
    retries > 0 ? `${retries} dispatched again` : '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}
