/** How servers say that a key is missing, wrong, or not allowed to do this. */
export type RefusedStatus = 401 | 403;

export function refusedStatus(status: number | undefined): RefusedStatus | undefined {
  return status === 401 || status === 403 ? status : undefined;
}
